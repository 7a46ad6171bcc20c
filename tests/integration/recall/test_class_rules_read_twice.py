"""Both readings of rules, and what raising really does, agree on whatever there is (SPEC S-01, S-06)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.domain.kinds import KINDS
from memories.models import Lineage, Memory
from recall.shadow.class_rules import ClassRules, parse_rules
from recall.shadow.classification_preview import would_be_classes
from recall.shadow.raising import find_raised, kept_back
from tenants.models import new_id
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import NOW

pytestmark = pytest.mark.spec("S-01", "S-06")

PROJECTS, AGENTS = [uuid4() for _ in range(2)], [uuid4() for _ in range(2)]
LETTERS = "aAkK\u212asSſßẞiIİıσςΣéÉ中\n .*+?^$|()[]{}\\-#_%'\"12ﬁǅ"
short, longer = (st.text(LETTERS, min_size=1, max_size=most) for most in (1, 4))
texts = st.one_of(short, longer).filter(lambda text: bool(text.strip()))
several = {"min_size": 1, "max_size": 3}

conditions = st.fixed_dictionaries(
    {"at_least": st.sampled_from(["internal", "restricted", "confidential"])},
    optional={
        "project": st.sampled_from(PROJECTS).map(str),
        "agent": st.sampled_from(AGENTS).map(str),
        "domain": st.sampled_from(["hr", "*"]),
        "kinds": st.lists(st.sampled_from(["finding", "skill", "episode"]), **several),
        "tags": st.lists(st.sampled_from(["pay", "tax", "k8s"]), **several),
        "words": st.lists(texts, **several),
    },
).filter(lambda rule: len(rule) > 1)
rows = st.fixed_dictionaries(
    {
        "content": st.text(LETTERS, min_size=1, max_size=30),
        "kind": st.sampled_from(["finding", "skill", "episode"]),
        "project_id": st.sampled_from([None, *PROJECTS]),
        "agent_id": st.sampled_from([None, *AGENTS]),
        "domain": st.sampled_from(["", "hr", "*"]),
        "tags": st.lists(st.sampled_from(["pay", "tax"]), max_size=2),
        "manual_tags": st.lists(st.sampled_from(["pay", "kubernetes"]), max_size=2),
        "classification": st.integers(0, 3),
        "standing": st.sampled_from([0, 1, 2]),
    }
)


@pytest.fixture
def tenant() -> Viewer:
    """A tenant without a memory."""
    return make_tenant("ada")


@contextmanager
def stored(tenant: Viewer, drawn: list[dict[str, Any]], lines: list[tuple[int, int]]) -> Iterator[list[UUID]]:
    """Store rows, each of which may rest on earlier ones; take them back at the end."""
    with tenant_scope(pipeline_viewer(tenant.tenant_id)), unit_of_work():
        made = [
            Memory(
                id=new_id(), card=KINDS[row["kind"]].card, confidence=0.5, provenance="extracted", trust=0.5,
                content_hash=uuid4().bytes, created_at=NOW, occurred_at=NOW, effective_at=NOW,
                last_verified_at=NOW, updated_at=NOW, **row,
            )
            for row in drawn
        ]  # fmt: skip
        Memory.objects.bulk_create(made)
        for one, other in lines:
            if one % len(made) > other % len(made):
                child, parent = made[one % len(made)].id, made[other % len(made)].id
                lined = Lineage(child_id=child, parent_id=parent, created_at=NOW, classification=0)
                Lineage.objects.bulk_create([lined], ignore_conflicts=True)
        yield [row.id for row in made]
        transaction.set_rollback(True)


def classes(ids: list[UUID]) -> dict[UUID, int]:
    return dict(Memory.objects.filter(id__in=ids).values_list("id", "classification"))


def raise_named(rules: ClassRules) -> None:
    """Raise what the rules name, as a person would one by one; the database raises what follows."""
    for one in find_raised(rules):
        if one.named:
            Memory.objects.filter(id=one.id, classification__lt=one.rank).update(classification=one.rank)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    given_rules=st.lists(conditions, min_size=1, max_size=4),
    drawn=st.lists(rows, min_size=1, max_size=7),
    lines=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8),
    clearance=st.integers(0, 3),
)
def test_what_is_kept_back_is_what_is_judged_and_what_is_raised(
    tenant: Viewer,
    given_rules: list[dict[str, Any]],
    drawn: list[dict[str, Any]],
    lines: list[tuple[int, int]],
    clearance: int,
) -> None:
    rules = parse_rules(given_rules)
    with stored(tenant, drawn, lines) as ids:
        before, judged = classes(ids), would_be_classes(rules, ids)
        found = {one.id: one.rank for one in find_raised(rules)}
        with tenant_scope(replace(tenant, clearance=clearance)), unit_of_work():
            held = set(kept_back(rules, clearance=clearance))
        raise_named(rules)
        after = classes(ids)

    assert judged == after
    assert found == {one: rank for one, rank in after.items() if rank > before[one]}
    assert held == {one for one in ids if before[one] <= clearance < after[one]}


WRITTEN = {
    "The PAYROLL.": "payroll", "the payroll": "PayRoll", "\u03a7\u0391\u039f\u03a3": "χαος", "χάος": "ΧΆΟΣ",
    "5 \u212a": "5 k", "STRAẞE": "straße", "ǅ": "ǆ", "ЖУК": "жук", "İ": "İ", "a.B": "A.b", "工资单": "工资",
    "say (no)": "(NO)", "50%\\n": "%\\N", "***=x": "***=X", "two\nlines": "two\nLines", "[]^-": "]^-",
}  # fmt: skip
APART = {"axb": "a.b", "strasse": "straße", "pay roll": "payroll", "i": "İ", "(no": "(no)"}


def test_words_are_found_in_any_letter_case_and_mean_themselves(tenant: Viewer) -> None:
    row = {"kind": "finding", "classification": 1}
    for texts, rank in ((WRITTEN, 2), (APART, 1)):
        for content, word in texts.items():
            rules = parse_rules([{"at_least": "restricted", "words": [word]}])
            with stored(tenant, [{**row, "content": content}], []) as [one]:
                found = {row.id: row.rank for row in find_raised(rules)}
                assert would_be_classes(rules, [one]) == {one: rank}, (content, word)
            assert found == ({one: 2} if rank == 2 else {}), (content, word)
