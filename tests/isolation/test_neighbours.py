"""What a neighbour keeps moves nothing of one's own: ids, scores, order and counts (SPEC T-01)."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from memories.embedders import get_embedder
from memories.language.tokens import words
from recall.answering.answer import recall
from recall.questions.question import Question
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, make_collection_stat, make_memory, make_tenant

pytestmark = [pytest.mark.spec("T-01"), pytest.mark.usefixtures("database")]

QUESTION = "Where does the staging server of the zeppelin project run?"
KEPT = (
    "The staging server of the zeppelin project runs in Frankfurt.",
    "The zeppelin project deploys on Thursdays.",
    "Grace prefers answers in bullet points.",
    "The database of staging is restored every night.",
    "The office in Lisbon has no zeppelin.",
)
FLOOD = 50
"""Rows of the neighbour's, ten for each of one's own."""


def keep(tenant: Viewer, *texts: str, person: str = "") -> None:
    """Remember the texts as store does: with vectors, postings and the collection's sizes."""
    embedder = get_embedder()
    counted = [Counter(words(text)) for text in texts]
    vectors = embedder.embed_passages(texts)
    for text, terms, vector in zip(texts, counted, vectors, strict=True):
        make_memory(
            tenant=tenant, content=text, terms=terms, vector=vector, space=embedder.space, person=person
        )
    length = sum(sum(terms.values()) for terms in counted)
    if not person:  # how long texts are on average is counted for the whole tenant
        make_collection_stat(tenant=tenant, documents=len(texts), total_length=length)


def asked(viewer: Viewer) -> dict[str, Any]:
    """Ask the question; return all of the answer but its own id."""
    with tenant_scope(viewer):
        answer = recall(Question(query=QUESTION, k=5, seed=7, explain=True), now=NOW)
    return {"results": answer.results, "channels": answer.channels, "degraded": answer.degraded}


def fresh(viewer: Viewer) -> Viewer:
    """Return the tenant's own reader: cleared for internal rows, no agent."""
    return replace(viewer, clearance=1)


def test_a_neighbour_that_floods_the_question_changes_nothing() -> None:
    ada, bo = make_tenant("ada"), make_tenant("bo")
    keep(ada, *KEPT)
    before = asked(fresh(ada))
    assert before["results"][0].content == KEPT[0]
    keep(bo, *(f"{QUESTION} {KEPT[n % len(KEPT)]} Copy {n}." for n in range(FLOOD)))
    assert asked(fresh(ada)) == before


def test_rows_above_ones_clearance_change_nothing() -> None:
    ada = make_tenant("ada")
    keep(ada, *KEPT)
    before = asked(fresh(ada))
    embedder = get_embedder()
    for number in range(10):
        text = f"{QUESTION} In a zeppelin, copy {number}."
        make_memory(
            tenant=ada,
            content=text,
            classification=3,
            terms=Counter(words(text)),
            vector=embedder.embed_passages([text])[0],
            space=embedder.space,
        )
    make_collection_stat(tenant=ada, classification=3, documents=10, total_length=150)
    assert asked(fresh(ada)) == before


def test_the_same_flood_in_ones_own_house_would_be_noticed() -> None:
    ada = make_tenant("ada")
    keep(ada, *KEPT)
    before = asked(fresh(ada))
    text = f"{QUESTION} In Frankfurt."
    make_memory(
        tenant=ada,
        content=text,
        terms=Counter(words(text)),
        vector=get_embedder().embed_passages([text])[0],
        space=get_embedder().space,
    )
    assert asked(fresh(ada)) != before


@pytest.mark.spec("K-09")
@pytest.mark.parametrize("person", ["", "willy"])
def test_what_is_another_persons_changes_nothing(person: str) -> None:
    ada = make_tenant("ada")
    keep(ada, *KEPT)
    viewer = fresh(ada).naming(person)
    before = asked(viewer)
    assert before["results"][0].content == KEPT[0]
    keep(ada, *(f"{QUESTION} {KEPT[n % len(KEPT)]} Copy {n}." for n in range(FLOOD)), person="vera")
    assert asked(viewer) == before
    assert asked(fresh(ada).naming("vera")) != before
