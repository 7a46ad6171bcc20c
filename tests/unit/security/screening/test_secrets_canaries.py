"""Canaries of every maker in every form are replaced; hashes, ids and references of daily work stay."""

import hashlib
import random
from collections.abc import Iterator
from uuid import UUID

import pytest

from security.screening.secrets import redact, redact_named, redact_tree
from security.screening.secrets.tree import RedactedTree
from tests.unit.security.screening.canaries import FORMS, NAMED, SHAPES, canaries

AWS = "AKIA" + "Q3EXAMPLE7KEY4ID"

CARRIERS = (
    "Build {} is on staging since Monday.",
    "Ticket opened for request id {}, the customer waits.",
    "The image digest is sha256:{}, compare it before any rollout.",
    "commit {} fixed the flaky test",
    "请先核对校验值 {} 再刷写固件。",
    "primary key = {}",
    "See https://git.example/ada/api/commit/{} for the change.",
    "trace_id={} span_id=00f067aa0ba902b7",
    "The token count was {} in the log line.",
    "ETag: \"{}\"",
)  # fmt: skip


def benign_texts(count: int) -> Iterator[str]:
    """Yield texts of daily work with hashes, UUIDs and Git's names of commits in them."""
    dice = random.Random(7)
    for place in range(count):
        digest = hashlib.sha256(str(place).encode()).hexdigest()
        ids = (digest, digest[:40], digest[:12], digest[:7], str(UUID(digest[:32])), digest[:32].upper())
        yield dice.choice(CARRIERS).format(dice.choice(ids))


@pytest.mark.spec("W-07")
def test_no_canary_of_any_maker_in_any_form_stays_in_a_text() -> None:
    made = list(canaries())

    left = [canary.name for canary in made if any(raw in redact(canary.text).text for raw in canary.raw)]

    assert len(made) == len(SHAPES) * len(FORMS) + len(NAMED) > 600
    assert left == []


@pytest.mark.spec("W-07")
def test_a_redacted_canary_is_redacted_for_good() -> None:
    once = [redact(canary.text).text for canary in canaries()]

    assert [redact(text).text for text in once] == once


@pytest.mark.spec("W-07")
def test_at_most_one_in_a_hundred_texts_with_hashes_is_touched() -> None:
    texts = list(benign_texts(1000))

    touched = [text for text in texts if redact(text).found]

    assert len(touched) <= 10, touched[:10]


@pytest.mark.spec("W-07")
@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        (
            f"in the mail\n> {AWS[:9]}\n> {AWS[9:]}\nas agreed",
            "in the mail\n> [secret:aws_access_key]\nas agreed",
        ),
        (f"key {AWS[:9]}\\\n    {AWS[9:]} end", "key [secret:aws_access_key] end"),
        (f'{{"key": "{AWS[:9]}\\n{AWS[9:]}"}}', '{"key": "[secret:aws_access_key]"}'),
        (f"use {AWS}\nthen go on", "use [secret:aws_access_key]\nthen go on"),
        ("the word akia\nstands here alone", "the word akia\nstands here alone"),
    ],
)
def test_a_token_broken_over_lines_goes_and_nothing_beside_it(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.spec("W-07")
def test_a_tree_keeps_its_form_and_loses_its_secrets() -> None:
    tree = {
        "password": "hunter2", "pin": 4821, "user": "ada", AWS: True, "size": 3.5, "none": None,
        "list": ["fine", AWS, {"api_key": "9f8a7b6c5d4e3f2a1b0c"}], "password_age": "180 days",
    }  # fmt: skip

    assert redact_tree(tree) == RedactedTree(
        value={
            "password": "[secret:password]", "pin": "[secret:pin]", "user": "ada",
            "[secret:aws_access_key]": True, "size": 3.5, "none": None,
            "list": ["fine", "[secret:aws_access_key]", {"api_key": "[secret:api_key]"}],
            "password_age": "180 days",
        },
        kinds=("password", "pin", "aws_access_key", "aws_access_key", "api_key"),
    )  # fmt: skip


@pytest.mark.spec("W-07")
def test_a_second_secret_key_of_a_kind_keeps_its_value() -> None:
    tree = {AWS: "one", AWS[:-1] + "Z": "two"}

    assert redact_tree(tree).value == {"[secret:aws_access_key]": "one", "[secret:aws_access_key]'": "two"}


@pytest.mark.spec("W-07")
@pytest.mark.parametrize(
    ("name", "value", "redacted"),
    [
        ("db_password", "hunter2", "[secret:password]"),
        ("口令", "芝麻开门", "[secret:password]"),
        ("api token", "9f8a7b6c5d4e3f2a1b0c", "[secret:api_key]"),
        ("password policy", "14 characters", "14 characters"),
        ("ingest_port", "8088", "8088"),
        ("", "hunter2", "hunter2"),
    ],
)
def test_a_value_is_read_under_its_name(name: str, value: str, redacted: str) -> None:
    assert redact_named(name, value) == redacted
