"""PostgreSQL no longer looks for the project of each place in the index of lemmas."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


class AlterFieldOnPostgreSQL(migrations.AlterField):
    """Elsewhere, only what Django knows of it: SQLite would write the whole table again, and its check costs little."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        self.database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    dependencies = [("annotator", "0010_publishable")]

    operations = [
        AlterFieldOnPostgreSQL(
            model_name="lemmaplace",
            name="project",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="annotator.project",
            ),
        )
    ]
