"""Pairs by rule: the verb of a definition in the place of an expression's, in whatever form either is written."""

from __future__ import annotations

import pytest

from annotator.domain.silver import Sense, SmallParser, Use, put_in_place
from annotator.domain.text.lemmas import lemmas_of


def put(text: str, definition: str, language: str) -> str:
    """A sentence with the expression that stands in brackets replaced; lemmas are the dictionary's. Else the reason."""
    begin, end = (next(at for at, word in enumerate(text.split()) if sign in word) for sign in "[]")
    tokens = tuple(word.strip("[]") for word in text.split())
    lemmas = tuple(lemmas_of(tokens, language))
    use = Use(Sense.FIGURATIVE, tokens, tuple(range(begin, end + 1)), (), lemmas)
    return str(put_in_place(use, definition, SmallParser(language), language=language))


class TestInvariantVerbs:
    """Verbs whose past is like the base."""

    @pytest.mark.parametrize("to", ["to ", ""])
    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("He [let the cat out of the bag] early .", "reveal the secret", "He revealed the secret early ."),
            ("At the fair, Marta [let the cat out] .", "reveal the secret", "At the fair, Marta revealed the secret ."),
            ("My uncle [hit the sack] .", "go to bed", "My uncle went to bed ."),
            ("The old farmer [cut corners] .", "work badly", "The old farmer worked badly ."),
            ("Ann, who [put her foot down] , won .", "insist", "verb-form"),
            ("It [cost an arm and a leg] .", "be expensive", "It was expensive ."),
            ("He has [put his foot down] .", "insist", "He has insisted ."),
            ("He had [let the cat out] .", "give a secret away", "He had given a secret away ."),
            ("The child had [come to terms with] it .", "reject", "The child had rejected it ."),
            ("She [cuts corners] .", "work badly", "She works badly ."),
            ("She didn't [cut corners] .", "work badly", "She didn't work badly ."),
            ("They made him [let the cat out] .", "be honest", "They made him be honest ."),
            ("They saw him [let the cat out] .", "be honest", "verb-form"),
            ("They [hit the sack] .", "go to bed", "verb-form"),
            ("The old farmers [cut corners] .", "work badly", "verb-form"),
            ("Marta and Ann [put the cards on the table] .", "tell the truth", "verb-form"),
            ("I [put the cards on the table] .", "tell the truth", "verb-form"),
            ("The team [hit the roof] .", "get angry", "verb-form"),
            ("Did she [let the cat out] ?", "reveal it", "Did she reveal it ?"),
        ],
    )
    def test_they_are_in_the_past_after_one_that_would_take_s_with_to_or_without(
        self, to: str, text: str, definition: str, expected: str
    ) -> None:
        assert put(text, to + definition, "en") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("It was a [cut above the rest] .", "better thing", "It was a better thing ."),
            ("It was a good [set of rules] .", "list of rules", "It was a good list of rules ."),
            ("He took it with [cut glass] .", "fine glass", "He took it with fine glass ."),
        ],
    )
    def test_nouns_of_that_form_are_no_verbs(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "en") == expected


class TestEnglishDefinitions:
    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Our branch was [left holding the baby] .", "be made responsible", "Our branch was made responsible ."),
            ("He has been [left holding the baby] .", "be made responsible", "He has been made responsible ."),
            ("He got [left holding the baby] .", "to be made responsible", "He got made responsible ."),
            ("We're [left holding the baby] .", "be made responsible", "We're made responsible ."),
            ("He was [taken for a ride] .", "be deceived", "He was deceived ."),
            ("He was [taken for a ride] .", "deceive", "He was deceived ."),
            ("a man [taken for a ride] by all", "be deceived", "a man deceived by all"),
            ("The plan was [put on ice] .", "be postponed", "The plan was postponed ."),
            ("They had [left us holding the baby] .", "make us responsible", "They had made us responsible ."),
            ("She was [left in the dark] .", "conceal the truth", "verb-form"),
            ("She was [put in the picture] .", "tell the truth", "verb-form"),
            # "He has" or "he is".
            ("He's [left holding the baby] .", "be made responsible", "verb-form"),
            ("He was [over the moon] .", "be very happy", "He was very happy ."),
            ("She's [over the moon] .", "to be very happy", "She's very happy ."),
            ("They weren't [over the moon] .", "be happy", "They weren't happy ."),
            ("He feels [under the weather] .", "be ill", "part-of-speech"),
            ("He has [under the weather] .", "be ill", "part-of-speech"),
            # What he wants is a thing.
            ("He wants [the moon] .", "impossible", "part-of-speech"),
            ("He wants [the moon] .", "too much", "He wants too much ."),
        ],
    )
    def test_be_is_left_out_after_be(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "en") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("He was [pushing up daisies] .", "to be dead", "He was dead ."),
            ("He's always [pushing up daisies] .", "be dead", "He's always dead ."),
            ("Is he [pulling my leg] ?", "to be joking", "Is he joking ?"),
            ("Why was the man [pushing up daisies] ?", "to be dead", "Why was the man dead ?"),
            ("He was [pushing up daisies] .", "to know it", "verb-form"),
            ("He was [losing his head] .", "to panic and know", "verb-form"),
            ("They were [having a ball] .", "to have great fun", "They were having great fun ."),
            # Here "be" is what they do.
            ("He was [being a clown] .", "to be silly", "He was being silly ."),
            ("She hated [pushing up daisies] .", "to be dead", "She hated being dead ."),
        ],
    )
    def test_states_have_no_progressive(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "en") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("He was [taken for a ride] .", "to deceive people", "verb-form"),
            ("He was [taken for a ride] .", "to deceive him", "verb-form"),
            ("He was [taken for a ride] .", "to die", "verb-form"),
            ("He was [bled dry] by the bank .", "to take all his money", "verb-form"),
            ("He was [taken for a ride] .", "to deceive badly", "He was deceived badly ."),
            ("He was [taken for a ride] .", "to make poor", "He was made poor ."),
            ("He [was taken for a ride] .", "to be deceived", "He was deceived ."),
            ("He [was taken for a ride] .", "to lose money", "He lost money ."),
            ("He [was taken for a ride] .", "to suffer", "He suffered ."),
            # He is not who deceived.
            ("He [was taken for a ride] .", "to deceive", "voice"),
            ("He [was badly taken for a ride] .", "deceive", "voice"),
            ("He [got taken for a ride] .", "deceive", "voice"),
        ],
    )
    def test_a_passive_is_not_turned_round(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "en") == expected

    @pytest.mark.parametrize(
        ("text", "definition"),
        [
            ("He [will kick the bucket] .", "to die"),
            ("He [will kick the bucket] .", "die"),
            ("She [must always turn over a new leaf] .", "begin anew"),
            ("He [has already kicked the bucket] .", "die"),
            ("He [had seen the light] .", "understand"),
            ("He [was pulling my leg] .", "joke"),
            ("He [wanted to throw in the towel] .", "give up"),
            ("They [would never throw in the towel] .", "to give up"),
            ("She [did not bat an eyelid] .", "to react"),
            ("She [didn't bat an eyelid] .", "react"),
            ("She [won't bat an eyelid] .", "react"),
            ("He [is not over the moon] .", "to be happy"),
            # Who it is said of.
            ("[Is he pulling your leg] ?", "joke"),
            ("[Are you over the moon] ?", "be happy"),
            ("Why [are they pulling my leg] ?", "to joke"),
            ("[Have you lost your marbles] ?", "go mad"),
            ("[Did it break the ice] ?", "ease the tension"),
            ("[Has the cat got your tongue] ?", "be speechless"),
        ],
    )
    def test_no_helping_verb_or_negation_of_an_expression_is_left_out(self, text: str, definition: str) -> None:
        assert put(text, definition, "en") == "verb-form"

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("We [had a ball] .", "to enjoy it", "We enjoyed it ."),
            ("We [have mixed feelings] .", "to doubt", "We doubt ."),
            ("It [does the trick] .", "to work", "It works ."),
            ("He [is made of money] .", "to own much", "He owns much ."),
            ("He [was pulling my leg] .", "to be joking", "He was joking ."),
            ("He [does not cut corners] .", "to not work badly", "He does not work badly ."),
            ("They [can't stand] him .", "can't bear", "They can't bear him ."),
            ("It [has to do with] the money .", "to concern", "It concerns the money ."),
            ("The [will to live] was gone .", "wish", "The wish was gone ."),
            ("He [needed a hand] .", "to want help", "He wanted help ."),
            ("They [have it in for me] .", "hate me", "They hate me ."),
            ("It [does you good] .", "help you", "It helps you ."),
        ],
    )
    def test_be_have_and_do_may_be_the_verb_of_an_expression(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "en") == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("He [was over the moon] .", "He had fun ."),
            ("Ann and I [were over the moon] .", "Ann and I had fun ."),
            ("I [am over the moon] .", "I have fun ."),
            ("She [is over the moon] .", "She has fun ."),
            ("They've [lost the plot] .", "They've had fun ."),
            ("Ann's [lost the plot] .", "Ann's had fun ."),
            ("Have you [lost the plot] ?", "Have you had fun ?"),
            ("We 'll [lose the plot] .", "We 'll have fun ."),
            ("She did n't [lose the plot] .", "She did n't have fun ."),
        ],
    )
    def test_a_verb_takes_the_form_of_be_and_that_after_a_short_form(self, text: str, expected: str) -> None:
        assert put(text, "have fun", "en") == expected

    @pytest.mark.parametrize(
        ("definition", "expected"),
        [
            ("reveals the secret", "He revealed the secret ."),
            ("revealed the secret", "He revealed the secret ."),
            ("was honest", "He was honest ."),
            ("became very angry", "He became very angry ."),
            ("quietly gave up", "He quietly gave up ."),
            ("not care", "He did not care ."),
            ("to not be honest", "He was not honest ."),
            ("to lie about it", "verb-form"),
            ("to lie to everybody", "verb-form"),
            ("to lie about", "verb-form"),
            ("to lie", "verb-form"),
            ("to lie low", "verb-form"),
            ("very angry", "part-of-speech"),
            ("dead", "part-of-speech"),
        ],
    )
    def test_its_verb_may_have_any_form_but_has_to_be_one(self, definition: str, expected: str) -> None:
        assert put("He [lost his head] .", definition, "en") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("He [lost his head] .", "to panic and stop", "verb-form"),
            ("He [lost his head] .", "panicked and stopped", "verb-form"),
            ("He [lost his head] .", "to confess and to apologise", "verb-form"),
            ("He [lost his head] .", "to give up and go home", "verb-form"),
            ("He [lost his head] .", "to be or become sad", "verb-form"),
            ("He [lost his head] .", "to stay and not say it", "verb-form"),
            ("She [rocks the boat] .", "to disturb and annoy people", "verb-form"),
            ("He was [losing his head] .", "to panic and stop", "verb-form"),
            ("He will [lose his head] .", "to lose hope and stop", "He will lose hope and stop ."),
            ("He was [taken for a ride] .", "to be deceived and lose money", "verb-form"),
            # A noun or a verb may follow.
            ("He [lost his head] .", "to lose hope and stop", "verb-form"),
            ("He [lost his head] .", "to be angry and confused", "He was angry and confused ."),
            ("He [lost his head] .", "to be calm and quiet", "He was calm and quiet ."),
            ("He [lost his head] .", "to have fun and games", "verb-form"),
            ("He [lost his head] .", "to become more and more sad", "He became more and more sad ."),
            ("He [lost his head] .", "to go back and forth", "He went back and forth ."),
        ],
    )
    def test_verbs_that_are_joined_are_refused(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "en") == expected

    def test_what_follows_an_article_is_no_verb(self) -> None:
        assert put("the [lost cause] of us", "hopeless thing", "en") == "the hopeless thing of us"
        assert put("It was an [easy ride] .", "to win", "en") == "verb-form"


class TestSpanish:
    @pytest.mark.parametrize(
        ("definition", "expected"),
        [
            ("engañar", "voice"),
            ("engañar mal", "voice"),
            ("perder dinero", "Juan perdió dinero ."),
            ("equivocarse", "Juan se equivocó ."),
            ("morir", "Juan murió ."),
        ],
    )
    def test_a_passive_is_not_turned_round(self, definition: str, expected: str) -> None:
        assert put("Juan [fue tomado por tonto] .", definition, "es") == expected

    @pytest.mark.parametrize(
        ("verb", "expected"),
        [
            ("está", "está"), ("estaba", "estaba"), ("estuvo", "estuvo"), ("estará", "estará"), ("esté", "esté"),
            ("estuviera", "estuviera"),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("written", ["estar contenta", "está contenta", "estaba contenta"])
    def test_a_definition_may_have_the_form_of_the_expression(self, verb: str, expected: str, written: str) -> None:
        assert put(f"Ana [{verb} en las nubes] .", written, "es") == f"Ana {expected} contenta ."

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Ana [está en las nubes] .", "ser feliz", "Ana es feliz ."),
            ("Ana [estaba en las nubes] .", "distraerse", "Ana se distraía ."),
            ("Yo [estaba en las nubes] .", "distraerse", "Yo me distraía ."),
            ("[Estaba en las nubes] .", "distraerse", "verb-form"),
            ("Ana [estuvo en las nubes] .", "no prestar atención", "Ana no prestó atención ."),
            ("El abuelo [estiró la pata] .", "morir", "El abuelo murió ."),
            ("Ana [salió por la puerta grande] .", "obtener un éxito", "Ana obtuvo un éxito ."),
            ("Quiere que [salgas del paso] .", "conocer el mundo", "Quiere que conozcas el mundo ."),
            ("María [hizo la vista gorda] .", "fingir no verlo", "María fingió no verlo ."),
            ("Quiere que [hagas la vista gorda] .", "fingir no verlo", "Quiere que finjas no verlo ."),
            ("Yo [caí en la cuenta] .", "entender", "Yo entendí ."),
            ("Yo [doy la cara] .", "asumir la culpa", "Yo asumo la culpa ."),
            # "Tira" and "pegas" are nouns, too.
            ("Usted [tira la toalla] .", "rendirse", "Usted se rinde ."),
            ("Tú no [pegas ojo] .", "dormir", "Tú no duermes ."),
            ("Mi jefe no [pega ojo] .", "dormir", "Mi jefe no duerme ."),
            ("Ella es [casa de locos] .", "aprobar", "verb-form"),
            ("Ellos [levantan el vuelo] .", "construir algo", "Ellos construyen algo ."),
            ("Ellos [levantaron el vuelo] .", "construir algo", "Ellos construyeron algo ."),
            ("Ha [metido la pata] .", "cometer un error", "Ha cometido un error ."),
            ("Ha [metido la pata] .", "equivocarse", "verb-form"),
        ],
    )
    def test_irregular_verbs(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "es") == expected

    def test_a_noun_is_no_verb_though_it_ends_so_or_is_its_own_lemma(self) -> None:
        assert put("El examen fue [pan comido] .", "fácil", "es") == "El examen fue fácil ."
        assert put("Le faltaba [lugar de reposo] .", "tranquilidad", "es") == "Le faltaba tranquilidad ."
        assert put("El examen fue [pan comido] .", "aprobar", "es") == "verb-form"

    @pytest.mark.parametrize("definition", ["rendirse", "abandonó"])
    @pytest.mark.parametrize(
        "marked",
        [
            "quiso tirar la toalla", "no tiró la toalla", "ha tirado la toalla", "está tirando la toalla",
            "va a tirar la toalla", "tiene que tirar la toalla", "la va a tirar al suelo",
        ],
    )  # fmt: skip
    def test_no_helping_verb_or_negation_of_an_expression_is_left_out(self, marked: str, definition: str) -> None:
        assert put(f"Ella [{marked}] .", definition, "es") == "verb-form"

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Eso [quiere decir algo] .", "significar algo más", "Eso significa algo más ."),
            ("Eso [tiene que ver con Ana] .", "importar mucho", "Eso importa mucho ."),
            ("Todo [fue a parar al mar] .", "perderse", "Todo se perdió ."),
            ("Ella [no tiene pelos en la lengua] .", "no callarse", "Ella no se calla ."),
            ("Ella [tiene buena mano] .", "saber hacerlo", "Ella sabe hacerlo ."),
            ("Ella [va al grano] .", "hablar claro", "Ella habla claro ."),
            ("Ella [está tirando la toalla] .", "estar triste", "Ella está triste ."),
        ],
    )
    def test_such_a_verb_may_be_that_of_an_expression(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("El alcalde [se lavó las manos] ayer .", "desentenderse", "El alcalde se desentendió ayer ."),
            ("El alcalde [se lavó las manos] ayer .", "se desentiende", "El alcalde se desentendió ayer ."),
            ("El alcalde [se lavó las manos] ayer .", "evitar el asunto", "El alcalde evitó el asunto ayer ."),
            ("Yo [me lavé las manos] .", "evitar el asunto", "Yo evité el asunto ."),
            ("Los dos [se lavaban las manos] .", "evitar el asunto", "Los dos evitaban el asunto ."),
            ("Quiere [lavarse las manos] .", "desentenderse", "Quiere desentenderse ."),
            ("Juan se [tiró a la piscina] .", "arriesgarse", "Juan se arriesgó ."),
            ("Juan se [tiró a la piscina] .", "decidir", "verb-form"),
            ("Juan me [tomó el pelo] .", "engañar", "Juan me engañó ."),
            ("Juan me [tomó el pelo] .", "burlarse", "verb-form"),
        ],
    )
    def test_reflexive_verbs(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Eso [me puso los pelos de punta] .", "asustarme", "part-of-speech"),
            ("Eso [me puso los pelos de punta] .", "me asusta", "part-of-speech"),
            ("Eso me [puso los pelos de punta] .", "asustarme", "part-of-speech"),
            ("Eso [me puso los pelos de punta] .", "asustar", "verb-form"),
            ("Eso [me puso los pelos de punta] .", "terrible", "part-of-speech"),
            ("A Ana [se le fue la mano] .", "exagerar", "verb-form"),
            ("Yo [me llevé un susto] .", "asustarme", "part-of-speech"),
            ("Ella [tiró la toalla] .", "no dejarlo", "part-of-speech"),
            ("Quiere [tirar la toalla] .", "dejarlo", "part-of-speech"),
            ("Ella [tiró la toalla] .", "muerte", "part-of-speech"),
            ("Es [lo justo] .", "fácil", "Es fácil ."),
        ],
    )
    def test_a_pronoun_that_is_an_object_is_in_no_definition(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Ojalá [tirase la toalla] .", "abandonar", "Ojalá abandonara ."),
            ("Si [metiésemos la pata] , nos reiríamos .", "errar", "Si erráramos , nos reiríamos ."),
            ("Si [tuviésemos mano izquierda] , ganaríamos .", "acertar", "Si acertáramos , ganaríamos ."),
            ("Quería que [dieses en el clavo] .", "decir la verdad", "Quería que dijeras la verdad ."),
            ("Pedro [pase la noche en blanco] .", "no dormir", "verb-form"),
            # Either "me equivocara" or "se equivocara".
            ("Ojalá [metiese la pata] .", "equivocarse", "verb-form"),
        ],
    )
    def test_the_past_subjunctive_in_se_is_that_in_ra(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Ella [se lava las manos] .", "rendirse", "Ella se rinde ."),
            ("Tú [te lavas las manos] .", "abandonar", "Tú abandonas ."),
            ("[Se tira de los pelos] .", "enfadarse", "Se enfada ."),
            ("La [lava del volcán] quema .", "piedra", "La piedra quema ."),
        ],
    )
    def test_what_follows_a_reflexive_pronoun_is_no_noun(self, text: str, definition: str, expected: str) -> None:
        assert put(text, definition, "es") == expected

    @pytest.mark.parametrize(
        ("definition", "expected"),
        [
            ("mentir y callar", "verb-form"),
            ("mintió y calló", "verb-form"),
            ("equivocarse y no enfadarse", "verb-form"),
            ("mentir y abolirlo todo", "verb-form"),
            ("buscar paz y lugar", "Ella buscó paz y lugar ."),
            ("estar triste y cansada", "Ella estuvo triste y cansada ."),
        ],
    )
    def test_verbs_that_are_joined_are_refused(self, definition: str, expected: str) -> None:
        assert put("Ella [metió la pata] .", definition, "es") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("Our branch was left [holding the baby] .", "be to blame", "Our branch was left to blame ."),
        ("They left us [holding the baby] .", "be to blame", "They left us to blame ."),
        ("They left the old clerk [holding the baby] .", "be alone", "They left the old clerk alone ."),
        ("Our branch was left [holding the baby] .", "pay the bill", "Our branch was left paying the bill ."),
        ("He kept [holding the baby] .", "be to blame", "He kept being to blame ."),
        ("They left [holding the baby] .", "be to blame", "They left being to blame ."),
    ],
)
def test_be_is_left_out_after_what_leaves_somebody_in_a_state(text: str, definition: str, expected: str) -> None:
    assert put(text, f"to {definition}", "en") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("She always [had a short fuse] .", "be irritable", "She always was irritable ."),
        ("Ann never [has a hair out of place] .", "be untidy", "Ann never is untidy ."),
        ("She always [had a short fuse] .", "get angry", "She always got angry ."),
        ("She has always [had a short fuse] .", "be irritable", "She has always been irritable ."),
        ("She will never [have a short fuse] .", "be irritable", "She will never be irritable ."),
        ("She still [had a short fuse] .", "be irritable", "She still was irritable ."),
        ("By then, always [had a short fuse] .", "be irritable", "verb-form"),
    ],
)
def test_be_stands_after_an_adverb_such_as_always(text: str, definition: str, expected: str) -> None:
    assert put(text, f"to {definition}", "en") == expected


@pytest.mark.parametrize(
    ("text", "definition", "expected"),
    [
        ("He finally [hit the sack] .", "to lie down on one's bed", "verb-form"),
        ("You 'll soon [hit the sack] .", "to lie down on one's bed", "You 'll soon lie down on your bed ."),
        ("They haven't [hit the sack] yet .", "to hide oneself", "They haven't hidden themselves yet ."),
        ("The guests [hit the sack] .", "to have gone to one's room", "verb-form"),
        ("The guests were [hitting the sack] .", "to go to one's room", "The guests were going to their room ."),
        ("My aunt was [losing her temper] .", "to raise one's voice", "My aunt was raising her voice ."),
        ("[Lose the tie] !", "to go to one's room", "Go to your room !"),
        # A man, a woman or a goldfish; and whose feelings are hurt?
        ("My cousin was [hitting the sack] .", "to go to one's room", "agreement"),
        ("He was [pulling my leg] .", "to hide one's feelings", "agreement"),
        ("He came [out of the blue] .", "against one's will", "agreement"),
        ("He told me off , then [lost the plot] .", "to go to one's room", "agreement"),
    ],
)
def test_whose_it_is_depends_on_the_subject(text: str, definition: str, expected: str) -> None:
    assert put(text, definition, "en") == expected
