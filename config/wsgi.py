"""The web application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from config.boot import refuse_unsafe  # noqa: E402 - what it looks at is there only now

refuse_unsafe()
