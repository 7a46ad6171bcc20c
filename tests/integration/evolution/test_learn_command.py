"""`manage.py learn`: what other weights would have done, from recalls and verdicts (SPEC E-12)."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from evolution.feedback import give_feedback
from recall.models import StoredPolicy
from tenants.models import Tenant
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import NOW, ask, remember

pytestmark = pytest.mark.usefixtures("database")


def slug_of(viewer: Viewer) -> str:
    with tenant_scope(viewer), unit_of_work():
        return str(Tenant.objects.get(id=viewer.tenant_id).slug)


def learn(viewer: Viewer, *more: str) -> dict[str, Any]:
    out = StringIO()
    call_command("learn", "--tenant", slug_of(viewer), "--json", *more, stdout=out)
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


@pytest.mark.spec("E-12")
def test_it_says_what_weights_would_have_done_and_puts_nothing_into_force() -> None:
    ada = make_tenant("ada")
    places = ("old harbour", "north gate", "south gate", "mill", "quay", "yard")
    for turn in range(60):  # each asked of once, so that no verdict moves what is judged later
        important = {
            remember(ada, f"The relay q{turn} of the {place} restarts at noon.", importance=level).id: level
            for place, level in zip(places, (5, 5, 5, 1, 1, 1), strict=True)
        }
        answer = ask(ada, f"relay q{turn} restarts", seed=turn, k=5)
        for result in answer.results:
            verdict = "helpful" if important.get(result.id, 5) < 3 else "unhelpful"
            with tenant_scope(ada):
                give_feedback(answer.recall_id, result.id, verdict, now=NOW)

    same = learn(ada, "--policy", "default@1")
    told = learn(ada)

    assert same["recalls"] >= 50
    assert same["verdicts"] >= 200
    assert {name: one["gain"] for name, one in same["by"].items()} == dict.fromkeys(
        ("ips", "snips", "dr", "switch"), 0
    )
    assert told["by"]["dr"]["low"] <= told["by"]["dr"]["gain"] <= told["by"]["dr"]["high"]
    five = [share for name, share in told["weights"].items() if name != "fused"]
    assert sum(five) == pytest.approx(1)
    drafted = learn(ada, "--draft", "refitted")
    with tenant_scope(ada), unit_of_work():
        kept = [(one.name, one.state) for one in StoredPolicy.objects.all()]
    assert drafted["is_better"]
    assert drafted["draft"] == "refitted@1"
    assert drafted["weights"] != same["weights"]
    assert kept == [("refitted", "draft")]


@pytest.mark.spec("E-12")
def test_without_verdicts_it_says_what_is_missing() -> None:
    ada = make_tenant("ada")
    with pytest.raises(CommandError, match="The log has 0 verdicts"):
        learn(ada)
    with pytest.raises(CommandError, match="no ISO-8601 moment"):
        learn(ada, "--since", "yesterday")
