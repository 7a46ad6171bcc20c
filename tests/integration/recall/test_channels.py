"""The registry walked: every channel has its proof, its switch, its depth, its part of one statement."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import recall.channels.registry
from recall.channels.registry import CHANNELS, KNOWN_CHANNELS, SEEDS, SQL
from recall.policies.policy import DEFAULT, POLICIES, RecallPolicy
from recall.policies.policy import Channel as Voice
from tests.factories import make_tenant
from tests.integration.recall.channel_proofs import PROOFS
from tests.integration.recall.conftest import ask, contents, remember
from tests.statements import statements_run

WALK = pytest.mark.parametrize("name", CHANNELS)


def test_every_channel_has_its_proof_and_its_place_in_the_default_policy() -> None:
    """Absence (test_absence), health (tests/http/test_channels) and plans (test_plans) walk the same."""
    assert PROOFS.keys() == CHANNELS.keys()
    assert {voice.name for voice in DEFAULT.channels} == set(KNOWN_CHANNELS)


@WALK
def test_a_channel_keeps_to_what_is_visible_to_its_tenant_and_to_its_depth(name: str) -> None:
    text = SQL[name] + "".join(SQL[block] for block in CHANNELS[name].shares)
    tables = re.findall(
        r"\b(?:FROM|JOIN) (memory|posting|embedding|link|vocabulary|mention|entity) (\w+)", text
    )

    assert f"LIMIT %({name}_depth)s" in text
    assert re.search(r"FROM visible\b", text)
    assert [alias for _, alias in tables if f"{alias}.tenant_id = %(tenant)s" not in text] == []


@pytest.mark.spec("R-01")
@WALK
def test_a_channel_can_be_asked_alone_and_finds_by_itself(name: str) -> None:
    ada = make_tenant("ada")
    PROOFS[name].lay_both(ada)

    answer = ask(ada, PROOFS[name].question, channels=(name,))

    assert PROOFS[name].hidden in contents(answer)
    assert {one: report.took_part for one, report in answer.channels.items()} == {name: True}


@pytest.mark.spec("R-01")
@WALK
def test_a_channel_that_a_policy_leaves_out_takes_no_part(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = make_tenant("ada")
    PROOFS[name].lay_both(ada)
    without = replace(DEFAULT, name="less", channels=tuple(v for v in DEFAULT.channels if v.name != name))
    monkeypatch.setitem(POLICIES, "less", without)

    answer = ask(ada, PROOFS[name].question, policy="less", explain=True)

    assert name not in answer.channels
    assert [(row.explain or {})["ranks"][name] for row in answer.results] == [None for _ in answer.results]


@pytest.mark.spec("R-01")
@WALK
def test_a_channel_brings_no_more_rows_than_its_depth(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = make_tenant("ada")
    for number in range(3):
        proof = PROOFS[name]
        replace(proof, seen=f"{proof.seen} {number}", hidden=f"{proof.hidden} {number}").lay_both(ada)
    monkeypatch.setitem(POLICIES, "one", _alone(name, depth=1))
    monkeypatch.setitem(POLICIES, "two", _alone(name, depth=2))

    counts = [ask(ada, PROOFS[name].question, policy=one).channels[name].count for one in ("one", "two")]

    assert counts == [1, 2]


def _alone(name: str, *, depth: int) -> RecallPolicy:
    voice = Voice(name=name, depth=depth)
    return RecallPolicy(name="alone", channels=(voice,), neighbour_share=0.0, explores=False)


def test_a_question_that_a_channel_cannot_use_says_so_and_is_no_outage() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")

    answer = ask(ada, "??")

    assert answer.degraded == ()
    assert {name: report.reason for name, report in answer.channels.items() if not report.took_part} == {
        name: "nothing_to_ask"
        for name in answer.channels
        if name != "semantic" and CHANNELS[name].stage == "first"
    }


def test_the_second_stage_starts_from_channels_of_the_first() -> None:
    assert [CHANNELS[name].stage for name in SEEDS] == ["first"] * len(SEEDS)


def test_two_files_may_not_use_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {"queries", *(channel.file for channel in CHANNELS.values())}:
        (tmp_path / f"{name}.sql").write_text("-- twice --\nSELECT 1")
    monkeypatch.setattr(recall.channels.registry, "_OWN", tmp_path)

    with pytest.raises(ValueError, match="twice stands in another file too"):
        recall.channels.registry._load()


@pytest.mark.spec("R-01")
def test_all_channels_are_asked_in_one_statement_with_the_features() -> None:
    ada = make_tenant("ada")
    for name in CHANNELS:
        PROOFS[name].lay_both(ada)

    with statements_run() as run:
        answer = ask(ada, "When does the relay called kestrul restart tomorrow?")

    assert sum("pool AS (" in sql for sql in run) == 1
    assert sum(report.took_part for report in answer.channels.values()) >= 5
