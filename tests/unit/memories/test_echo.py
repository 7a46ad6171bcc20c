"""What is an echo, what a note rests on, and which of an agent's sentences claim a task."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from memories.candidates.candidate import Candidate, Neighbour
from memories.extraction.lineage import find_references
from memories.language.guesses import GUESS, claims_task, quoted_guesses, word_as_guess
from memories.recall_log import ShownText
from memories.reconciliation.decision import Action
from memories.reconciliation.self_citation import AN_ECHO, find_echo, find_sources, is_echo, leave_out_quotes
from tests.unit.memories.rows import audience, candidate, neighbour

pytestmark = pytest.mark.spec("W-17")

BERT = UUID("018f0000-0000-7000-8000-00000000be00")
CAUSE = "The build fails because the cache volume is full."
TASK = {"kind": "task", "entity_key": "agent", "concept_key": "task", "cardinality": "multi"}
REPORT = GUESS + "The assistant's task is the quarterly compliance report of the Zurich office."


def inferred(content: str, **given: Any) -> Candidate:
    return candidate(content, provenance="agent_inferred", **given)


def own(content: str, **given: Any) -> Neighbour:
    return neighbour(content, **{"provenance": "agent_inferred", "similarity": 0.9} | given)


def shown(content: str, **given: Any) -> Neighbour:
    return neighbour(content, **{"recalled_in": frozenset({"monday"}), "similarity": 0.9} | given)


def test_an_echo_joins_what_it_repeats_and_says_so() -> None:
    near = shown(CAUSE)

    decision = find_echo(inferred("Because the cache volume is full, the build fails."), [near])

    assert decision is not None
    assert (decision.action, decision.reason, decision.target) == (Action.RESTATE, AN_ECHO, near)
    assert is_echo(decision)


@pytest.mark.parametrize(
    ("near", "echoes"),
    [
        pytest.param(shown(CAUSE), True, id="recalled, of a person"),
        pytest.param(own(CAUSE), True, id="its own, never recalled"),
        pytest.param(neighbour(CAUSE, similarity=0.9), False, id="a person's, not recalled"),
        pytest.param(own(CAUSE, audience=audience(agent_id=BERT)), False, id="another agent's, not recalled"),
        pytest.param(
            shown(CAUSE, audience=audience(agent_id=BERT, shared=True)), True, id="another agent's, recalled"
        ),
        pytest.param(shown(CAUSE, audience=audience(classification=2)), False, id="above the note's class"),
        pytest.param(own(CAUSE, kind="episode", card="event", turn=3), False, id="a turn kept word for word"),
    ],
)
def test_an_echo_repeats_what_was_shown_to_its_agent_or_said_by_it(near: Neighbour, echoes: bool) -> None:
    assert (find_echo(inferred("The build fails as the cache volume is full."), [near]) is not None) is echoes


@pytest.mark.parametrize(
    "said",
    [
        "The build no longer fails because the cache volume is full.",
        "The build fails because the log volume of node 7 is full and nobody rotates it.",
        "Deployments to Frankfurt need a signed tag.",
    ],
)
def test_a_note_that_adds_or_denies_something_is_none(said: str) -> None:
    assert find_echo(inferred(said), [shown(CAUSE, similarity=0.6)]) is None


@pytest.mark.parametrize("provenance", ["user_correction", "user_stated", "agent_chat", "extracted"])
def test_what_somebody_outside_says_is_no_echo(provenance: str) -> None:
    assert find_echo(candidate(CAUSE, provenance=provenance), [shown(CAUSE)]) is None


def test_a_turn_kept_word_for_word_is_a_record_and_no_echo() -> None:
    assert find_echo(inferred(CAUSE, kind="episode", verbatim=True), [shown(CAUSE)]) is None


@pytest.mark.parametrize(
    ("content", "near", "echoes"),
    [
        (CAUSE, {"provenance": "agent_inferred"}, True),
        (CAUSE, {"provenance": "measured", "recalled_in": frozenset({"monday"})}, False),
        (CAUSE, {"provenance": "measured", "recalled_in": frozenset({"friday"})}, True),
        (
            "The build fails because the cache volume is full at 97 %.",
            {"provenance": "agent_inferred"},
            False,
        ),
    ],
    ids=["a guess", "measured again", "quoted in the session it was recalled in", "measured anew"],
)
def test_a_tool_echoes_only_what_it_quotes(content: str, near: dict[str, Any], echoes: bool) -> None:
    told = candidate(content, provenance="measured", session="friday")

    assert (find_echo(told, [shown(CAUSE, **near)]) is not None) is echoes


@pytest.mark.parametrize(
    ("said", "similarity", "echoes"),
    [
        ("I am responsible for the compliance report that Zurich gets every quarter.", 0.66, True),
        ("As assigned by Mara, I own the quarterly compliance report.", 0.66, True),
        ("My task is to renew the TLS certificate of the staging server.", 0.15, False),
        ("My task is to order new chairs for the Zurich office.", 0.4, False),
    ],
)
def test_a_guessed_task_in_other_words_is_the_same_guess(said: str, similarity: float, echoes: bool) -> None:
    near = own(REPORT, similarity=similarity, **TASK)

    assert (find_echo(inferred(word_as_guess(said), **TASK), [near]) is not None) is echoes


def test_a_task_that_a_person_assigned_is_not_guessed_again_beside_it() -> None:
    assigned = neighbour("Please prepare the quarterly compliance report.", similarity=0.7, **TASK)

    assert find_echo(
        inferred(word_as_guess("My task is the quarterly compliance report."), **TASK), [assigned]
    )


@pytest.mark.spec("M-08")
def test_a_note_rests_on_what_was_shown_or_named() -> None:
    near, far, unseen = (
        shown(CAUSE, similarity=0.7),
        shown(CAUSE, similarity=0.4),
        neighbour(CAUSE, similarity=0.7),
    )
    note = inferred("The cache volume fills because nobody prunes it.")

    assert find_sources(note, [near, far, unseen]) == (near,)
    named = replace(note, draft=replace(note.draft, references=(far.id, unseen.id)))
    assert find_sources(named, [near, far, unseen]) == (near, far)


def test_a_persons_statement_rests_on_nothing() -> None:
    assert find_sources(candidate(CAUSE), [shown(CAUSE)]) == ()


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("My official tasks are the audit and the report.", True),
        ("The audit was assigned to me by Mara.", True),
        ("I must finish the audit.", True),
        ("Vera is responsible for the audit.", True),
        ("我的任务是审计。", True),
        ("助手负责审计。", True),
        ("The server must be restarted after the upgrade.", False),
        ("Bob is responsible for the audit.", False),
        ("I found that the cache was full.", False),
        ("I found that the task queue was full.", False),
        ("We have to prune the cache because it fills up.", False),
        ("I should have read the log first.", False),
        ("Ben told me that the cache was full, and it gave me an error.", False),
        ("The queue has twelve open tasks.", False),
        ("As assigned by Mara, I own the audit.", True),
        ("Mara asked the assistant to audit the vendors.", True),
        ("My assignment, the audit, was given to me by Mara.", True),
        ("The assistant's standing duty is the audit.", True),
        ("Mara 让我做审计。", True),
        ("服务器需要重启。", False),
    ],
)
def test_a_claim_to_a_task_is_known_by_its_words(said: str, claims: bool) -> None:
    assert claims_task(said, speaker="Vera") is claims


def test_a_guess_is_worded_once() -> None:
    assert word_as_guess(word_as_guess("Audit the vendors.")) == "Guess, not assigned: Audit the vendors."


def test_a_quoted_guess_ends_with_its_line_or_its_quotation() -> None:
    quoted = '{"content": "Guess, not assigned: Audit the vendors.", "trust": 0.3}'
    text = f"{quoted}\nGuess, not assigned: Rest.\nMore."

    assert quoted_guesses(text) == ("Audit the vendors.", "Rest.")


def test_what_a_tool_quotes_of_memory_states_nothing_and_a_question_neither() -> None:
    turns = [
        ("tool", "My task is the audit. The audit has 12 findings. Lin leads it."),
        ("user", "Is the audit your task? Mara wants the audit. Lin leads it. My task is the audit."),
    ]
    shown = [
        ShownText(text=GUESS + "My task is the audit.", guessed=True),
        ShownText(text="Lin leads it.", guessed=False),
    ]

    assert leave_out_quotes(turns, shown) == [
        "The audit has 12 findings.", "Mara wants the audit.\nLin leads it.",
    ]  # fmt: skip


def test_references_name_memories_in_whatever_form() -> None:
    first, second, third = uuid4(), uuid4(), uuid4()

    found = find_references(
        [f"memory:{first}", {"memory": str(second), "why": "x"}, {"id": str(third)}, "none"]
    )

    assert found == (first, second, third)
