from django.apps import AppConfig
from django.core import checks


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = "Translatio"

    def ready(self) -> None:
        from annotator.core.checks import check_secret_key, check_specs
        from annotator.core.installed import install

        install()
        checks.register(check_specs)
        checks.register(check_secret_key, deploy=True)
