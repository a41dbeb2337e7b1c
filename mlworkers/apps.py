from django.apps import AppConfig


class MlworkersConfig(AppConfig):
    name = "mlworkers"
    verbose_name = "Model workers"
