"""The apps at the top: our own commands and checks, and the admin site."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ConfigConfig(AppConfig):
    """Commands and start-up checks that know the whole house."""

    name = "config"

    def ready(self) -> None:
        """Register the checks, and begin to send spans where somebody wants them."""
        from config.tracing import send_spans
        from tenants import checks  # noqa: F401

        send_spans()


class CandorAdminConfig(AdminConfig):
    """Django's admin, on a site that works within one tenant."""

    default_site = "config.admin.CandorAdminSite"
