"""The Celery application. Its messages are hints: what must not be lost stands in PostgreSQL."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def refuse_unsafe_database(**_: Any) -> None:
    """End a worker that would work on an unsafe database; an ordinary error would be logged and forgotten."""
    from config.boot import refuse_unsafe  # its models are there only now

    refuse_unsafe()
