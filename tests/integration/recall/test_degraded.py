"""Outages: what is left answers, and the answer says what is missing (SPEC O-04, R-12)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from django.db import connections

from memories.embedders.base import Embedder
from recall.channels.registry import RecallUnavailable
from recall.models import RecallEvent
from tenants.scope import tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import ask, contents, remember


@contextmanager
def unreadable(table: str) -> Iterator[None]:
    """Take the service's right to read a table away for the block, as a broken migration would."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"REVOKE SELECT ON {table} FROM candor_app")
        try:
            yield
        finally:
            cursor.execute(f"GRANT SELECT ON {table} TO candor_app")


class OutOfOrder(Embedder):
    """An embedder whose model cannot be reached."""

    space = "e5-small-q4"
    dimensions = 384
    batch_size = 1

    def embed_passages(self, texts: Any) -> Any:
        raise ConnectionError("the model does not answer")

    def embed_query(self, text: str) -> Any:
        raise ConnectionError("the model does not answer")

    def count_tokens(self, text: str) -> int:
        return len(np.array(text.split()))


@pytest.mark.spec("R-12", "O-04")
def test_channels_that_cannot_be_asked_are_named_and_the_rest_answers() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")

    with unreadable("posting"):
        answer = ask(ada, "When does the relay restart?")

    assert contents(answer) == ["The relay restarts at noon."]
    assert answer.degraded == ("lexical", "tag", "fuzzy")
    assert {name: answer.channels[name].took_part for name in ("semantic", "lexical", "tag", "fuzzy")} == {
        "semantic": True,
        "lexical": False,
        "tag": False,
        "fuzzy": False,
    }
    assert answer.channels["fuzzy"].reason == "no_answer"


@pytest.mark.spec("O-04")
def test_without_an_embedder_words_still_answer(settings: Any) -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")
    settings.EMBEDDERS = {"default": {"BACKEND": f"{__name__}.OutOfOrder", "OPTIONS": {}}}

    answer = ask(ada, "When does the relay restart?")

    assert contents(answer) == ["The relay restarts at noon."]
    assert answer.degraded == ("semantic",)


@pytest.mark.spec("O-04")
def test_when_no_channel_answers_the_recall_fails_rather_than_find_nothing() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")

    with unreadable("memory"), pytest.raises(RecallUnavailable):
        ask(ada, "When does the relay restart?")

    with tenant_scope(ada), unit_of_work():
        assert RecallEvent.objects.count() == 0
