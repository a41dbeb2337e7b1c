"""Words are found however their characters are made up: the index has one spelling, the texts stay as they are."""

from __future__ import annotations

import io
import unicodedata

import pytest

from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.core.starts import STARTS
from annotator.domain.effective_content import Answer
from annotator.domain.text.lookup import indexed, lookup_key
from annotator.domain.text.tokens import word_of
from annotator.kinds.write_pair.similar import similar_pairs
from annotator.models import LemmaPlace, Mode, Project, Stage, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from annotator.search.queries.similar import similar
from annotator.work.lexicon.actions.lemmas import lemmas_known, mark_places
from annotator.work.lexicon.queries.lemmas import lemma_memory
from tests.drafts import load
from tests.factories import make_member, make_project, make_sentence, make_user, span, spans
from tests.found import find

pytestmark = pytest.mark.django_db

# Yoruba, Kannada, Devanagari and Vietnamese, a word of each; composed as keyboards give it.
WORDS = ("ọ̀gẹ̀dẹ̀", "ಕೊಳಲು", "क़लम", "đường")


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@pytest.mark.parametrize("word", WORDS)
def test_a_sentence_is_found_by_its_words_however_they_are_typed(word: str, project: Project) -> None:
    sentence = make_sentence(project, f"Mira {apart(word)} .")
    other = make_sentence(project, f"Ana dice {composed(word)} .")
    for typed in (composed(word), apart(word)):
        assert find(project, typed, reader=make_user()).units == [sentence, other]
    assert [one.unit for one in similar(project, [sentence], make_user())] == [other]
    sentence.refresh_from_db()
    assert sentence.tokens[1] == apart(word), "the text stays as it is"


def test_a_lemma_is_the_same_however_it_is_spelt(project: Project) -> None:
    sentence = make_sentence(project, f"El {apart('camión')} pasa .")
    mark_places(sentence, project.label_layer, [Answer(Mode.REVIEW, spans(span(1)), 1)])
    user = make_member(project)
    for typed in (composed("camión"), apart("camión")):
        found = lemma_memory(project, user=user, language="es", lemma=typed)
        assert (found.lemma, found.labelled) == (composed("camión"), 1)
    known = lemmas_known([apart("camión")], project=project.pk, language="es")
    assert set(known) <= {word_of(apart("camión"))}


@pytest.mark.usefixtures("uploads")
def test_imported_pairs_are_found_and_are_like_what_is_written_in_the_same_words() -> None:
    project = create_project(slug="pairs", preset=STARTS["mabl"].preset(["yo"]), by=None)
    first, second = apart("Ojú rẹ̀ jẹ́ oòrùn."), apart("Ojú rẹ̀ jẹ́ òkúta.")
    content = f"startphrase,ending1,ending2,labels\n{first},A,B,0\n{second},A,B,1\n"
    load(project, {"yo.csv": content}, dataset="own")
    pair = Unit.objects.get(project=project)
    for typed in (composed("oòrùn"), apart("oòrùn"), composed("Ojú")):
        assert find(project, typed, reader=make_user()).units == [pair]
    stage = Stage.objects.get(project=project, kind="write-pair")
    user = make_member(project)
    for text in (composed(first), first):
        assert similar_pairs(stage=stage, texts=[text], user=user).others == [[first, second, "A", "B"]]
    assert release_files(project, partial=True).files["mabl/own/yo.csv"] == content.encode()


def test_vowel_points_and_marks_that_nobody_sees_do_not_count() -> None:
    assert lookup_key("\u200fقَلْبُها") == lookup_key("قلبها") == "قلبها"
    assert lookup_key("שָׁלוֹם") == lookup_key("שלום") == "שלום"
    assert lookup_key("آباد") != lookup_key("اباد"), "madda makes another letter"
    assert indexed("\u200f") == "\u200f"


class TestPlacesOfBefore:
    @pytest.fixture
    def project(self) -> Project:
        project = make_project("letters")
        sentence = make_sentence(project, f"El {apart('camión')} pasa .")
        make_sentence(project, "Ana lee .")
        LemmaPlace.objects.filter(unit=sentence, index=1).update(lemma=apart("camión"), form=apart("camión"))
        return project

    def right(self, project: Project) -> None:
        forms = LemmaPlace.objects.filter(project=project, index=1).values_list("lemma", "form")
        assert (composed("camión"), composed("camión")) in set(forms)
        assert len(find(project, composed("camión"), reader=make_user()).units) == 1

    @pytest.mark.django_db(transaction=True)
    def test_are_spelt_anew_when_an_archive_is_restored(self, project: Project) -> None:
        file = io.BytesIO()
        write_archive(project=project, file=file)
        self.right(restore_archive(file=file, slug="again", by=None))
