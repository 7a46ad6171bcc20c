"""What an arbiter takes for the same, or for an update, must have to do with the question (SPEC K-04)."""

import pytest

from tenants.scope import Viewer
from tests.http.saying import recall, say

pytestmark = [pytest.mark.usefixtures("no_broker", "rules_only"), pytest.mark.spec("K-04", "K-05")]

ASKED = "2026-03-20T10:00:00+00:00"


def tell(tenant: Viewer, *texts: str) -> None:
    for day, text in enumerate(texts):
        say(tenant, text, session=f"s-{day}", clock=f"2026-03-{2 + 2 * day:02}T10:00:00+00:00")


def test_what_has_nothing_to_do_with_the_question_stands_for_nothing(ada: Viewer) -> None:
    tell(
        ada, "I never eat pork.", "I had pork dumplings yesterday and loved them.",
        "Le wifi invité n'a plus de mot de passe.", "We water the tomatoes at 6 am.",
    )  # fmt: skip
    found = [row["content"] for row in recall(ada, "Do I eat pork?", now=ASKED)]
    assert found[0] in ("I never eat pork.", "I had pork dumplings yesterday and loved them.")
    assert "I never eat pork." in found[:2]
