"""Pairs by rule: each of the four rules, the form of the verb, and why a pair is refused."""

from __future__ import annotations

import pytest

from annotator.domain.pairs.inference_pairs import PairClass, class_of
from annotator.domain.silver import (
    Definitions,
    Refusal,
    Rule,
    Sense,
    SmallParser,
    Use,
    grammar_of,
    put_in_place,
    silver_pairs,
)
from tests.domain.test_verbs_in_place import put

ENGLISH, SPANISH = SmallParser("en"), SmallParser("es")


def _use(text: str, *, lemma: str = "", sense: Sense = Sense.FIGURATIVE) -> Use:
    """A sentence with its expression in brackets; `lemma` of the expression's first word, of others the word itself."""
    tokens: list[str] = []
    marked: list[int] = []
    inside = False
    for word in text.split(" "):
        inside = inside or "[" in word
        if inside:
            marked.append(len(tokens))
        tokens.append(word.replace("[", "").replace("]", ""))
        inside = inside and "]" not in word
    lemmas = [lemma if lemma and index == marked[0] else token.lower() for index, token in enumerate(tokens)]
    return Use(sense, tuple(tokens), tuple(marked), (), tuple(lemmas))


def _put(text: str, definition: str, *, lemma: str = "", language: str = "en") -> str:
    return str(put_in_place(_use(text, lemma=lemma), definition, SmallParser(language), language=language))


class TestRules:
    def test_the_label_follows_from_sense_and_definition(self) -> None:
        uses = [_use("We were [over the moon] ."), _use("It stood [over the moon] .", sense=Sense.LITERAL)]
        definitions = Definitions("very happy", "far away", "very sad")
        made = silver_pairs(uses, definitions, ENGLISH, language="en")
        assert [(pair.use, pair.rule, pair.rule.entailed, pair.hypothesis) for pair in made.pairs] == [
            (0, Rule.FIGURATIVE_DEFINITION, True, "We were very happy ."),
            (0, Rule.FIGURATIVE_ADVERSARIAL, False, "We were far away ."),
            (0, Rule.FIGURATIVE_ANTONYM, False, "We were very sad ."),
            (1, Rule.LITERAL_DEFINITION, False, "It stood very happy ."),
        ]
        assert not made.refused

    def test_what_is_not_there_makes_no_pair_and_is_no_refusal(self) -> None:
        made = silver_pairs([_use("We were [over the moon] .")], Definitions("glad", " "), ENGLISH, language="en")
        assert (len(made.pairs), made.refused) == (1, {})

    def test_duplicates_and_unchanged_sentences_are_counted_apart(self) -> None:
        uses = [_use("We were [over the moon] .")] * 2 + [_use("We were [Glad] .")]
        made = silver_pairs(uses, Definitions("glad"), ENGLISH, language="en")
        assert [pair.use for pair in made.pairs] == [0]
        assert made.refused == {Refusal.DUPLICATE: 1, Refusal.UNCHANGED: 1}


class TestPutInPlace:
    def test_punctuation_and_capitals_stay(self) -> None:
        assert _put("“[Over the moon],” he said.", "very happy") == "“Very happy,” he said."

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("“ [Over the moon] , ” he said .", "“ Very happy , ” he said ."),
            ("( [Over the moon] . )", "( Very happy . )"),
            ('He laughed ." [Over the moon] , yes .', 'He laughed ." Very happy , yes .'),
            ("He was [Over the moon] .", "He was very happy ."),
        ],
    )
    def test_a_sentence_that_begins_with_it_begins_with_a_capital(self, text: str, expected: str) -> None:
        assert _put(text, "very happy") == expected

    @pytest.mark.parametrize(
        "after",
        [
            "last winter .", "next Tuesday", "yesterday .", "one night", "every year", "this morning .", "tomorrow",
            "four times .", "late last year", "early one morning", "two years ago", "several days later", "overnight",
            "😀 in that novel .", "❤️", "👍🏽", "— he said", "… and", "& nothing else", "though he was young",
            "and nobody cared", "but why ?", "under a tree", "whenever he could", "unlike her", "too .",
            "came as no surprise",
        ],
    )  # fmt: skip
    def test_what_says_when_or_begins_anew_does_not_go_on_with_the_phrase(self, after: str) -> None:
        made = _put(f"The old farmer [kicked the bucket] {after}", "to die", lemma="kick")
        assert made == f"The old farmer died {after}"

    @pytest.mark.parametrize("after", ["list .", "brigade again"])
    def test_a_noun_that_goes_on_with_it_does(self, after: str) -> None:
        assert _put(f"The old farmer [kicked the bucket] {after}", "to die", lemma="kick") == "inside-phrase"

    @pytest.mark.parametrize("after", ["anoche .", "ayer", "dos veces", "tres días después", "😀", "pronto", "cuando"])
    def test_nor_does_it_in_spanish(self, after: str) -> None:
        assert not SPANISH.ends_inside(f"El abuelo estiró la pata {after}".split(), 5)

    def test_white_space_stays_as_it_was(self) -> None:
        use = Use(Sense.FIGURATIVE, ("We", "were", "happy", "."), (2,), ("", "  ", " ", "", "\n"))
        assert put_in_place(use, "glad", ENGLISH, language="en") == "We  were glad.\n"

    @pytest.mark.parametrize(
        ("text", "lemma", "definition", "expected"),
        [
            ("Dad was left [holding the baby.]", "hold", "to be responsible", "Dad was left responsible."),
            ("He [lost his head] again .", "lose", "to panic", "He panicked again ."),
            ("He [lost his head] again .", "lose", "panic", "He panicked again ."),
            ("They had [lost their heads] .", "lose", "to go mad", "They had gone mad ."),
            ("They [lost their heads] .", "lose", "to go mad", "They went mad ."),
            ("She [holds the baby] .", "hold", "to carry the blame", "She carries the blame ."),
            ("We will [hold the baby] .", "hold", "to stop", "We will stop ."),
            ("They [hit the road] .", "hit", "to stop", "verb-form"),
            ("They could [hit the road] .", "hit", "to stop", "They could stop ."),
            ("His words [carry weight] .", "carry", "to be important", "His words are important ."),
            ("The words that he says [carry weight] .", "carry", "to be important", "verb-form"),
            ("Her talk and her calm [carry weight] .", "carry", "to be important", "verb-form"),
            ("They always [carry weight] .", "carry", "to be important", "They always are important ."),
            ("I [carry weight] here .", "carry", "to be important", "I am important here ."),
            ("I may not [carry weight] .", "carry", "to be important", "I may not be important ."),
            ("It's gonna [carry weight] .", "carry", "to be important", "It's gonna be important ."),
            ("[Carry your weight] !", "carry", "to be useful", "Be useful !"),
            ("Her words [carry weight] .", "carry", "to matter", "Her words matter ."),
            ("He [lost the thread] .", "lose", "to misunderstand it", "He misunderstood it ."),
            ("She was [losing her head] .", "lose", "to overrun the plan", "She was overrunning the plan ."),
            ("They [lost touch] .", "lose", "to relay nothing", "They relayed nothing ."),
            ("It was [going downhill] .", "go", "to gradually become worse", "It was gradually becoming worse ."),
            ("She [lost the thread] .", "lose", "to rely on nobody", "She relied on nobody ."),
        ],
    )
    def test_an_english_verb_takes_the_form_of_the_one_it_stands_for(
        self, text: str, lemma: str, definition: str, expected: str
    ) -> None:
        assert _put(text, definition, lemma=lemma) == expected

    @pytest.mark.parametrize(
        ("before", "verb"),
        [
            ("He", "was"),
            ("They", "were"),
            ("“I", "was"),
            ("My uncle and I", "none"),
            ("John and Mary", "none"),
            ("It was late, and he", "was"),
            ("She still", "was"),
            ("You", "were"),
            ("Everybody suddenly", "was"),
            ("Sally", "was"),
            ("The old farmer", "was"),
            ("Last year the old farmers", "none"),
            ("Last year, the old farmers", "were"),
            ("When the children", "were"),
            ("People", "were"),
            ("Old John Brown", "was"),
            ("My uncle, who", "none"),
            ("The women who", "none"),
            ("These three bosses", "were"),
            ("Every boss", "was"),
            ("The boss", "was"),
            ("A dozen farmers", "none"),
            ("The friends of the king", "none"),
            ("The man in charge", "none"),
            ("The king or the queen", "none"),
            ("Those who met you", "none"),
            ("She loved the king and the queen", "none"),
            ("Bread, butter and the king", "none"),
            ("The team", "none"),
            ("The rich", "none"),
            ("Suddenly", "none"),
            ("He laughed and", "none"),
            ("The man called", "none"),
            ("Germans", "none"),
            ("The farmer,", "none"),
        ],
    )
    def test_the_past_of_be_is_that_of_a_plain_subject(self, before: str, verb: str) -> None:
        expected = "verb-form" if verb == "none" else f"{before} {verb} dead !"
        assert _put(f"{before} [kicked the bucket] !", "to be dead", lemma="kick") == expected

    @pytest.mark.parametrize(
        ("before", "verb"),
        [
            ("He", "revealed"),
            ("Marta finally", "revealed"),
            ("My uncle, who", "none"),
            ("It was late, and she", "revealed"),
            ("The old farmer", "revealed"),
            ("She laughed when he", "revealed"),
            ("I", "none"),
            ("They", "none"),
            ("My uncle and I", "none"),
            ("The farmers", "none"),
            ("Did he", "reveal"),
            ("Why didn't she", "reveal"),
            ("She saw him", "none"),
            ("She helped the boy", "none"),
            ("He said", "none"),
            ("She will", "reveal"),
        ],
    )
    def test_a_verb_without_s_after_he_she_or_it_is_in_the_past(self, before: str, verb: str) -> None:
        expected = "verb-form" if verb == "none" else f"{before} {verb} a secret ."
        assert _put(f"{before} [let the cat out] .", "to reveal a secret", lemma="let") == expected

    def test_a_past_like_the_base_is_not_taken_for_another_form(self) -> None:
        assert _put("He [hit the sack] .", "to go to bed", lemma="hit") == "He went to bed ."
        assert _put("He [hits the sack] .", "to go to bed", lemma="hit") == "He goes to bed ."

    def test_a_sentence_in_capitals_stays_so(self) -> None:
        assert _put("HE [KICKED THE BUCKET.]", "to hit a pail", lemma="kick") == "HE HIT A PAIL."
        assert _put("He [KICKED the bucket.]", "to hit a pail", lemma="kick") == "He hit a pail."

    @pytest.mark.parametrize(
        ("text", "lemma", "definition", "expected"),
        [
            ("El ministro [tiró la toalla] .", "tirar", "abandonar", "El ministro abandonó ."),
            ("Los niños [tiraban la toalla] .", "tirar", "perder", "Los niños perdían ."),
            ("Ayer [metimos la pata] .", "meter", "equivocarse", "Ayer nos equivocamos ."),
            ("Ayer [metió la pata] .", "meter", "hacer mal las cosas", "Ayer hizo mal las cosas ."),
            ("Siempre [mete la pata] .", "meter", "empezar mal", "Siempre empieza mal ."),
            ("Va a [meter la pata] .", "meter", "equivocarse", "Va a equivocarse ."),
            ("Estaba [metiendo la pata] .", "meter", "equivocarse", "verb-form"),
            ("Ayer [tiró la toalla] .", "tirar", "abolir", "Ayer abolió ."),
            ("Quiere que [toques fondo] .", "tocar", "llegar abajo", "Quiere que llegues abajo ."),
        ],
    )
    def test_a_spanish_verb_does_too(self, text: str, lemma: str, definition: str, expected: str) -> None:
        assert _put(text, definition, lemma=lemma, language="es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "why"),
        [
            ("He [threw] it [in .]", "gave up", Refusal.SPLIT),
            ("It was [the baby's] day .", "the task", Refusal.INSIDE_PHRASE),
            ("It looked [a piece of cake] .", "to be easy", Refusal.PART_OF_SPEECH),
            ("It was [a piece of cake] .", "to be easy", None),
            ("It was [a piece of cake] .", "to be without effort", Refusal.PART_OF_SPEECH),
            ("It was [a piece of cake] .", "something easy", None),
            ("It was a [piece of cake] .", "something easy", Refusal.PART_OF_SPEECH),
            ("She is [a night owl] .", "someone who stays up", None),
            ("They want [a slice of the cake] .", "more money", None),
            ("They gave us [a hard time] .", "very difficult", Refusal.PART_OF_SPEECH),
            ("They found it [a piece of cake] .", "very easy", None),
            ("He knows [a thing or two] .", "very much", None),
            ("She became [a household name] .", "very famous", None),
            ("It was [a piece of cake] .", "without effort", Refusal.PART_OF_SPEECH),
            ("It turned into [a piece of cake] .", "easy", Refusal.PART_OF_SPEECH),
            ("It turned into [a piece of cake] .", "an easy task", None),
            ("It was not such [a piece of cake] .", "easy", Refusal.PART_OF_SPEECH),
            ("It was seen as [a piece of cake] .", "easy", None),
            ("It was [a piece of cake] .", "easy", None),
            ("It was [a piece of cake] for us .", "an easy task", None),
            ("He got [the cold shoulder] .", "same treatment", Refusal.PART_OF_SPEECH),
            ("He got [the cold shoulder] .", "the same treatment", None),
            ("I smell [a rat] .", "suspicious", Refusal.PART_OF_SPEECH),
            ("It makes baking a loaf [a piece of cake] .", "easy", None),
            ("She had [a ball] .", "excited", Refusal.PART_OF_SPEECH),
            ("She had [a ball] .", "speed", None),
            ("It is a [piece of cake] .", "easy", Refusal.PART_OF_SPEECH),
            ("It is a [piece of cake] for her .", "very easy", Refusal.PART_OF_SPEECH),
            ("It is a [dead-end] opening .", "hopeless", None),
            ("He is a [big fish] .", "fool", None),
            ("She was [on cloud nine] .", "full of happiness", None),
            ("She was in [deep water] .", "disappointment", None),
        ],
    )
    def test_what_would_not_be_well_formed_is_refused(self, text: str, definition: str, why: Refusal | None) -> None:
        found = put_in_place(_use(text), definition, ENGLISH, language="en")
        assert found is why if why else not isinstance(found, Refusal)

    @pytest.mark.parametrize(
        ("text", "definition", "why"),
        [
            ("Es un [hueso duro de roer] .", "difícil", Refusal.PART_OF_SPEECH),
            ("Es un [hueso duro] para Ana .", "muy difícil", Refusal.PART_OF_SPEECH),
            ("Es [un hueso duro de roer] .", "difícil", None),
            ("Es un [hueso duro de roer] .", "problema difícil", None),
            ("Es un [cero a la izquierda] .", "inútil", None),
        ],
    )
    def test_no_article_is_left_without_a_noun_in_spanish(
        self, text: str, definition: str, why: Refusal | None
    ) -> None:
        found = put_in_place(_use(text), definition, SPANISH, language="es")
        assert found is why if why else not isinstance(found, Refusal)

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("An [Achilles heel] was there .", "weak point", "A weak point was there ."),
            ("“A [weak spot] was there .", "opening", "“An opening was there ."),
            ("It is such a [bore] .", "honest man", "It is such an honest man ."),
            ("It is an [easy ride] .", "useful, unique thing", "It is a useful, unique thing ."),
            ("It is a [bore] .", "uninteresting thing", "It is an uninteresting thing ."),
            ("It is an [easy ride] .", "one-sided race", "It is a one-sided race ."),
            ("It is a [bore] .", "onerous task", "It is an onerous task ."),
            ("IT IS A [BORE] .", "easy task", "IT IS AN EASY TASK ."),
            ("He got an [A, as good] as new .", "better mark", "He got a better mark as new ."),
            ("He got an [A .]", "FBI file", "part-of-speech"),
            ("It is a [bore] .", "8-hour task", "part-of-speech"),
            ("It is a [bore] .", "an easy task", "part-of-speech"),
            ("It is my [cup of tea] .", "something nice", "part-of-speech"),
            ("He is a [small fish] .", "nobody", "He is a nobody ."),
        ],
    )
    def test_an_english_article_fits_what_follows(self, text: str, definition: str, expected: str) -> None:
        assert _put(text, definition) == expected

    @pytest.mark.parametrize(
        ("before", "definition", "fits"),
        [
            ("un", "situación difícil", False),
            ("un", "problema difícil", True),
            ("un", "gran problema", True),
            ("una", "gran problema", False),
            ("una", "detalle", False),
            ("una", "detalles", False),
            ("los", "situaciones difíciles", False),
            ("las", "situaciones difíciles", True),
            ("los", "error", False),
            ("el", "agua clara", True),
            ("del", "situación", False),
            ("del", "día de la verdad", True),
            ("su", "fuente de alegría", True),
            ("sus", "alegría", False),
            ("la", "mejor solución", True),
            ("la", "muy buena idea", True),
            ("una", "poco frecuente cosa", True),
            ("de", "situación", True),
        ],
    )
    def test_a_spanish_article_agrees_with_what_follows(self, before: str, definition: str, *, fits: bool) -> None:
        expected = f"Es {before} {definition} para él ." if fits else "agreement"
        assert _put(f"Es {before} [hueso duro] para él .", definition, language="es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Es una [gota en el mar] .", "detalle", "agreement"),
            ("Un [callejón sin salida] .", "situación difícil", "agreement"),
            ("Habla del [fin del mundo] .", "situación difícil", "agreement"),
            # What follows agrees with it, or what stands before.
            ("Un [callejón sin salida] es largo .", "situación difícil", "agreement"),
            ("Es toda una [gota en el mar] .", "detalle", "agreement"),
            ("Es una buena [gota en el mar] .", "detalle", "agreement"),
            ("Habla de la [gota en el mar] .", "detalle", "agreement"),
            ("Son unas [gotas en el mar] .", "detalle", "agreement"),
            ("Es este [pez gordo] .", "una situación difícil", "part-of-speech"),
        ],
    )
    def test_a_spanish_article_at_the_end_takes_the_gender_of_what_follows(
        self, text: str, definition: str, expected: str
    ) -> None:
        assert _put(text, definition, language="es") == expected

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("Llegó a [las tantas] .", "el amanecer", "Llegó al amanecer ."),
            ("De [buena tinta] lo sé .", "el jefe", "Del jefe lo sé ."),
            ("DE [BUENA TINTA] LO SÉ .", "el jefe", "DEL JEFE LO SÉ ."),
            ("Lo sé de [buena tinta] .", "El País", "Lo sé de El País ."),
            ("Lo sé de [«buena tinta»] .", "el jefe", "Lo sé de «el jefe» ."),
            ("Lo sé de [buena tinta] .", "la jefa", "Lo sé de la jefa ."),
            ("Llegó al [fin del mundo] .", "el pueblo", "Llegó al pueblo ."),
            ("Llegó al [fin del mundo] .", "la cima", "Llegó a la cima ."),
            ("Viene del [fin del mundo] .", "un pueblo", "Viene de un pueblo ."),
            ("Es padre y [buen ejemplo] .", "hijo", "Es padre e hijo ."),
        ],
    )
    def test_spanish_words_that_become_one_do(self, text: str, definition: str, expected: str) -> None:
        assert _put(text, definition, language="es") == expected

    def test_of_a_language_without_rules_verbs_cannot_be_told(self) -> None:
        assert grammar_of("eu") is None
        use = _use("Gizona [galdu da] .")
        assert put_in_place(use, "erori da", SmallParser("eu"), language="eu") == "Gizona erori da ."


class TestClasses:
    @pytest.mark.parametrize(
        ("name", "way", "entailed"),
        [
            ("manual_e.tsv", "manual", True),
            ("idioms/manual_antonyms_ne.tsv", "manual_antonyms", False),
            ("fig_context_semeval_e.tsv", "fig_context", True),
            ("all.zip/lit_context_pie_ne.tsv", "lit_context", False),
            ("adversarial_definition_ne_magpie.tsv", "adversarial_definition", False),
            ("other-source_ne.txt", "other_source", False),
        ],
    )
    def test_a_file_name_says_what_its_pairs_are(self, name: str, way: str, entailed: bool) -> None:
        assert class_of(name) == PairClass(way, entailed)

    @pytest.mark.parametrize("name", ["manual.tsv", "e.tsv", "manual_e_ne.tsv", "", "corpus.en.tsv", "Mänual_e.tsv"])
    def test_other_names_say_nothing(self, name: str) -> None:
        assert class_of(name) is None

    @pytest.mark.parametrize(
        "name", ["manual_e.tsv", "manual_antonyms_ne.tsv", "fig_context_x_e.tsv", "adversarial_definition_ne_x.tsv"]
    )
    def test_names_are_written_as_they_were_published(self, name: str) -> None:
        found = class_of(name)
        assert found is not None
        assert found.file_name("x" if "_x" in name else "") == name


class TestPlaces:
    """Where a noun or a place has to stand."""

    @pytest.mark.parametrize(
        ("text", "definition", "expected"),
        [
            ("The kite flew [over the moon] .", "extremely happy", "part-of-speech"),
            ("The kite flew [over the moon] .", "unexpectedly", "The kite flew unexpectedly ."),
            ("She returned [over the moon] .", "extremely happy", "She returned extremely happy ."),
            ("She was [over the moon] .", "extremely happy", "She was extremely happy ."),
            ("She mixed a grey [out of the blue] and some black .", "from her paint", None),
            ("She mixed a grey [out of the blue] and the guests were amazed .", "unexpectedly", None),
        ],
    )
    def test_what_cannot_stand_there_is_refused(self, text: str, definition: str, expected: str | None) -> None:
        instead = f"{text[: text.index('[')]}{definition}{text[text.index(']') + 1 :]}"
        assert put(text, definition, "en") == (expected or instead)
