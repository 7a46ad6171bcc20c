"""The app's name for Django."""

from django.apps import AppConfig


class SecurityConfig(AppConfig):
    """The app security."""

    name = "security"
