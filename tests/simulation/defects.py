"""
Defects to plant: each takes away one guard of the service, so that a simulation has something to find.

What is taken away is a line of SQL, a lock or a function; nothing of the simulation itself. A defect that no
seed finds is one that another guard makes up for, or that nothing here looks at.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from typing import Any, Final
from unittest.mock import patch

from django.db import transaction

import evolution.erasure.memory
import evolution.feedback.record
import memories.ingestion.capture
import memories.pipeline.run
import memories.pipeline.steps
import memories.storage.lifecycle
import memories.storage.storing
import recall.http.views_recall
from memories.gates import GateRefused
from memories.models import Usage
from memories.queries import _WRITE
from recall.channels import SQL as RECALL
from tenants.scope import unit_of_work
from tests.isolation.witness import breaking

Plant = Callable[[], AbstractContextManager[Any]]

WRITE: Final = _WRITE._text


def statement(texts: dict[str, str], name: str, old: str, new: str) -> Plant:
    """Return what plants another text into a statement by name."""

    def plant() -> AbstractContextManager[Any]:
        if old not in texts[name]:
            raise ValueError(f"{name} has no «{old}»")
        return patch.dict(texts, {name: texts[name].replace(old, new)})

    return plant


def function(name: str, old: str, new: str) -> Plant:
    """Return what plants another text into a function of the database, and takes it out again."""

    @contextmanager
    def plant() -> Iterator[None]:
        with breaking() as superuser:
            found = superuser.execute("SELECT pg_get_functiondef(%s::regproc)", [name]).fetchone()
            text = str(found[0]) if found else ""
            if old not in text:
                raise ValueError(f"{name} has no «{old}»")
            superuser.execute(text.replace(old, new))
        try:
            yield
        finally:
            with breaking() as superuser:
                superuser.execute(text)

    return plant


def instead(module: Any, name: str, make: Callable[[Any], Any]) -> Plant:
    """Return what plants a function made of the one that stands there."""
    return lambda: patch.object(module, name, make(getattr(module, name)))


def _tells_no_third(real: Callable[..., Any]) -> Callable[..., Any]:
    calls = count()
    nothing = ("append_events", {"events": "[]"})
    return lambda *args: nothing if next(calls) % 3 == 2 else real(*args)


def _always_live(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, live: real(*args, live=True)


def _after_the_commit(real: Callable[..., Any]) -> Callable[..., Any]:
    def finish(*args: Any, **kwargs: Any) -> None:
        def later() -> None:
            with unit_of_work():
                real(*args, **kwargs)

        transaction.on_commit(later)

    return finish


def _cuts_words(real: Callable[..., Any]) -> Callable[..., Any]:
    def cut(*args: Any, **kwargs: Any) -> Any:
        drafts = real(*args, **kwargs)
        return [
            replace(one, content=one.content[:40], span=one.span and (one.span[0], one.span[0] + 40))
            for one in drafts
        ]

    return cut


def _turns_away(real: Callable[..., Any]) -> Callable[..., Any]:
    def turn_away(row: Any, *args: Any, **kwargs: Any) -> Any:
        if row.speaker == "Tom" and "editor" in row.text:
            raise GateRefused("quality", "nobody needs to know")
        return real(row, *args, **kwargs)

    return turn_away


def _remembers_answers(key: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a cache of answers by what this key makes of a question; it is not told who asks."""

    def make(real: Callable[..., Any]) -> Callable[..., Any]:
        kept: dict[Any, Any] = {}

        def answer(question: Any, **kwargs: Any) -> Any:
            found = kept.get(key(question)) or real(question, **kwargs)
            return kept.setdefault(key(question), found) if found.results else found

        return answer

    return make


def _unlocked(ids: Sequence[Any]) -> list[Usage]:
    return list(Usage.objects.filter(memory_id__in=ids).order_by("memory_id"))


DEFECTS: Final[dict[str, Plant]] = {
    "a worker ends what another has taken over": statement(
        WRITE, "finish_capture", "AND state = 'processing' AND lease_token = %(token)s", ""
    ),
    "the sweep does not see what a lost worker held": function(
        "candor_claim_due_v3", "IN ('pending', 'processing')", "IN ('pending')"
    ),
    "what waits for an outage uses up its attempts": statement(
        WRITE, "postpone_capture", "greatest(0, attempts - 1)", "attempts"
    ),
    "what waits is not due for a year": statement(
        WRITE,
        "postpone_capture",
        "leased_until = clock_timestamp()",
        "leased_until = clock_timestamp() + interval '1 year'",
    ),
    "a request that is sent again is another": instead(
        memories.ingestion.capture, "_find_former", lambda _real: lambda _row: None
    ),
    "two of one key are taken at once": instead(
        memories.ingestion.capture, "lock_tenant", lambda _real: lambda _name: None
    ),
    "every third memory is not audited": instead(memories.storage.storing, "_event", _tells_no_third),
    "an event is changed in the trail": function(
        "candor_link_audit", "event.salt::text, event.reason", "event.salt::text, event.action"
    ),
    "what waits for an answer is found": instead(memories.storage.storing, "_postings_of", _always_live),
    "what is forgotten stays where it was said": instead(
        evolution.erasure.memory, "blank_traces", lambda _real: lambda *_args: None
    ),
    "of two counts one is lost": statement(
        RECALL, "count_shown", "u.recalled + locked.times", "locked.times"
    ),
    "two verdicts are given at once": instead(
        evolution.feedback.record, "lock_usages", lambda _real: _unlocked
    ),
    "a verdict is kept and not reckoned with": instead(
        evolution.feedback.record, "reweigh", lambda _real: lambda _id, start, _before, _after: start
    ),
    "words are cut": instead(memories.pipeline.run, "pass_gates", _cuts_words),
    "a person is turned away": instead(memories.pipeline.run, "pass_gates", _turns_away),
    "answers are kept for whoever asks": instead(
        recall.http.views_recall, "recall", _remembers_answers(lambda question: question.query)
    ),
    "a superseded value is found by search": instead(
        memories.storage.lifecycle, "leave_search", lambda _real: lambda _row: None
    ),
    "what was read marks nothing": function(
        "candor_session_read", "candor_mark_ends_at(s.at) > now()", "false"
    ),
    "what a capture made is stored and not noted": statement(
        WRITE, "finish_capture", "memory_ids = %(memories)s::jsonb", "memory_ids = '[]'::jsonb"
    ),
    "the end of a capture is written apart from its memories": instead(
        memories.pipeline.steps, "finish_capture", _after_the_commit
    ),
}
