"""The app's name for Django."""

from django.apps import AppConfig


class TenantsConfig(AppConfig):
    """The app tenants."""

    name = "tenants"
