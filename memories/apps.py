"""The app's name for Django."""

from pathlib import Path

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    """The app memories."""

    name = "memories"

    def ready(self) -> None:
        """Register the checks, and read the similarity tables that the settings name. Raises BadTable."""
        from django.conf import settings

        from memories import checks  # noqa: F401
        from memories.calibration import use_folder

        if settings.CALIBRATIONS:
            use_folder(Path(settings.CALIBRATIONS))
