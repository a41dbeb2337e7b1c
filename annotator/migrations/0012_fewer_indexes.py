"""An index on a foreign key goes where another index begins with the same column: every row was written to both."""

from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE, DO_NOTHING, PROTECT


class DropIndexOfForeignKey(migrations.AlterField):
    """Drops the index alone: as an altered field, SQLite would write the whole table again."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
        column = model._meta.get_field(self.name).column
        ours = [*model._meta.indexes, *model._meta.constraints]
        for name in schema_editor._constraint_names(
            model, [column], index=True, unique=False, exclude={one.name for one in ours}
        ):
            schema_editor.execute(schema_editor._delete_index_sql(model, name))

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        for statement in schema_editor._field_indexes_sql(model, model._meta.get_field(self.name)):
            schema_editor.execute(statement)


def _of(model: str, name: str, to: str, related: str, on_delete: Any = CASCADE, **more: Any) -> DropIndexOfForeignKey:
    field = models.ForeignKey(to=to, on_delete=on_delete, db_index=False, related_name=related, **more)
    return DropIndexOfForeignKey(model_name=model, name=name, field=field)


class Migration(migrations.Migration):
    dependencies = [("annotator", "0011_place_project")]

    operations = [
        _of("alignment", "job", "annotator.job", "alignments", PROTECT),
        _of("annotation", "project", "annotator.project", "annotations"),
        _of("annotation", "unit", "annotator.unit", "annotations"),
        _of("annotation", "user", settings.AUTH_USER_MODEL, "annotations", PROTECT),
        _of("assignment", "item", "annotator.item", "assignments"),
        _of("assignment", "stage", "annotator.stage", "assignments"),
        _of("assignment", "unit", "annotator.unit", "assignments"),
        _of("blindmark", "assignment", "annotator.assignment", "blind_marks"),
        _of("event", "project", "annotator.project", "events", DO_NOTHING, null=True),
        _of("gold", "project", "annotator.project", "golds"),
        _of("gold", "unit", "annotator.unit", "golds"),
        _of("item", "stage", "annotator.stage", "items"),
        _of("jobchunk", "job", "annotator.job", "chunks"),
        _of("pair", "project", "annotator.project", "pairs"),
        _of("segment", "project", "annotator.project", "slots"),
        _of("suggestion", "project", "annotator.project", "suggestions"),
        _of("unit", "project", "annotator.project", "units"),
        _of("unit", "segment", "annotator.segment", "units"),
    ]
