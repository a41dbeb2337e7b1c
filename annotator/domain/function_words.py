"""Function words by language: pronouns, articles, prepositions, auxiliaries, conjunctions.

The lists are small and closed on purpose. English adverb particles (off, up, out, down, away, back) are
not in them: in "took off" they are half of a phrasal verb, and so part of the unit that is labelled.
"""

from __future__ import annotations

from collections.abc import Callable

from annotator.domain.languages import base_language
from annotator.domain.tokens import word_of

_EN = """
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
we us our ours ourselves they them their theirs themselves one oneself who whom whose which what that this these
those someone somebody something anyone anybody anything everyone everybody everything nobody nothing none
a an the some any no every each either neither both all another other such
of in to for with on at from by about as into onto upon through throughout over under above below between among
amongst against during without within before after behind beside besides beyond since until till toward towards
across along around per via despite except than like near
and or but nor so yet if because while whereas although though unless whether when where
be am is are was were been being have has had having do does did doing done will would shall should can could may
might must ought not there
i'm you're he's she's it's we're they're that's there's who's what's here's where's let's
i've you've we've they've who've could've should've would've might've must've
i'd you'd he'd she'd it'd we'd they'd that'd who'd i'll you'll he'll she'll it'll we'll they'll that'll who'll
isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't cannot
couldn't mayn't mightn't mustn't needn't ain't
"""

_ES = """
yo tú vos usted él ella ello nosotros nosotras vosotros vosotras ustedes ellos ellas me te se nos os lo la le los las
les mí ti sí conmigo contigo consigo mi mis tu tus su sus mío mía míos mías tuyo tuya tuyos tuyas suyo suya suyos
suyas nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras
este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas éste ésta éstos éstas ése
ésa ésos ésas aquél aquélla aquéllos aquéllas
que quien quienes cual cuales cuyo cuya cuyos cuyas qué quién quiénes cuál cuáles alguien algo nadie nada
alguno alguna algunos algunas algún ninguno ninguna ningún cada todo toda todos todas otro otra otros otras tal tales
el un una unos unas uno al del
a ante bajo con contra de desde durante en entre hacia hasta mediante para por según sin sobre tras excepto salvo
y e o u ni pero mas sino aunque porque pues si como cuando donde mientras cómo cuándo dónde
no
ser soy eres es somos sois son era eras éramos erais eran fui fuiste fue fuimos fuisteis fueron seré serás será
seremos seréis serán sería serías seríamos seríais serían sea seas seamos seáis sean fuera fueras fuéramos fuerais
fueran fuese fueses fuésemos fueseis fuesen sido siendo
estar estoy estás está estamos estáis están estaba estabas estábamos estabais estaban estuve estuviste estuvo
estuvimos estuvisteis estuvieron estaré estarás estará estaremos estaréis estarán estaría estarías estaríamos
estaríais estarían esté estés estemos estéis estén estuviera estuvieras estuviéramos estuvierais estuvieran estuviese
estuvieses estuviésemos estuvieseis estuviesen estado estando
haber he has ha hemos habéis han había habías habíamos habíais habían hube hubiste hubo hubimos hubisteis hubieron
habré habrás habrá habremos habréis habrán habría habrías habríamos habríais habrían haya hayas hayamos hayáis hayan
hubiera hubieras hubiéramos hubierais hubieran hubiese hubieses hubiésemos hubieseis hubiesen habido habiendo hay
poder puedo puedes puede podemos podéis pueden podía podías podíamos podíais podían pude pudiste pudo pudimos
pudisteis pudieron podré podrás podrá podremos podréis podrán podría podrías podríamos podríais podrían pueda puedas
podamos podáis puedan pudiera pudieras pudiéramos pudierais pudieran
"""

FUNCTION_WORDS: dict[str, frozenset[str]] = {"en": frozenset(_EN.split()), "es": frozenset(_ES.split())}


def is_function_word(language: str) -> Callable[[str], bool]:
    """A test for function words of a language ("es", "en", also with a region: "es-MX").

    The test takes a token as it stands in a sentence: case and punctuation at its edges do not matter,
    and a typographic apostrophe is an apostrophe. For a language without a list nothing is a function
    word.
    """
    words = FUNCTION_WORDS.get(base_language(language), frozenset())

    def test(token: str) -> bool:
        return word_of(token) in words

    return test
