"""The app's name for Django, and the judges that the settings name."""

from django.apps import AppConfig


class SecurityConfig(AppConfig):
    """The app security."""

    name = "security"

    def ready(self) -> None:
        """Put the screening judges that the settings name in their places. Raises NoDetector."""
        from django.conf import settings

        from security.screening import use_detectors

        use_detectors(settings.DETECTORS)
