"""`switch_space` moves a tenant to another embedding model by the operator's word (SPEC M-14)."""

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memories.tasks import fill_homes
from recall.answering.answer import recall
from recall.answering.post_response import wait_until_counted
from recall.questions.question import Question
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.memories.spaces import NEW, OLD, embedders, placed
from tests.integration.memories.writing import NOW, person, write
from tests.wire.embeddings_server import EmbeddingsServer

pytestmark = [pytest.mark.usefixtures("database", "two_spaces"), pytest.mark.spec("M-14")]


@pytest.fixture
def two_spaces(settings: Any) -> Iterator[None]:
    with EmbeddingsServer(dimensions=96) as server:
        settings.EMBEDDERS = embedders(server)
        yield


@pytest.fixture
def a_poor_space(two_spaces: None, settings: Any) -> Iterator[None]:
    with EmbeddingsServer(dimensions=2) as server:
        settings.EMBEDDERS = embedders(server)
        yield


def switch(*arguments: str) -> list[tuple[str, str, int, int]]:
    """Run the command and return the homes it tells: state, space, shelf, lacking."""
    out = StringIO()
    call_command("switch_space", "--tenant", "ada", *arguments, "--json", stdout=out, stderr=StringIO())
    homes = json.loads(out.getvalue())["homes"]
    return [(home["state"], home["space"], home["shelf"], home["lacking"]) for home in homes]


def a_tenant_that_asked(*queries: str, memories: int = 8) -> Viewer:
    ada = make_tenant("ada")
    for number in range(memories):
        text = f"The pump of hall {number} needs oil because seal number {number} leaks."
        write(person(ada), text)
    for query in queries:
        with tenant_scope(person(ada)):
            recall(Question(query=query, channels=("semantic",)), now=NOW)
    wait_until_counted()
    return ada


def test_a_space_that_finds_what_the_former_one_found_is_switched_to() -> None:
    ada = a_tenant_that_asked("seal of the pump of hall 3", "pump of hall 7")

    assert switch("--to", "next") == [("active", NEW, 0, 0), ("kept", OLD, 0, 0)]
    assert placed(ada) == {(OLD, 0): 8, (NEW, 0): 8}
    assert switch("--drop", OLD) == [("active", NEW, 0, 0)]
    assert placed(ada) == {(NEW, 0): 8}


def test_a_space_that_nothing_speaks_for_is_filled_but_not_switched_to() -> None:
    a_tenant_that_asked()

    with pytest.raises(CommandError, match=r"^The new space is not shown to be within 0\.02 of the old one"):
        switch("--to", "next")

    assert switch("--status") == [("active", OLD, 0, 0), ("building", NEW, 0, 0)]


@pytest.mark.usefixtures("a_poor_space")
def test_a_space_that_finds_less_on_the_tenants_own_questions_is_not_switched_to() -> None:
    a_tenant_that_asked(*(f"seal {number} of the pump of hall {number}" for number in range(6)), memories=24)

    with pytest.raises(CommandError, match=r"^The new space is not shown to be within"):
        switch("--to", "next")

    assert switch("--status") == [("active", OLD, 0, 0), ("building", "hashed@1:2", 0, 0)]


def test_who_knows_better_says_why_and_it_is_kept_in_the_trail() -> None:
    ada = a_tenant_that_asked()
    with pytest.raises(CommandError, match=r"^Say why with --reason"):
        switch("--to", "next", "--force")

    assert switch("--to", "next", "--force", "--reason", "measured elsewhere")[0] == ("active", NEW, 0, 0)
    assert switch("--rollback", "--reason", "it finds less")[0] == ("active", OLD, 0, 0)

    with tenant_scope(ada), unit_of_work():
        trail = AuditEvent.objects.filter(action__startswith="vectors.").order_by("at", "id")
        assert list(trail.values_list("action", "reason")) == [
            ("vectors.open", ""),
            ("vectors.switch", "measured elsewhere"),
            ("vectors.roll_back", "it finds less"),
        ]


def test_the_beat_goes_on_with_what_a_command_left() -> None:
    ada = a_tenant_that_asked()
    switch("--to", "next", "--fill-only")
    write(person(ada), "The lift of hall nine was repaired because its rope had worn through.")

    assert fill_homes() == 0
    assert placed(ada) == {(OLD, 0): 9, (NEW, 0): 9}


def test_an_embedder_that_is_not_configured_is_named() -> None:
    make_tenant("ada")

    with pytest.raises(CommandError, match=r"^There is no embedder «newest»; there are default, next\.$"):
        switch("--to", "newest")


def test_a_space_without_similarity_tables_is_refused(settings: Any) -> None:
    a_tenant_that_asked()
    bare = settings.EMBEDDERS["next"] | {"BACKEND": "memories.embedders.openai.OpenAIEmbedder"}
    settings.EMBEDDERS = settings.EMBEDDERS | {"next": bare}

    with pytest.raises(CommandError, match=r"similarity table"):
        switch("--to", "next")

    assert switch("--status") == [("active", OLD, 0, 0)]
