"""The app's name for Django."""

from django.apps import AppConfig


class EvolutionConfig(AppConfig):
    """The app evolution."""

    name = "evolution"
