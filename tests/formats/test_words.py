import pytest

from annotator.formats.text.words import sentences, words


def split(text, language):
    return [text[begin:end] for begin, end in words(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("es", "El Sr. López llegó a las 5 p.m. ¿Qué dijo?", "El Sr. López llegó a las 5 p.m. ¿ Qué dijo ?"),
        ("es", "Véase www.rae.es/x, a 3,5 % (p. 3).", "Véase www.rae.es/x , a 3,5 % ( p. 3 ) ."),
        ("es", "—No sé… —dijo, «mes».", "— No sé … — dijo , « mes » ."),
        ("es", "Dijo “mes.” y se fue (p. ej.) hoy.", "Dijo “ mes . ” y se fue ( p. ej. ) hoy ."),
        ("ca", "L'home se n'anà. Vull dir-t'ho, d’acord?", "L' home se n' anà . Vull dir -t'ho , d’ acord ?"),
        ("ca", "La intel·ligència col·lectiva", "La intel·ligència col·lectiva"),
        ("fr", "Aujourd'hui, dit-il, qu'est-ce que c'est ?", "Aujourd'hui , dit -il , qu' est -ce que c' est ?"),
        ("it", "C'è un po' d'acqua.", "C' è un po' d' acqua ."),
        ("en", "I don't know Mr. Smith's dogs' names.", "I do n't know Mr. Smith 's dogs' names ."),
        ("de", "Das ist z. B. Dr. Müller.", "Das ist z. B. Dr. Müller ."),
        ("eu", "Etxera joan zen. Zergatik?", "Etxera joan zen . Zergatik ?"),
        ("ar", "ذهب الولد إلى المدرسة، ثم عاد؟", "ذهب الولد إلى المدرسة ، ثم عاد ؟"),
        ("zh", "我不知道。", "我 不 知 道 。"),
        ("ja", "コーヒーを2杯飲んだ。", "コーヒー を 2 杯 飲 ん だ 。"),
        ("th", "กำลังดี", "กำ ลั ง ดี"),
        ("es", "e\u0301l 😀!", "e\u0301l 😀 !"),
        ("es", "", ""),
    ],
)
def test_words_are_split_off_their_punctuation(language, text, expected):
    assert split(text, language) == expected.split()


def test_abbreviations_end_no_sentence():
    text = "  El Sr. Ruiz vino.  ¿Sí? "
    assert [text[begin:end] for begin, end in sentences(text, "es-MX")] == ["El Sr. Ruiz vino.", "¿Sí?"]


def test_languages_without_spaces_have_sentences_too():
    assert sentences("我不知道。你好吗？", "zh") == [(0, 5), (5, 9)]
