"""The app's name for Django."""

from django.apps import AppConfig


class RecallConfig(AppConfig):
    """The app recall."""

    name = "recall"
