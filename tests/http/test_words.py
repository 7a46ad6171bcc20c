"""Nothing said is lost, rewritten or swallowed (SPEC K-01 to K-04): over HTTP, on the sentences that were."""

import pytest

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.people import person
from tests.http.saying import recall, rows_of, say


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


TRACE = (
    "Traceback (most recent call last):\n"
    '  File "/srv/app/pay.py", line 88, in charge\n'
    "    client.send(order)\n"
    "TimeoutError: upstream took 30.0 s; gave up"
)
YAML = "server:\n  port: 8443\n  hosts:\n    - a.example.net\n    - b.example.net\n  retry: 3"
RUNBOOK = (
    "1. Drain the node with kubectl drain node-7; wait until it is empty.\n"
    "2. Restart the kubelet.\n"
    "3. Uncordon it; if it does not come back within 10 minutes, page Imani."
)

SAID = (
    # rewritten
    "Anna works from home on Tuesday and Thursday.",
    "We never deploy on Friday.",
    "The rent is due on the 1st of every month.",
    "The disk alerts we had in February were all noise.",
    "The heat pump pays back in 4.3 years.",
    "周一的演示很糟。",
    "Mon mari travaille à Lyon le mardi.",
    "GET /v2/me returns 401 since the token moved.",
    "The job stopped at 09:12:44,120 and came back at 09:13:02,877.",
    "The taxi cost NT$3,000.",
    "Der Drucker kostet 3.000 € im Jahr.",
    # cut
    "We keep Redis; Kafka was too heavy for two people.",
    "我们没有选它，因为它太慢，而且很贵。",
    "Der Vertrag ist vom 2. Mai und läuft bis zum 31. Dezember.",
    RUNBOOK,
    "```python\ndef f(x):\n    return x * 2\n\n\nprint(f(21))\n```",
    YAML,
    TRACE,
    # misheard
    "I heard the deploys still go to Paris, is that right?",
    "Call me on WhatsApp, I never read e-mail during the day.",
    "我姐住在多伦多，是个护士。",
    "CI now takes 11 minutes.",
    "Je suis allergique à la pénicilline.",
    "私は毎週金曜日に横浜で教えています。",
    "El servidor de pruebas está en la rama azul.",
    "मैं दिल्ली में रहता हूँ।",
)


@pytest.mark.spec("K-01", "K-03")
@pytest.mark.parametrize("text", SAID, ids=lambda text: text[:24])
def test_what_is_said_is_kept_to_the_letter_and_found_by_its_own_words(ada: Viewer, text: str) -> None:
    capture = say(ada, text)

    rows = rows_of(ada, capture)

    assert capture["state"] == "stored"
    assert [row["content"] for row in rows] == [text[slice(*row["span"])] for row in rows]
    assert "".join("".join(row["content"].split()) for row in rows) == "".join(text.split())
    found = {one["id"] for one in recall(ada, text, now="2026-03-03T10:00:00+00:00")}
    assert {row["id"] for row in rows} <= found


@pytest.mark.spec("K-03")
def test_an_assistants_guess_is_found_by_its_own_words_beside_better_known_rows(ada: Viewer) -> None:
    for place, text in enumerate(("The skua post-mortem is on the wiki.", "The skua outage was on Monday.")):
        say(ada, text, session=f"s{place}")
    guess = "Skua post-mortem, final: an intermediate certificate had expired at 02:00, not DNS."
    [row] = rows_of(ada, say(ada, guess, role="assistant", speaker="Bot", session="s9"))

    found = recall(ada, guess, now="2026-03-03T10:00:00+00:00")

    assert found[0]["id"] == row["id"]


PAIRS = (
    ("We gave up the office in Porto last month.", "We rent the office in Porto."),
    ("Anna left the Falcon team.", "Anna manages the Falcon team."),
    ("Dana has two bikes.", "Dana has two kids."),
    ("Dana has two kids.", "我养了一只猫。"),
    ("The Grafana board shows the queue length.", "リリースは金曜日です。"),
    ("The driver app crashes on the Pixel 6.",
     "Root cause of the Pixel 6 crash: the map fragment keeps a destroyed surface."),
    ("The port of the orders API is 7443.", "The port of the orders API is 7443, and TLS is on."),
    ("The backup runs at night.", "The backup does not run at night."),
)  # fmt: skip


@pytest.mark.spec("K-04")
@pytest.mark.parametrize(("first", "then"), PAIRS, ids=lambda text: text[:16])
@pytest.mark.parametrize("swapped", [False, True])
def test_no_judgement_drops_what_was_said(ada: Viewer, first: str, then: str, swapped: bool) -> None:
    said = (then, first) if swapped else (first, then)

    captures = [
        say(ada, text, session=f"s{place}", clock=f"2026-03-0{place + 2}T10:00:00+00:00")
        for place, text in enumerate(said)
    ]

    kept = [[row["content"] for row in rows_of(ada, capture)] for capture in captures]
    assert kept == [[text] for text in said]
    assert not {*captures[0]["memories"]} & {*captures[1]["memories"]}


@pytest.mark.spec("K-04")
def test_what_says_the_same_is_shown_once_with_its_voices_and_found_by_either(ada: Viewer) -> None:
    first = "The payment API timed out because its connection pool held only 5 connections."
    then = first.upper()
    [one] = rows_of(ada, say(ada, first, speaker="Ines", session="a"))
    [two] = rows_of(ada, say(ada, then, speaker="Tom", session="b", clock="2026-03-02T12:00:00+00:00"))

    found = recall(ada, first, now="2026-03-03T10:00:00+00:00")

    shown = [result for result in found if result["id"] in {one["id"], two["id"]}]
    assert [(result["id"], result["voices"], result["restatements"]) for result in shown] == [
        (two["id"], 2, [one["id"]])
    ]
    assert shown[0]["content"] == then
    assert shown[0]["said"] in (first, None)


@pytest.mark.spec("K-04")
def test_what_says_the_same_is_listed_as_far_as_it_is_seen(ada: Viewer) -> None:
    first = "The payment API timed out because its connection pool held only 5 connections."
    [one] = rows_of(ada, say(ada, first, speaker="Ines", session="a"))
    [two] = rows_of(ada, say(ada, first.upper(), speaker="Tom", session="b"))
    [other] = rows_of(ada, say(ada, "The depot moved to Porto.", speaker="Tom", session="b"))
    asked = caller(ada)

    assert [row["id"] for row in asked.get(f"memories?same_as={one['id']}").json()["results"]] == [two["id"]]
    assert [row["id"] for row in asked.get(f"memories?same_as={two['id']}").json()["results"]] == [one["id"]]
    assert asked.get(f"memories?same_as={other['id']}").json()["results"] == []
    asked.post(f"memories/{two['id']}/classify", {"classification": "confidential", "reason": "a customer's"})
    below = caller(ada, ceiling=1)
    assert below.get(f"memories?same_as={one['id']}").json()["results"] == []
    assert below.get(f"memories?same_as={two['id']}").json()["results"] == []


@pytest.mark.spec("K-04")
def test_a_person_takes_a_memory_out_of_its_group_in_one_step(ada: Viewer) -> None:
    first = "The payment API timed out because its connection pool held only 5 connections."
    then = first.upper()
    [one] = rows_of(ada, say(ada, first, speaker="Ines", session="a"))
    [two] = rows_of(ada, say(ada, then, speaker="Tom", session="b", clock="2026-03-02T12:00:00+00:00"))

    done = person(ada, held={None: ["view", "correct"]}).post(
        f"memories/{two['id']}/ungroup", {"reason": "Two incidents."}
    )

    assert done.status_code == 200, done.content
    found = recall(ada, first, now="2026-03-03T10:00:00+00:00")
    shown = {result["id"]: result["restatements"] for result in found}
    assert (shown[one["id"]], shown[two["id"]]) == ([], [])


@pytest.mark.spec("K-08")
@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("I heard the deploys still go to Paris, is that right?", "hearsay"),
        ("Does Anna still live in Lisbon?", "question"),
        ("安娜还住在里斯本吗？", "question"),
        ("アンナはまだリスボンに住んでいますか", "question"),
        ("J'ai entendu que le serveur est à Paris.", "hearsay"),
        ("听说安娜住在里斯本。", "hearsay"),
        ("If Anna lived in Lisbon, she would know.", "hypothetical"),
        ("> Anna lives in Lisbon.", "quote"),
    ],
)
def test_what_is_not_asserted_is_kept_as_what_it_is_and_never_as_a_fact(
    ada: Viewer, text: str, mode: str
) -> None:
    rows = rows_of(ada, say(ada, text))

    assert [(row["content"], row["kind"], row["mode"], row["value"]) for row in rows] == [
        (text, "statement", mode, None)
    ]


@pytest.mark.spec("K-02")
@pytest.mark.parametrize(
    ("text", "annotations"),
    [
        ("We never deploy on Friday.", [("Friday", "recurring", "XXXX-WXX-5")]),
        ("周五不许上线。", [("周五", "recurring", "XXXX-WXX-5")]),
        ("The audit was on Tuesday.", [("Tuesday", "point", "2026-02-24")]),
        ("The audit will be on Tuesday.", [("Tuesday", "point", "2026-03-03")]),
        (
            "The rent is due on the 1st of every month.",
            [("the 1st", "recurring", "XXXX-XX-01"), ("every month", "recurring", "")],
        ),
        ("The heat pump pays back in 4.3 years.", [("4.3 years", "duration", "P51M18D")]),
    ],
)
def test_times_stand_beside_the_words_with_their_places(
    ada: Viewer, text: str, annotations: list[tuple[str, str, str]]
) -> None:
    [row] = rows_of(ada, say(ada, text))

    assert [
        (row["content"][one["start"] : one["end"]], one["kind"], one["value"]) for one in row["annotations"]
    ] == annotations


@pytest.mark.spec("K-02", "C-01")
def test_the_context_writes_the_day_behind_the_words(ada: Viewer) -> None:
    say(ada, "The audit of the cellar was on Tuesday.")

    block = caller(ada).post(
        "context", {"query": "When was the audit of the cellar?", "now": "2026-03-03T10:00:00+00:00"}
    )

    assert "The audit of the cellar was on Tuesday (2026-02-24)." in block.json()["text"]


@pytest.mark.spec("K-03", "K-01")
def test_a_part_of_a_turn_is_shown_with_the_turn_it_was_said_in(ada: Viewer) -> None:
    text = "The capital of Norlund is Bergen. The capital of Estmark is Porto."
    one, two = rows_of(ada, say(ada, text))

    found = {result["id"]: result["quote"] for result in recall(ada, text, now="2026-03-03T10:00:00+00:00")}

    assert (found[one["id"]], found[two["id"]]) == (text, text)


@pytest.mark.spec("K-03", "S-05")
def test_what_was_forgotten_of_a_turn_is_in_no_quote(ada: Viewer) -> None:
    text = "The capital of Norlund is Bergen. The capital of Estmark is Porto."
    one, two = rows_of(ada, say(ada, text))
    forgetter = person(ada, held={None: ["view", "forget"]})
    shown = forgetter.post(f"memories/{one['id']}/forget", {}).json()
    forgetter.post(f"memories/{one['id']}/forget", {"hash": shown["hash"]})

    [left] = recall(ada, "What is the capital of Estmark?", now="2026-03-03T10:00:00+00:00")

    assert (left["id"], left["quote"]) == (two["id"], None)
