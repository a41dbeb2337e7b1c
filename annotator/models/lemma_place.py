from django.db import models

from annotator.models.project import Project
from annotator.models.unit import Unit


class LemmaPlace(models.Model):
    """Where a content word's lemma and form stand, and whether the labels that stand there cover it.

    `labelled` is null while nothing is decided on the unit (`work/gold/queries/effective_content.py` says what stands).
    """

    id = models.BigAutoField(primary_key=True)
    # Not looked at by PostgreSQL for each of some hundred thousand rows: it knows that the unit has a project.
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    language = models.CharField(max_length=20)
    lemma = models.CharField(max_length=200)
    form = models.CharField(max_length=200)
    # Nor this: a third of the time of an import. Deleting a unit deletes its places, as Django does.
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="lemma_places", db_constraint=False)
    index = models.PositiveIntegerField()
    labelled = models.BooleanField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "language", "lemma", "labelled"], name="lemma_place_lemma"),
            # Words are looked for by how they begin, too; PostgreSQL needs another order for it than its locale's.
            models.Index(
                fields=["project", "language", "form"],
                name="lemma_place_form",
                opclasses=["int8_ops", "varchar_ops", "varchar_pattern_ops"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lemma} in {self.unit}"
