import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.spans import Span
from annotator.domain.text.tokens import offsets
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Options
from annotator.formats.common.records import CharSpan, Labels, Record, Says, Text
from annotator.formats.text.characters import LabelError, code_points, plain, to_tokens, tokenised

WORDS = Options(tokens="words")


def labelled(string, *spans, **more):
    return Text(string, labels=(Labels(Says.GOLD, "", spans),), **more)


def split(text, options=Options(), language="es"):  # noqa: B008 - frozen
    done = to_tokens(text, language=language, options=options)
    return done.text.tokens, [span for source in done.text.labels for span in source.spans], tuple(map(str, done.notes))


def test_a_label_on_characters_is_one_on_tokens():
    text = labelled("El  tiempo\tvuela alto.", CharSpan(((4, 10),), "M"), CharSpan(((4, 10), (17, 22)), "N"))
    assert split(text) == (
        ("El", "tiempo", "vuela", "alto."),
        [Span((1,), "M"), Span((1, 3), "N")],
        (),
    )


def test_a_label_that_cuts_a_token_is_an_error_or_widened():
    text = labelled("El tiempo vuela.", CharSpan(((3, 15),), "M"))
    with pytest.raises(LabelError) as caught:
        split(text)
    assert str(caught.value.got) == "M on “tiempo vuela” (characters 3–15), which cuts the token “vuela.”"
    assert split(text, Options(widen=True))[1:] == (
        [Span((1, 2), "M")],
        ("M on “tiempo vuela” was widened to the token “vuela.”",),
    )
    assert split(text, WORDS) == (("El", "tiempo", "vuela", "."), [Span((1, 2), "M")], ())
    with pytest.raises(LabelError):
        split(labelled("El tiempo vuela.", CharSpan(((5, 9),), "M")))


def test_a_no_break_space_is_inside_a_token():
    assert split(Text("Son 10\u00a0000 euros"))[0] == ("Son", "10\u00a0000", "euros")


def test_white_space_at_a_labels_ends_is_trimmed():
    text = labelled("El tiempo vuela", CharSpan(((2, 10),), "M"))
    assert split(text)[1:] == ([Span((1,), "M")], ("white space was trimmed from M on “ tiempo ”",))


@pytest.mark.parametrize("fragment", [(2, 3), (3, 3), (5, 4), (-1, 2), (0, 99)])
def test_labels_on_nothing_are_errors(fragment):
    with pytest.raises(LabelError):
        split(labelled("El tiempo", CharSpan((fragment,), "M")))


def test_a_label_does_not_swallow_the_punctuation_of_a_token_that_comes_apart():
    text = Text(
        tokens=("El", "“mes.”", "...", "l'home"),
        labels=(Labels(Says.GOLD, "", (Span((1,), "M"), Span((2,), "N"), Span((3,), "M"))),),
    )
    tokens, spans, notes = split(text, WORDS, "ca")
    assert tokens == ("El", "“", "mes", ".", "”", "...", "l'", "home")
    assert spans == [Span((2,), "M"), Span((5,), "N"), Span((6, 7), "M")]
    assert notes == ("M on ““ mes . ”” lost its punctuation",)


def test_given_tokens_stay_and_new_ones_cost_the_lemmas():
    text = Text(tokens=("mes.",), lemmas=("mes",), parts_of_speech=("NOUN",))
    assert to_tokens(text, language="es", options=Options()).text == text
    done = to_tokens(text, language="es", options=WORDS)
    assert (done.text.tokens, done.text.lemmas) == (("mes", "."), ())
    assert len(done.notes) == 1


def test_languages_without_spaces_are_split_at_them_on_request_only():
    for language in ("zh", "zh-Hant"):
        assert split(Text("我 不知道"), language=language)[0] == ("我", "不", "知", "道")
    assert split(Text("我 不知道"), Options(tokens="spaces"), "zh-Hant")[0] == ("我", "不知道")
    assert split(Text(tokens=("不知道",)), language="zh")[0] == ("不知道",)


def test_utf_16_units_are_translated():
    assert code_points("añ😀b", [0, 2, 4, 5]) == [0, 2, 3, 4]
    assert code_points("", [0]) == [0]
    assert code_points("añb", [3, 1]) == [3, 1]
    for text, unit in (("a😀b", 2), ("a😀b", 9), ("ab", 3)):
        with pytest.raises(ValueError, match="character"):
            code_points(text, [unit])


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=20))
def test_every_place_is_translated(text):
    units = [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]
    assert code_points(text, units) == list(range(len(text) + 1))


@given(
    st.text(st.characters(exclude_categories=("Cs",)) | st.sampled_from("a.,' \n-"), max_size=30),
    st.sampled_from(["es", "ca", "fr", "en", "zh", "ja", "th", "ar", "xx"]),
    st.sampled_from(["given", "spaces", "words"]),
)
def test_tokens_and_white_space_are_the_text(text, language, mode):
    done = to_tokens(Text(text), language=language, options=Options(tokens=mode)).text
    assert plain(done) == text
    assert all(done.tokens)
    for (begin, end), token in zip(offsets(done.tokens, done.spaces), done.tokens, strict=True):
        assert text[begin:end] == token


class TestSentences:
    TEXT = "El Sr. Ruiz voló. ¿Y tú?  Yo no, p. ej., nunca."

    def records(self, *spans, id="d1", **more):
        record = Record("f", 7, {"es": labelled(self.TEXT, *spans)}, id=id, **more)
        return list(tokenised([record], Options(sentences=True, tokens="words")))

    def test_a_document_is_split_and_stays_known(self):
        found = self.records()
        assert [(one.id, one.group, one.line, plain(one.texts["es"])) for one in found] == [
            ("d1.1", "d1", 7, "El Sr. Ruiz voló."),
            ("d1.2", "d1", 7, "¿Y tú?"),
            ("d1.3", "d1", 7, "Yo no, p. ej., nunca."),
        ]
        assert [one.group for one in self.records(id="", group="carta")] == ["carta"] * 3

    def test_labels_go_to_their_sentence(self):
        found = self.records(CharSpan(((12, 16),), "M"), CharSpan(((21, 23),), "N"), CharSpan(((24, 28),), "M"))
        assert [one.texts["es"].labels[0].spans for one in found] == [
            (Span((3,), "M"),),
            (Span((2,), "N"),),
            (Span((0,), "M"),),
        ]

    def test_a_label_across_sentences_is_an_error(self):
        error, *rest = self.records(CharSpan(((12, 23),), "M"))
        assert str(error).startswith("f:7: expected labels inside a sentence, got M on ")
        assert len(rest) == 3
        chinese = Record("f", 1, {"zh": labelled("我来了。你去吧。", CharSpan(((2, 5),), "M"))})
        assert isinstance(next(tokenised([chinese], Options(sentences=True))), FormatError)

    def test_two_languages_cannot_be_split(self):
        record = Record("f", 7, {"es": Text("Uno. Dos."), "ca": Text("U. Dos.")})
        (error,) = tokenised([record], Options(sentences=True))
        assert isinstance(error, FormatError)


def test_errors_and_notes_stand_at_the_records_line():
    record = Record("f.csv", 9, {"es": labelled("El tiempo", CharSpan(((0, 3),), "M"))})
    warning, done = tokenised([record], Options())
    assert str(warning) == "f.csv:9: white space was trimmed from M on “El ”"
    assert isinstance(warning, FormatWarning)
    assert done.texts["es"].labels[0].spans == (Span((0,), "M"),)
