"""Where two parallel files are not parallel: on text made up here, and on the published corpus where it is at hand."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.parallel_check import EXPECTED, Finding, check
from tests.domain.strategies import examples

Lines = list[list[str]]


def made_up(lines: int, *, seed: int = 1, spaces: bool = True) -> tuple[Lines, Lines]:
    """Two files in languages that share nothing: each word of the one has a word of the other, in another order."""
    dice = random.Random(seed)
    letters = (
        "abdefgiklmnoprstu",
        "山川日月火水木金土人口田力手足目耳心雨雪花草犬鳥魚虫馬車門石" if not spaces else "бвгджзиклмнопрсту",
    )
    words = [
        ["".join(dice.choices(letters[side], k=dice.randint(2, 4 + 3 * (spaces or not side)))) for _ in range(400)]
        for side in (0, 1)
    ]
    a, b = [], []
    for _ in range(lines):
        chosen = [min(int(dice.expovariate(0.02)), 399) for _ in range(dice.randint(4, 14))]
        other = sorted(chosen, key=lambda word: word % 7)[: len(chosen) - (dice.random() < 0.3)]
        a.append([words[0][word] for word in chosen])
        b.append([words[1][word] for word in other] if spaces else ["".join(words[1][word] for word in other)])
    return a, b


def kinds(findings: list[Finding]) -> list[str]:
    return [finding.kind for finding in findings]


@pytest.mark.parametrize("spaces", [True, False])
def test_intact_files_are_in_step_and_every_line_has_its_partner(spaces: bool) -> None:
    a, b = made_up(400, spaces=spaces)
    report = check(a, b)

    assert report.findings == []
    assert report.in_step
    assert report.partners.tolist() == list(range(400))
    assert report.scores.dtype == np.float32
    assert np.median(report.scores) > 0.9


@pytest.mark.parametrize("spaces", [True, False])
@pytest.mark.parametrize(
    "line", [0, 57, 199, *(pytest.param(line, marks=pytest.mark.exhaustive) for line in (1, 103, 198))]
)
def test_a_line_left_out(line: int, spaces: bool) -> None:
    a, b = made_up(200, spaces=spaces)
    report = check(a, b[:line] + b[line + 1 :])

    (finding,) = report.findings
    assert (finding.kind, finding.side, finding.count, finding.expected) == ("left_out", "b", 1, "line_missing_in_b")
    assert abs(finding.line_a - line) <= 1
    assert finding.shift == -1
    assert finding.confidence > 0.9 or line in (0, 199)
    assert not report.in_step
    (found,) = check(a[:line] + a[line + 1 :], b).findings
    assert (found.kind, found.side, found.shift, found.expected) == ("left_out", "a", 1, "line_missing_in_a")
    assert abs(found.line_b - line) <= 1


def test_a_line_doubled_is_told_from_one_that_the_other_file_lacks() -> None:
    a, b = made_up(300)
    report = check([*a[:80], a[80], *a[80:]], b)
    (finding,) = report.findings

    assert not report.in_step
    assert (finding.kind, finding.side, finding.expected, finding.shift) == ("doubled", "a", "line_twice_in_a", -1)
    assert finding.line_a in (80, 81)


def test_swapped_neighbours() -> None:
    a, b = made_up(400)
    report = check(a, [*b[:120], b[121], b[120], *b[122:]])

    (finding,) = report.findings
    assert (finding.kind, finding.line_a, finding.line_b, finding.count) == ("swapped", 120, 120, 2)
    assert report.partners[119:123].tolist() == [119, 121, 120, 122]
    assert report.in_step


def test_two_faults_that_even_out_leave_no_difference_in_length() -> None:
    a, b = made_up(600)
    first, second = check(a, b[:200] + b[201:450] + [b[450]] * 2 + b[451:]).findings

    assert (first.kind, first.side, first.shift) == ("left_out", "b", -1)
    assert (second.kind, second.side, second.shift) == ("doubled", "b", 0)
    assert abs(first.line_a - 200) <= 1
    assert abs(second.line_a - 450) <= 1


def test_forty_lines_missing_in_one_place() -> None:
    a, b = made_up(600)
    (finding,) = check(a, b[:300] + b[340:]).findings

    assert (finding.kind, finding.side, finding.count, finding.shift) == ("left_out", "b", 40, -40)
    assert abs(finding.line_a - 300) <= 1


def test_lines_that_are_no_translations_and_lines_that_face_nothing() -> None:
    a, b = made_up(600)
    others = made_up(40, seed=9)[1]
    b[100:130] = others[:30]
    b[300:305] = others[30:35]
    b[400] = []
    report = check(a, b)

    assert [finding.expected for finding in report.findings] == [
        "parallel_expected",
        "translation_expected",
        "text_expected",
    ]
    stretch, strangers, empty = report.findings
    assert abs(stretch.line_a - 100) <= 2
    assert abs(stretch.count - 30) <= 4
    assert not report.in_step
    assert abs(strangers.line_a - 300) <= 2
    assert abs(strangers.count - 5) <= 2
    assert (empty.line_a, empty.line_b, empty.count, empty.confidence) == (400, 400, 1, 1.0)


def drifting(lines: int, missing: int, *, seed: int) -> tuple[Lines, Lines, list[int]]:
    """Two files of the same length, one of which lacks single lines all over: the places in it, and the two."""
    a, b = made_up(lines)
    gone = sorted(random.Random(seed).sample(range(lines - missing), missing))
    short = [line for number, line in enumerate(a) if number not in gone]
    places = sorted({number - earlier for earlier, number in enumerate(gone)})
    return short, b[: len(short)], [place for place in places if place < len(short) - missing]


def test_files_that_drift_further_and_further_apart() -> None:
    a, b, places = drifting(900, 40, seed=1)
    report = check(a, b)

    found = [finding.line_a for finding in report.findings if finding.kind in {"left_out", "doubled"}]
    near = [place for place in places if any(abs(place - line) <= 3 for line in found)]
    assert len(near) >= 0.95 * len(places)
    assert not report.in_step


def test_files_that_drift_apart_faster_than_their_words_can_be_learnt() -> None:
    a, b, _places = drifting(900, 90, seed=90)
    report = check(a, b)

    assert not report.in_step
    assert "apart" in kinds(report.findings)


def test_a_block_that_is_missing_where_both_files_are_equally_long() -> None:
    a, b = made_up(700)
    findings = check(a[:300] + a[450:], b[:550]).findings

    assert [(finding.kind, finding.side, finding.count) for finding in findings] == [
        ("left_out", "a", 150),
        ("left_out", "b", 150),
    ]
    assert abs(findings[0].line_a - 300) <= 1


def test_files_that_do_not_go_together_from_a_line_on() -> None:
    a, b = made_up(400)
    others = b[150:]
    random.Random(5).shuffle(others)
    report = check(a, b[:150] + others)

    assert not report.in_step
    stretch = next(finding for finding in report.findings if finding.kind == "apart")
    assert abs(stretch.line_a - 150) <= 10
    assert [finding.kind for finding in check(a, made_up(400, seed=8)[1]).findings] == ["apart"]


def test_files_that_repeat_themselves() -> None:
    a, b = made_up(150)
    dice = random.Random(3)
    order = sorted(dice.choices(range(150), k=400))  # every line some two or three times in a row
    long_a, long_b = [a[line] for line in order], [b[line] for line in order]

    assert check(long_a, long_b).findings == []
    (finding,) = check(long_a, long_b[:200] + long_b[201:]).findings
    assert order[finding.line_a] == order[200]


@pytest.mark.slow
def test_parts_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = made_up(3_000)
    b = b[:700] + b[701:2_400] + [b[2_400]] * 2 + b[2_401:]
    monkeypatch.setattr("annotator.domain.parallel_check._PART", 1_000)
    monkeypatch.setattr("annotator.domain.parallel_check._KEPT_BACK", 100)
    steps: list[tuple[int, int]] = []
    report = check(a, b, progress=lambda done, everything: steps.append((done, everything)))

    assert kinds(report.findings) == ["left_out", "doubled"]
    assert [abs(found.line_a - line) <= 2 for found, line in zip(report.findings, (700, 2_400), strict=True)] == [
        True,
        True,
    ]
    assert [found.shift for found in report.findings] == [-1, 0]
    assert report.partners[2_990] == 2_990
    assert report.partners[1_500] == 1_499
    assert len(steps) > 2
    assert steps[-1] == (3_000, 3_000)
    assert all(before < after for (before, _), (after, _) in pairwise(steps))


def test_a_file_that_ends_early() -> None:
    a, b = made_up(500)
    (finding,) = check(a, b[:320]).findings

    assert (finding.kind, finding.side, finding.line_a, finding.count) == ("left_out", "b", 320, 180)


CATALAN_SPANISH = """
La memòria és una casa amb les finestres obertes. | La memoria es una casa con las ventanas abiertas.
Cada matí el carrer s'omple de veus. | Cada mañana la calle se llena de voces.
Ningú no sabia què dir. | Nadie sabía qué decir.
El preu del pa ha pujat un 12 per cent. | El precio del pan ha subido un 12 por ciento.
La Núria va tancar el llibre i va apagar el llum. | Núria cerró el libro y apagó la luz.
Quant de temps ens queda? | ¿Cuánto tiempo nos queda?
El riu baixa ple de fang després de la pluja. | El río baja lleno de barro después de la lluvia.
Tenia el cor de pedra, deien els veïns. | Tenía el corazón de piedra, decían los vecinos.
No. | No.
Vam arribar a Girona passada la mitjanit. | Llegamos a Girona pasada la medianoche.
El tren de les 8 sempre arriba tard. | El tren de las 8 siempre llega tarde.
La ira li cremava la gola. | La ira le quemaba la garganta.
El pare guardava les cartes en una capsa de llauna. | El padre guardaba las cartas en una caja de lata.
Qui ha vist el gat? | ¿Quién ha visto el gato?
Les paraules pesen més que els fets. | Las palabras pesan más que los hechos.
Va néixer a Reus el 1931. | Nació en Reus en 1931.
L'economia torna a respirar. | La economía vuelve a respirar.
Demà farem el sopar junts. | Mañana haremos la cena juntos.
Aquella tarda el cel semblava de plom. | Aquella tarde el cielo parecía de plomo.
Sí, és clar. | Sí, claro.
El govern ha posat fre a la despesa. | El gobierno ha puesto freno al gasto.
Els nens jugaven a la plaça fins que fosquejava. | Los niños jugaban en la plaza hasta que oscurecía.
Li van obrir totes les portes. | Le abrieron todas las puertas.
La mar estava tranquil·la com un mirall. | El mar estaba tranquilo como un espejo.
Per què plores? | ¿Por qué lloras?
L'alcaldessa va signar l'acord amb els sindicats. | La alcaldesa firmó el acuerdo con los sindicatos.
El silenci va caure sobre la sala. | El silencio cayó sobre la sala.
M'agrada el cafè sense sucre. | Me gusta el café sin azúcar.
La guerra va trencar la família en dos. | La guerra rompió a la familia en dos.
I aquí s'acaba la història. | Y aquí se acaba la historia.
"""


def kindred() -> tuple[Lines, Lines]:
    """Thirty lines of Catalan and Spanish."""
    pairs = [row.split(" | ") for row in CATALAN_SPANISH.strip().split("\n")]
    return [pair[0].split(" ") for pair in pairs], [pair[1].split(" ") for pair in pairs]


def test_intact_lines_of_kindred_languages() -> None:
    assert check(*kindred()).findings == []


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=[pytest.mark.exhaustive] if line % 7 else []) for line in range(30)]
)
def test_thirty_lines_of_kindred_languages(line: int) -> None:
    a, b = kindred()

    for short_a, short_b in ((a[:line] + a[line + 1 :], b), (a, b[:line] + b[line + 1 :])):
        (finding,) = check(short_a, short_b).findings
        assert (finding.kind, finding.side) == ("left_out", "a" if short_b is b else "b")
        assert abs(finding.line_a - line) <= 1


words = st.lists(
    st.sampled_from(["", "a", "12", "¿?", "日本", "שלום", "e\u0301", "\U0001f600", "\ud800", "x" * 300]), max_size=6
)


@examples(60)
@given(st.lists(words, max_size=25), st.lists(words, max_size=25))
def test_any_two_files_are_accounted_for(a: Lines, b: Lines) -> None:
    report = check(a, b)

    assert len(report.partners) == len(report.scores) == len(a)
    used = report.partners[report.partners >= 0]
    assert len(set(used.tolist())) == len(used)
    assert ((used >= 0) & (used < len(b))).all()
    assert ((report.scores >= 0) & (report.scores <= 1)).all()
    left = {"a": 0, "b": 0}
    for finding in report.findings:
        assert finding.expected in EXPECTED
        assert 0 <= finding.confidence <= 1
        if finding.kind in {"left_out", "doubled"}:
            left[finding.expected[-1] if finding.kind == "doubled" else "ab"[finding.side == "a"]] += finding.count
    assert left == {"a": len(a) - len(used), "b": len(b) - len(used)}
