"""Metrics at /metrics: for who has the operator's token, of all processes, no tenant's word (SPEC O-03)."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from memories.ingestion import notify
from memories.tasks import process
from tenants.scope import Viewer
from tenants.telemetry.metrics import REGISTRY
from tests.factories import make_capture
from tests.http.conftest import caller
from tests.http.test_outages import database_out
from tests.integration.memories.odd_embedders import BrokenEmbedder, chosen
from tests.integration.memories.writing import FAKE

pytestmark = pytest.mark.spec("O-03")

TOKEN = "a-token-of-the-operator-with-forty-characters"
ROOT = Path(__file__).parents[2]
SAID = "Root cause: the zanzibar-api timed out because its connection pool was too small."


@pytest.fixture(autouse=True)
def counted(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    settings.METRICS_TOKEN, settings.EMBEDDERS = TOKEN, FAKE


def scrape(token: str = TOKEN) -> dict[str, Metric]:
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return {one.name: one for one in text_string_to_metric_families(answer.content.decode())}


def value(name: str, **labels: str) -> float:
    """Return a sample's value, by its own name; 0 when there is none."""
    samples = [one for family in scrape().values() for one in family.samples if one.name == name]
    return sum(one.value for one in samples if labels.items() <= one.labels.items())


def capture(tenant: Viewer, text: str = SAID) -> str:
    taken: str = caller(tenant).post("captures", {"text": text, "role": "user"}).json()["id"]
    return taken


def work(tenant: Viewer, capture_id: str) -> None:
    process.apply(args=[str(tenant.tenant_id), capture_id]).get()


def test_without_the_operators_token_there_is_nothing_to_see(ada: Viewer, settings: Any) -> None:
    key = caller(ada)._headers["Authorization"]
    told = [
        Client().get("/metrics", headers=headers).status_code
        for headers in ({}, {"Authorization": key}, {"Authorization": f"Bearer {TOKEN}x"})
    ]
    settings.METRICS_TOKEN = ""
    off = [
        Client().get("/metrics", headers=headers).status_code
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {TOKEN}"})
    ]

    assert (told, off) == ([401] * 3, [404] * 3)


def test_a_short_token_is_refused_when_the_settings_are_read() -> None:
    env = os.environ | {"CANDOR_METRICS_TOKEN": "short"}
    ended = subprocess.run(
        [sys.executable, "-c", "import config.settings.metrics"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        check=False,
    )

    assert b"at least 32 characters" in ended.stderr


def test_recalls_are_counted_by_what_came_of_them(ada: Viewer) -> None:
    work(ada, capture(ada))
    before = {name: value("candor_recalls_total", outcome=name) for name in ("answered", "nothing_known")}
    taken = value("candor_recall_seconds_count")

    asking = caller(ada)
    assert asking.post("recall", {"query": "Why did the zanzibar-api time out?"}).json()["results"]
    assert asking.post("recall", {"query": "zzz", "kinds": ["task"]}).json()["nothing_known"]

    assert value("candor_recalls_total", outcome="answered") == before["answered"] + 1
    assert value("candor_recalls_total", outcome="nothing_known") == before["nothing_known"] + 1
    assert value("candor_recall_seconds_count") == taken + 2
    assert value("candor_recall_stage_seconds_count", stage="find") > 0


def test_captures_are_told_by_state_with_age_verdicts_and_lag(ada: Viewer, settings: Any) -> None:
    stored, dead = (value("candor_captures_worked_total", state=state) for state in ("stored", "dead"))
    passed = value("candor_gate_verdicts_total", step="screen", verdict="pass")
    work(ada, capture(ada))
    settings.EMBEDDERS = chosen(BrokenEmbedder)
    broken = capture(ada, f"{SAID} Again.")
    for _ in range(5):
        work(ada, broken)
    capture(ada, f"{SAID} A third time.")
    make_capture(tenant=ada, state="pending", waits_for="embedder")

    assert value("candor_captures", state="dead") == 1
    assert value("candor_captures", state="pending") == 2
    assert value("candor_captures_waiting", part="embedder") == 1
    assert value("candor_capture_oldest_seconds", state="pending") > 0
    assert value("candor_captures_worked_total", state="stored") == stored + 1
    assert value("candor_captures_worked_total", state="dead") == dead + 1
    assert value("candor_gate_verdicts_total", step="screen", verdict="pass") >= passed + 1
    assert value("candor_database_up") == 1
    assert value("candor_database_sessions") >= 1


def test_a_tenant_is_told_apart_only_when_it_is_listed_and_no_word_of_it_is_told(
    ada: Viewer, grace: Viewer, settings: Any
) -> None:
    settings.METRICS_TENANTS = frozenset({str(ada.tenant_id)})
    for tenant in (ada, grace):
        work(tenant, capture(tenant))
        caller(tenant).post("recall", {"query": "zanzibar"})
        capture(tenant, f"{SAID} Again.")

    body = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()

    assert value("candor_captures", tenant=str(ada.tenant_id), state="pending") == 1
    assert value("candor_captures", tenant="other", state="pending") == 1
    assert value("candor_recalls_total", tenant=str(ada.tenant_id)) == 1
    assert str(grace.tenant_id) not in body
    assert "zanzibar" not in body.lower()


def test_every_metric_stands_in_the_operations_page_and_every_one_there_is_served() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    listed = set(re.findall(r"^\| `(candor_[a-z_]+)` \|", page, re.MULTILINE))
    served = {
        family.name + ("_total" if family.type == "counter" else "")
        for family in (*REGISTRY.collect(), *scrape().values())
        if not family.name.endswith("_created")
    }

    # What has no label's value yet is served without a sample, and told by the registry.
    assert listed == served


DEPLOY = ROOT / "deploy"
RULES = (DEPLOY / "prometheus" / "candor.rules.yml").read_text()
DASHBOARD = (DEPLOY / "grafana" / "candor.json").read_text()


def test_what_the_dashboard_and_the_alerts_ask_for_is_served_with_those_labels() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    rows = re.findall(r"^\| `(candor_[a-z_]+)` \|([^|]*)\| ([^|]*)", page, re.MULTILINE)
    labels = {
        name + ("_bucket" if about.startswith("histogram") else ""): set(re.findall(r"`(\w+)`", said))
        | {"le", "instance", "job"}
        for name, said, about in rows
    }
    assert len(labels) > 20

    panels = json.loads(DASHBOARD)["panels"]
    asked = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    asked += [rule["expr"] for rule in yaml.safe_load(RULES)["groups"][0]["rules"]]

    assert len({panel["id"] for panel in panels}) == len(panels)
    for text in asked:
        names = set(re.findall(r"\bcandor_[a-z_]+", text))
        assert names <= set(labels), text
        used = set(re.findall(r"(?:by|ignoring) \(([a-z_, ]+)\)|[{,]([a-z_]+)=~?\"|[{,]([a-z_]+)!=", text))
        said = {part.strip() for one in used for group in one if group for part in group.split(",")}
        assert not names or said <= {"job"}.union(*(labels[name] for name in names)), text


def test_every_alert_stands_in_the_operations_page_with_what_to_do() -> None:
    page = (DEPLOY.parent / "docs" / "operations.md").read_text()
    told = re.findall(r"^\| `(Candor[A-Za-z]+)` \| [^|]{20,} \| [^|]{20,} \|$", page, re.MULTILINE)

    assert told == [rule["alert"] for rule in yaml.safe_load(RULES)["groups"][0]["rules"]]
    assert set(told) >= set(
        re.findall(r"alertname: (\w+)", (DEPLOY / "prometheus" / "candor.rules.test.yml").read_text())
    )


COUNT = """
import django; django.setup()
from uuid import UUID
from recall.metrics import count_recall
import sys
for _ in range(int(sys.argv[1])):
    count_recall(UUID(int=1), seconds=0.02, nothing_known=False, degraded=["keyword"])
from memories.metrics import count_request
count_request("m", "failed", is_left_alone=True)
if sys.argv[2:]:
    from config.metrics import scrape
    print(scrape().decode())
"""


def test_a_scrape_of_one_process_tells_of_all_and_of_those_that_ended(tmp_path: Path) -> None:
    env = os.environ | {"CANDOR_METRICS_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}

    def run(*arguments: str) -> str:
        argv = [sys.executable, "-c", COUNT, *arguments]
        return subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, check=True, text=True).stdout

    run("3")
    told = run("2", "scrape")

    assert 'candor_recalls_total{outcome="answered",tenant="other"} 5.0' in told
    assert 'candor_recalls_degraded_total{channel="keyword",tenant="other"} 5.0' in told
    assert told.count("candor_breaker_open{") == 1  # the one that ended leaves nobody alone any more


@pytest.mark.spec("O-03", "O-04")
def test_with_the_database_out_what_was_counted_is_told_all_the_same(ada: Viewer) -> None:
    caller(ada).post("recall", {"query": "zanzibar"})

    with database_out(2.0):
        during = scrape()
    after = scrape()

    assert [one["candor_database_up"].samples[0].value for one in (during, after)] == [0, 1]
    assert "candor_captures" not in during
    assert during["candor_recalls"].samples
