"""The apps at the top: our own commands and checks, and the admin site."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ConfigConfig(AppConfig):
    """Commands and start-up checks that know the whole house."""

    name = "config"

    def ready(self) -> None:
        """Register the checks."""
        from tenants import checks  # noqa: F401


class CandorAdminConfig(AdminConfig):
    """Django's admin, on a site that works within one tenant."""

    default_site = "config.admin.CandorAdminSite"
