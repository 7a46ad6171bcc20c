"""Courtesy, modes and kinds are read in any language (SPEC W-05, K-03, K-08, M-02)."""

from typing import Any

import pytest

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.saying import recall, rows_of, say


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


COURTESY = (
    "lol this is so good",
    "Herzlichen Glückwunsch euch allen!! 🎉",
    "今天好闷热啊",
    "Quelle magnifique journée",
    "¡Qué alegría, enhorabuena a todos!",
    "いい天気ですね〜",
    "Wat een heerlijk weer vandaag zeg!",
    "Serdeczne gratulacje!!",
    "Поздравляю вас всех!",
    "Tantissimi auguri a tutti!!",
)

CONTENT = (
    "yes, ship it",
    "done: rolled back to 3.2",
    "Berlin, thanks",
    "Grazie! Il codice è 4711.",
    "ok, wir nehmen die grüne",
    "谢谢，我改到周四了",
    "sorry, I'm allergic to peanuts",
    "Bravo Inès, élue présidente !",
    "we lost the appeal :(",
    "はい、八時に駅で",
    "Could you get the 15 % from Moreau?",
    "I guess we'll take the night train then",
)


def discarded(capture: dict[str, Any]) -> dict[str, Any] | None:
    """Return the trace's entry by which the reader discarded a capture, if it did."""
    return next(
        (one for one in capture["trace"] if one["step"] == "read" and one["verdict"] == "discard"), None
    )


@pytest.mark.spec("W-05", "K-06")
@pytest.mark.parametrize("text", COURTESY, ids=lambda text: text[:16])
def test_courtesy_leaves_no_memory_and_its_reason_in_the_trace(ada: Viewer, text: str) -> None:
    capture = say(ada, text)

    assert (capture["state"], capture["memories"]) == ("discarded", [])
    told = discarded(capture)
    assert told is not None
    assert (told["gate"], told["reader"]) == ("noise", "local")
    assert told["reason"] == "courtesy, or talk with nothing to remember"
    assert 0.9 < told["score"] <= 1
    assert recall(ada, text) == []


@pytest.mark.spec("W-05", "K-03")
@pytest.mark.parametrize("text", CONTENT, ids=lambda text: text[:16])
def test_what_decides_answers_or_tells_something_is_kept_however_short(ada: Viewer, text: str) -> None:
    capture = say(ada, text)

    [row] = rows_of(ada, capture)
    assert row["content"] == text
    assert row["id"] in {one["id"] for one in recall(ada, text)}


@pytest.mark.spec("W-05", "K-03")
@pytest.mark.parametrize("text", COURTESY[:4], ids=lambda text: text[:16])
def test_one_sentence_with_content_and_the_whole_stays(ada: Viewer, text: str) -> None:
    capture = say(ada, f"{text} The spare key hangs behind the kiln.")

    assert [row["content"] for row in rows_of(ada, capture)] == [
        f"{text} The spare key hangs behind the kiln."
    ]


@pytest.mark.spec("W-05", "K-03")
def test_what_follows_a_question_of_somebody_else_may_be_its_answer(ada: Viewer) -> None:
    words = COURTESY[1]
    say(
        ada,
        "Shall we give the prize to both of the Vermeulens?",
        session="jury",
        role="assistant",
        speaker="Bot",
    )
    answer = say(ada, words, session="jury")
    say(ada, "The prize goes to both of the Vermeulens.", session="prize", role="assistant", speaker="Bot")
    comment = say(ada, words, session="prize")
    say(ada, "How are you?", session="chat", role="assistant", speaker="Bot")
    reply = say(ada, words, session="chat")

    assert [one["state"] for one in (answer, comment, reply)] == ["stored", "discarded", "discarded"]


@pytest.mark.spec("W-05", "K-13")
def test_a_verbatim_capture_passes_the_same_gate_and_a_dry_run_tells_it(ada: Viewer) -> None:
    kept_whole = say(ada, COURTESY[1], verbatim=True)
    tried = caller(ada).post(
        "captures?dry_run=true", {"text": COURTESY[1], "role": "user", "speaker": "Ines"}
    )

    assert kept_whole["state"] == tried.json()["state"] == "discarded"


KINDS = (
    ("Ma sœur est infirmière à Lyon.", "profile", "event"),
    ("Le moteur surchauffait parce que la durite du radiateur était bouchée.", "finding", "knowledge"),
    ("Peux-tu envoyer le devis à Mme Roche avant vendredi", "task", "event"),
)


@pytest.mark.spec("W-08", "M-02", "M-04", "W-09")
@pytest.mark.parametrize(("text", "kind", "card"), KINDS, ids=[kind for _text, kind, _card in KINDS])
def test_a_row_that_no_rule_reads_is_of_the_kind_that_is_learned(
    ada: Viewer, text: str, kind: str, card: str
) -> None:
    [row] = rows_of(ada, say(ada, text))

    assert (row["kind"], row["card"], row["importance"]) == (kind, card, 3)
    assert (row["content"], row["concept_key"], row["value"], row["assigned_by"]) == (text, None, None, None)


@pytest.mark.spec("W-09", "K-03")
def test_what_the_quality_gate_refuses_stands_as_a_statement_and_the_trace_tells_why(ada: Viewer) -> None:
    capture = say(ada, "Wir nehmen das blaue.")

    [row] = rows_of(ada, capture)
    assert (row["kind"], row["importance"]) == ("statement", 2)
    [gate] = [one for one in capture["trace"] if one["step"] == "quality"]
    assert (gate["kind"], gate["verdict"]) == ("decision", "statement")
    assert any(told.startswith("length") for told in gate["failed"])


@pytest.mark.spec("W-17")
def test_a_persons_request_is_a_task_that_nobody_assigned_and_an_agents_words_make_none(ada: Viewer) -> None:
    wanted = KINDS[2][0]
    [asked] = rows_of(ada, say(ada, wanted))
    [claimed] = rows_of(ada, say(ada, wanted, role="assistant", speaker="Bot"))

    assert (asked["kind"], asked["assigned_by"]) == ("task", None)
    assert claimed["kind"] != "task"
    assert claimed["assigned_by"] is None


MODES = (
    ("Hätten wir bloß den größeren Anhänger genommen", "hypothetical"),
    ("Auf dem Schild stand: «Betreten verboten, Lebensgefahr.»", "quote"),
)


@pytest.mark.spec("K-08")
@pytest.mark.parametrize(("text", "mode"), MODES, ids=lambda text: text[:20])
def test_what_no_sign_marks_is_read_as_supposed_or_quoted(ada: Viewer, text: str, mode: str) -> None:
    [row] = rows_of(ada, say(ada, text))

    assert (row["mode"], row["kind"]) == (mode, "statement")


@pytest.mark.spec("M-04", "K-11")
def test_a_state_without_a_key_is_corrected_and_ranked_as_what_was_said(ada: Viewer) -> None:
    [row] = rows_of(ada, say(ada, KINDS[0][0]))

    right = "Ma sœur est infirmière à Grenoble."
    answer = caller(ada).post(f"memories/{row['id']}/correct", {"content": right})

    assert answer.status_code == 201, answer.content
    made = answer.json()["memory"]
    assert (made["content"], made["kind"], made["card"]) == (right, "profile", "event")
    assert (made["concept_key"], made["value"]) == (None, None)
