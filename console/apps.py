"""The app of the console: templates, static files, and translations."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """Pages for people, over the API."""

    name = "console"
