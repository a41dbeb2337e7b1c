"""Forms of Spanish verbs: three conjugations, changes of stem and spelling, and no form rather than a wrong one."""

from __future__ import annotations

import pytest

from annotator.domain.silver.spanish_forms import inflect, verb_of

ME, HE, WE, THEY = 0, 2, 3, 5


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("hablar", "hablo habla hablan hablé habló hablaron hable hablara hablando hablado"),
        ("deber", "debo debe deben debí debió debieron deba debiera debiendo debido"),
        ("vivir", "vivo vive viven viví vivió vivieron viva viviera viviendo vivido"),
        ("consumir", "consumo consume consumen consumí consumió consumieron consuma consumiera consumiendo consumido"),
        ("construir", "construyo construye construyen construí construyó construyeron construya construyera "
         "construyendo construido"),
        ("huir", "huyo huye huyen huí huyó huyeron huya huyera huyendo huido"),
        ("distinguir", "distingo distingue distinguen distinguí distinguió distinguieron distinga distinguiera "
         "distinguiendo distinguido"),
        ("leer", "leo lee leen leí leyó leyeron lea leyera leyendo leído"),
        ("traducir", "traduzco traduce traducen traduje tradujo tradujeron traduzca tradujera traduciendo traducido"),
        ("lucir", "luzco luce lucen lucí lució lucieron luzca luciera luciendo lucido"),
        ("convencer", "convenzo convence convencen convencí convenció convencieron convenza convenciera convenciendo "
         "convencido"),
        ("dirigir", "dirijo dirige dirigen dirigí dirigió dirigieron dirija dirigiera dirigiendo dirigido"),
        ("fruncir", "frunzo frunce fruncen fruncí frunció fruncieron frunza frunciera frunciendo fruncido"),
        ("enviar", "envío envía envían envié envió enviaron envíe enviara enviando enviado"),
        ("cambiar", "cambio cambia cambian cambié cambió cambiaron cambie cambiara cambiando cambiado"),
        ("actuar", "actúo actúa actúan actué actuó actuaron actúe actuara actuando actuado"),
        ("averiguar", "averiguo averigua averiguan averigüé averiguó averiguaron averigüe averiguara averiguando "
         "averiguado"),
        ("prohibir", "prohíbo prohíbe prohíben prohibí prohibió prohibieron prohíba prohibiera prohibiendo prohibido"),
        ("aislar", "aíslo aísla aíslan aislé aisló aislaron aísle aislara aislando aislado"),
        ("avergonzar", "avergüenzo avergüenza avergüenzan avergoncé avergonzó avergonzaron avergüence avergonzara "
         "avergonzando avergonzado"),
        ("adquirir", "adquiero adquiere adquieren adquirí adquirió adquirieron adquiera adquiriera "
         "adquiriendo adquirido"),
        ("reñir", "riño riñe riñen reñí riñó riñeron riña riñera riñendo reñido"),
        ("sonreír", "sonrío sonríe sonríen sonreí sonrió sonrieron sonría sonriera sonriendo sonreído"),
        ("oír", "oigo oye oyen oí oyó oyeron oiga oyera oyendo oído"),
        ("caber", "quepo cabe caben cupe cupo cupieron quepa cupiera cabiendo cabido"),
        ("describir", "describo describe describen describí describió describieron describa describiera describiendo "
         "descrito"),
    ],
)  # fmt: skip
def test_forms(verb: str, forms: str) -> None:
    asked = (
        f"present:{ME}", f"present:{HE}", f"present:{THEY}", f"preterite:{ME}", f"preterite:{HE}", f"preterite:{THEY}",
        f"subjunctive:{HE}", f"past-subjunctive:{HE}", "gerund", "participle",
    )  # fmt: skip
    assert [inflect(verb, form) for form in asked] == forms.split()


@pytest.mark.parametrize(
    ("verb", "form", "expected"),
    [
        ("leer", f"preterite:{WE}", "leímos"),
        ("construir", f"present:{WE}", "construimos"),
        ("oír", f"imperfect:{HE}", "oía"),
        ("reír", f"future:{HE}", "reirá"),
        ("valer", f"future:{HE}", "valdrá"),
        ("zambullirse", f"preterite:{THEY}", "se zambulleron"),
        ("disolver", f"present:{HE}", "disuelve"),
        ("torcer", f"present:{ME}", "tuerzo"),
        # Nobody says how these are made, or the rules do not.
        ("prever", f"present:{HE}", ""),
        ("panicar", f"present:{HE}", ""),
    ],
)
def test_single_forms(verb: str, form: str, expected: str) -> None:
    assert inflect(verb, form) == expected


@pytest.mark.parametrize(("word", "verb"), [("tira", "tirar"), ("pegas", "pegar"), ("cara", ""), ("sol", "")])
def test_a_verb_that_the_dictionary_has_for_a_noun(word: str, verb: str) -> None:
    assert verb_of(word) == verb
