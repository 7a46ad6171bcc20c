"""Policies and shadow runs in the admin: charts, changed answers and their buttons (SPEC S-06, H-05)."""

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from recall.models import StoredPolicy
from recall.policies.versions import PolicyDraft, draft_policy, mark_shadowing, mark_validated
from security.models import AccessGate
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_memory, make_shadow_question, make_shadow_run
from tests.gating import make_run
from tests.http.conftest import key_of
from tests.http.test_admin import page, working
from tests.http.test_console import do, now_of

pytestmark = pytest.mark.spec("S-06", "H-05")


def a_run(tenant: Viewer, **columns: Any) -> Any:
    summary = {
        "overlap_chart": [0, 0, 0, 0, 0, 0, 0, 0, 17, 183], "leaks": {"above_ceiling": 3, "archived": 1},
        "baseline_leaks": {}, "overlap": {"mean": 0.958, "least": 0.5, "p10": 0.8, "p50": 1.0},
        "newcomers": 31, "lost": 30, "latency": {"ratio_p50": 1.04, "ratio_p95": 1.09},
    }  # fmt: skip
    return make_shadow_run(
        tenant=tenant, total=200, done=200, real=200, leaks=4, planted=20, planted_caught=20, state="done",
        verdict="failed", reasons=["The candidate shows what its asker may not see."], summary=summary,
        **columns,
    )  # fmt: skip


def test_a_runs_page_shows_its_verdict_charts_and_what_was_answered_otherwise(ada: Viewer) -> None:
    lost, hidden = (
        make_memory(tenant=ada, content="Lostmark."),
        make_memory(tenant=ada, content="Hiddenmark.", classification=3),
    )
    run = a_run(ada)
    result = {
        "overlap": 0.8, "newcomers": [str(hidden.pk)], "lost": [str(lost.pk)], "failed": [],
        "leaks": {"baseline": [], "candidate": []},
    }  # fmt: skip
    question = {"query": "Where is it?", "k": 5}
    make_shadow_question(
        tenant=ada, run=run, event=None, question=question, result=result, done_at=timezone.now()
    )

    shown = page(working(ada, ceiling=1), "recall_shadowrun_change", run.pk)

    for part in (
        "The candidate shows what its asker may not see.", "200 of 200, 200 really asked", "20 of 20 caught",
        'aria-label="Leaks of the candidate: above_ceiling 3, archived 1"', "0.9 to 1.0 183", "Where is it?",
        "Figures", "0.958", "31 newcomers, 30 lost. It takes 1.04 times as long (p95: 1.09).",
        "Lostmark.", "1 not yours to read",
    ):  # fmt: skip
        assert part in shown, part
    assert "Hiddenmark." not in shown
    assert "<script>" not in shown.split("<svg", 1)[1].split("</svg>", 1)[0]


def test_a_runs_page_shows_the_rules_that_were_tried_and_what_they_would_raise(ada: Viewer) -> None:
    tried = [{"at_least": "restricted", "kinds": ["task"], "words": ["payroll", "<b>salary"]}]
    run = make_shadow_run(
        tenant=ada, candidate={"kind": "classification", "rules": tried},
        summary={"would_raise": {"memories": 3, "to": {"restricted": 3}}},
    )  # fmt: skip

    shown = page(working(ada), "recall_shadowrun_change", run.pk)

    assert "kinds: task; words: payroll or &lt;b&gt;salary" in shown
    assert "They would raise 3 memories: 3 to restricted." in shown


def test_a_run_that_is_not_over_is_cancelled_by_a_button_and_one_that_is_has_none(ada: Viewer) -> None:
    over, queued = a_run(ada), make_shadow_run(tenant=ada)
    client = working(ada)

    assert "formaction" not in page(client, "recall_shadowrun_change", over.pk)
    assert "Cancelled" in do(client, "recall_shadowrun", queued, "cancel")
    assert now_of(queued, ada).state == "cancelled"


def test_runs_and_policies_are_for_operators_and_auditors(ada: Viewer) -> None:
    run = a_run(ada)

    assert str(run.pk) in page(working(ada, role="auditor"), "recall_shadowrun_changelist")
    reader = working(ada, role="reader", unfiled=("view",))
    for name in ("recall_shadowrun", "recall_storedpolicy"):
        assert reader.get(reverse(f"admin:{name}_changelist")).status_code == 403


def test_a_policy_that_is_put_in_force_by_its_button_shuts_the_gate(ada: Viewer) -> None:
    key_of(ada, external=True)
    person = replace(ada, actor_kind="person", actor_id="user:1")
    with tenant_scope(person):
        drafted, _ = draft_policy(PolicyDraft(name="acme", changes={"k": 7}), now=timezone.now())
        mark_shadowing(drafted.id)
    label = {"kind": "policy", "policy": f"acme@{drafted.version}"}
    with tenant_scope(person):
        mark_validated(drafted.id, make_run(ada, candidate=label), now=timezone.now())
    with tenant_scope(ada), unit_of_work():
        policy, before = StoredPolicy.objects.get(), AccessGate.objects.get()
    client = working(ada)

    assert "In force" in do(client, "recall_storedpolicy", policy, "activate", "it is better")

    with tenant_scope(ada), unit_of_work():
        gate = AccessGate.objects.get()
    assert now_of(policy, ada).state == "active"
    assert (gate.state, gate.cause) == ("modified", "policy")
    assert gate.fingerprint != before.fingerprint
    assert "Retired" in do(client, "recall_storedpolicy", policy, "retire")
    assert now_of(policy, ada).state == "retired"
