from django.apps import AppConfig


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = "Translatio"

    def ready(self) -> None:
        from annotator.core.kind import load
        from annotator.reports.queries.core_tables import register_core_tables

        register_core_tables()
        load()
