"""The Celery application. Its messages are hints: what must not be lost stands in PostgreSQL."""

import os
from typing import Any

from celery import Celery, Task
from celery.signals import task_postrun, worker_init
from django.conf import settings
from django.db import connections

from config.tracing import TracedTask
from memories.cpu_priority import lower_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("candor", task_cls=TracedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def refuse_unsafe_database(**_: Any) -> None:
    """End a worker that would work on an unsafe database; an ordinary error would be logged and forgotten."""
    from config.boot import refuse_unsafe  # its models are there only now

    refuse_unsafe()


@worker_init.connect
def stand_back(**_: Any) -> None:
    """Give way to the web's processes, and to what is short; see decision 0036."""
    lower_process(settings.WORKER_NICE)


@task_postrun.connect
def hand_back_connections(sender: "Task[Any, Any]", **_: Any) -> None:
    """Give a task's connections back to the pool, which looks at each before the next task has it."""
    if sender.request.is_eager:  # its caller is not done with them
        return
    for connection in connections.all(initialized_only=True):
        connection.close()
