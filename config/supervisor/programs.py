"""The programs of one machine: web, workers, courier and beat, as command lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from config.settings.work import LONG_QUEUES, SHORT_QUEUES
from config.supervisor import Program

PROJECT = Path(__file__).resolve().parents[2]

EMBEDDING = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
"""For programs that embed: with two threads on two busy cores a query took up to 1.6 s instead of 18 ms."""

AS_ROOT = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
"""In a container all is root's. The danger that Celery warns of is pickle, and messages here are JSON."""

WEB_THREADS = 16
"""Requests at a time in one web process. They mostly wait: for the database, or for a capture's outcome."""


def web(*, host: str, port: int, workers: int) -> Program:
    """Describe the HTTP server; a worker of it that dies is replaced without ending the others."""
    where = [f"--host={host}", f"--port={port}", "--interface=wsgi", "--no-ws"]
    size = [f"--workers={workers}", f"--blocking-threads={WEB_THREADS}", "--respawn-failed-workers"]
    argv = ["granian", *where, *size, "--log-level=warning", "config.wsgi:application"]
    return _program("web", argv, {**EMBEDDING, "CANDOR_EMBED_LONG_APART": "1"})


def worker(*, concurrency: int) -> Program:
    """Describe the Celery worker of what is short: nobody's long texts stand before it."""
    return _worker("worker", "worker", SHORT_QUEUES, concurrency=concurrency, nice=5)


def long_worker(*, concurrency: int) -> Program:
    """Describe the Celery worker of documents, long captures and nights, which has what the others leave."""
    return _worker("long", "long-worker", LONG_QUEUES, concurrency=concurrency, nice=10)


def _worker(name: str, node: str, queues: Sequence[str], *, concurrency: int, nice: int) -> Program:
    # On one machine there is nobody to gossip with.
    options = [f"--concurrency={concurrency}", "--loglevel=WARNING", "--without-gossip", "--without-mingle"]
    options += [f"--hostname={node}@%h", f"--queues={','.join(queues)}"]
    argv = ["celery", "--quiet", "-A", "config.celery", "worker", *options]
    return _program(name, argv, {**EMBEDDING, **AS_ROOT, "CANDOR_WORKER_NICE": str(nice)})


def beat(*, schedule: Path) -> Program:
    """Describe the clock that sends periodic tasks, which notes in `schedule` what it sent last."""
    options = [f"--schedule={schedule}", "--loglevel=WARNING"]
    return _program("beat", ["celery", "--quiet", "-A", "config.celery", "beat", *options], {})


def courier() -> Program:
    """Describe what sends tenants' webhooks what happened."""
    return Program(name="courier", argv=manage("deliver_webhooks"), env=_environment({}), cwd=str(PROJECT))


def manage(*arguments: str) -> list[str]:
    """Answer the command line of a management command."""
    return [sys.executable, str(PROJECT / "manage.py"), *arguments]


def _program(name: str, module: list[str], extra: dict[str, str]) -> Program:
    # -m: the program of this Python, whatever stands first in PATH.
    argv = [sys.executable, "-m", *module]
    return Program(name=name, argv=argv, env=_environment(extra), cwd=str(PROJECT))


def _environment(extra: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1", **extra}
