"""Spanish verbs that are not made as the rules have it, or only may be: their forms and stems, by list."""

from __future__ import annotations

from collections.abc import Mapping

from annotator.domain.text.word_sets import word_set

# Present, stem of a strong preterite ("" for a regular one), stem of the future, participle, gerund.
IRREGULAR: Mapping[str, tuple[str, str, str, str, str]] = {
    "hacer": ("hago haces hace hacemos hacéis hacen", "hic", "har", "hecho", "haciendo"),
    "tener": ("tengo tienes tiene tenemos tenéis tienen", "tuv", "tendr", "tenido", "teniendo"),
    "poner": ("pongo pones pone ponemos ponéis ponen", "pus", "pondr", "puesto", "poniendo"),
    "venir": ("vengo vienes viene venimos venís vienen", "vin", "vendr", "venido", "viniendo"),
    "decir": ("digo dices dice decimos decís dicen", "dij", "dir", "dicho", "diciendo"),
    "traer": ("traigo traes trae traemos traéis traen", "traj", "traer", "traído", "trayendo"),
    "salir": ("salgo sales sale salimos salís salen", "", "saldr", "salido", "saliendo"),
    "estar": ("estoy estás está estamos estáis están", "estuv", "estar", "estado", "estando"),
    "poder": ("puedo puedes puede podemos podéis pueden", "pud", "podr", "podido", "pudiendo"),
    "querer": ("quiero quieres quiere queremos queréis quieren", "quis", "querr", "querido", "queriendo"),
    "saber": ("sé sabes sabe sabemos sabéis saben", "sup", "sabr", "sabido", "sabiendo"),
    "caer": ("caigo caes cae caemos caéis caen", "", "caer", "caído", "cayendo"),
    "andar": ("ando andas anda andamos andáis andan", "anduv", "andar", "andado", "andando"),
    "oír": ("oigo oyes oye oímos oís oyen", "", "oir", "oído", "oyendo"),
    "reír": ("río ríes ríe reímos reís ríen", "", "reir", "reído", "riendo"),
    "caber": ("quepo cabes cabe cabemos cabéis caben", "cup", "cabr", "cabido", "cabiendo"),
    "valer": ("valgo vales vale valemos valéis valen", "", "valdr", "valido", "valiendo"),
    "ser": ("soy eres es somos sois son", "fu", "ser", "sido", "siendo"),
    "ir": ("voy vas va vamos vais van", "fu", "ir", "ido", "yendo"),
}
# What else is not as the rules have it, word by word.
OTHER: Mapping[str, Mapping[str, str]] = {
    "dar": {
        "present": "doy das da damos dais dan",
        "preterite": "di diste dio dimos disteis dieron",
        "subjunctive": "dé des dé demos deis den",
        "past-subjunctive": "diera dieras diera diéramos dierais dieran",
    },
    "ver": {
        "present": "veo ves ve vemos veis ven",
        "imperfect": "veía veías veía veíamos veíais veían",
        "preterite": "vi viste vio vimos visteis vieron",
        "subjunctive": "vea veas vea veamos veáis vean",
    },
    "hacer": {"preterite": "hice hiciste hizo hicimos hicisteis hicieron"},
    "decir": {"preterite": "dije dijiste dijo dijimos dijisteis dijeron"},
    "traer": {
        "imperfect": "traía traías traía traíamos traíais traían",
        "preterite": "traje trajiste trajo trajimos trajisteis trajeron",
    },
    "caer": {
        "imperfect": "caía caías caía caíamos caíais caían",
        "preterite": "caí caíste cayó caímos caísteis cayeron",
        "past-subjunctive": "cayera cayeras cayera cayéramos cayerais cayeran",
    },
    "oír": {
        "imperfect": "oía oías oía oíamos oíais oían",
        "preterite": "oí oíste oyó oímos oísteis oyeron",
        "subjunctive": "oiga oigas oiga oigamos oigáis oigan",
        "past-subjunctive": "oyera oyeras oyera oyéramos oyerais oyeran",
    },
    "reír": {
        "imperfect": "reía reías reía reíamos reíais reían",
        "preterite": "reí reíste rio reímos reísteis rieron",
        "subjunctive": "ría rías ría riamos riáis rían",
        "past-subjunctive": "riera rieras riera riéramos rierais rieran",
    },
    "oler": {
        "present": "huelo hueles huele olemos oléis huelen",
        "subjunctive": "huela huelas huela olamos oláis huelan",
    },
    "estar": {"subjunctive": "esté estés esté estemos estéis estén"},
    "poder": {"subjunctive": "pueda puedas pueda podamos podáis puedan"},
    "querer": {"subjunctive": "quiera quieras quiera queramos queráis quieran"},
    "saber": {"subjunctive": "sepa sepas sepa sepamos sepáis sepan"},
    "ser": {
        "imperfect": "era eras era éramos erais eran",
        "preterite": "fui fuiste fue fuimos fuisteis fueron",
        "subjunctive": "sea seas sea seamos seáis sean",
    },
    "ir": {
        "imperfect": "iba ibas iba íbamos ibais iban",
        "preterite": "fui fuiste fue fuimos fuisteis fueron",
        "subjunctive": "vaya vayas vaya vayamos vayáis vayan",
    },
}
# Irregular verbs of which others are made with a prefix, and these.
_PREFIXED = {
    "tener": "con de man ob re sos entre", "poner": "com dis ex im o pos pro re su", "venir": "con inter pre",
    "traer": "a con dis ex", "hacer": "des", "salir": "sobre", "volver": "de en re des", "entender": "des",
    "caer": "de re", "reír": "son", "valer": "equi", "sentir": "a di pre re", "vestir": "des in re", "pedir": "ex",
    "seguir": "pro", "mover": "con pro re", "morder": "re", "poblar": "des re", "quebrar": "res",
}  # fmt: skip
MADE_OF = {prefix + verb: (prefix, verb) for verb, prefixes in _PREFIXED.items() for prefix in prefixes.split()}
PARTICIPLES = {
    "abrir": "abierto", "cubrir": "cubierto", "descubrir": "descubierto", "escribir": "escrito", "romper": "roto",
    "ver": "visto", "volver": "vuelto", "resolver": "resuelto", "morir": "muerto",
    "describir": "descrito", "inscribir": "inscrito", "prescribir": "prescrito", "suscribir": "suscrito",
    "transcribir": "transcrito", "encubrir": "encubierto", "imprimir": "impreso", "proveer": "provisto",
}  # fmt: skip
# The stem where it is stressed, after the infinitive.
_STEM_LIST = """
acertar aciert acordar acuerd acostar acuest almorzar almuerz apostar apuest apretar apriet aprobar aprueb ascender
asciend atender atiend atravesar atravies calentar calient cerrar cierr colgar cuelg comenzar comienz comprobar
comprueb confesar confies consolar consuel contar cuent costar cuest defender defiend demostrar demuestr descender
desciend despertar despiert doler duel empezar empiez encender enciend encontrar encuentr entender entiend enterrar
entierr esforzar esfuerz extender extiend gobernar gobiern jugar jueg manifestar manifiest morder muerd mostrar muestr
mover muev negar nieg pensar piens perder pierd probar prueb quebrar quiebr recomendar recomiend recordar recuerd
reforzar refuerz regar rieg renovar renuev resolver resuelv rodar rued rogar rueg sembrar siembr sentar sient soltar
suelt sonar suen soñar sueñ acrecentar acrecient alentar alient arrendar arriend asentar asient aislar aísl aullar
aúll avergonzar avergüenz cegar cieg colar cuel concertar conciert concordar concuerd degollar degüell demoler demuel
denegar denieg desalentar desalient descolgar descuelg desconcertar desconciert desenterrar desentierr despoblar
despuebl desplegar desplieg desterrar destierr encerrar encierr encomendar encomiend enmendar enmiend escarmentar
escarmient forzar fuerz fregar frieg helar hiel llover lluev merendar meriend moler muel nevar niev plegar plieg
poblar puebl rehusar rehús remendar remiend renegar renieg resonar resuen reventar revient revolcar revuelc segar sieg
sosegar sosieg soldar sueld tentar tient tronar truen temblar tiembl tender tiend tostar tuest tropezar tropiez verter
viert volar vuel volcar vuelc volver vuelv
"""
STEMS = dict(zip(_STEM_LIST.split()[::2], _STEM_LIST.split()[1::2], strict=True))
# Verbs in -ir: the stem where it is stressed, and where an i and another vowel follow.
_IR_STEM_LIST = """
advertir adviert advirt arrepentir arrepient arrepint conseguir consigu consigu consentir consient consint convertir
conviert convirt corregir corrig corrig desmentir desmient desmint despedir despid despid divertir diviert divirt
dormir duerm durm elegir elig elig herir hier hir impedir impid impid invertir inviert invirt medir mid mid mentir
mient mint morir muer mur pedir pid pid perseguir persigu persigu preferir prefier prefir referir refier refir rendir
rind rind repetir repit repit seguir sigu sigu sentir sient sint servir sirv sirv adherir adhier adhir adquirir
adquier adquir ceñir ciñ ciñ competir compit compit concebir concib concib derretir derrit derrit digerir digier digir
gemir gim gim hervir hierv hirv ingerir ingier ingir prohibir prohíb prohib reunir reún reun reñir riñ riñ requerir
requier requir teñir tiñ tiñ transferir transfier transfir sugerir sugier sugir vestir vist vist
"""
IR_STEMS = dict(
    zip(
        _IR_STEM_LIST.split()[::3],
        zip(_IR_STEM_LIST.split()[1::3], _IR_STEM_LIST.split()[2::3], strict=True),
        strict=True,
    )
)
# Those in -iar whose i is stressed: "envío"; those in -uar have "actúo", but for -cuar and -guar.
STRESSED_I = word_set(
    "aliar ampliar ansiar averiar confiar contrariar criar desafiar desconfiar desviar enfriar enviar espiar esquiar "
    "expiar extraviar fiar fotografiar guiar hastiar liar piar porfiar resfriar rociar vaciar variar"
)
# Those that have no -zc-: "mezo".
NO_ZC = word_set("mecer cocer recocer escocer torcer retorcer")
# Ends like verbs that the rules do not know ("contener" is known by its prefix).
DOUBTFUL = ("aer", "ner", "olver", "ender", "oer")
REGULAR = word_set("aprender comprender depender ofender suspender vender")
# They are regular though they have an "e" or "o" where others change it, and what has neither changes nothing.
REGULAR_IR = word_set("percibir sumergir divergir converger agredir transgredir")
NEVER = word_set("haber prever entrever errar asir satisfacer yacer argüir delinquir erguir") | NO_ZC
