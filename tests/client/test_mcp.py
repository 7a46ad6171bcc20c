"""`candor mcp` over standard input and output, asked by the official client, in both ways to begin."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from candor import Candor
from candor.models import FingerprintRequest, HandleRequest
from tenants.scope import Viewer
from tests.http.conftest import key_of

PROJECT = Path(__file__).resolve().parents[2]
SAID = "We decided to keep ninety days of ride data, because the insurer asks for it."
QUESTION = "How long do we keep ride data?"
TOOLS = {
    "remember", "recall", "context", "report_outcome", "history", "why", "open_conflicts", "watermarks",
}  # fmt: skip

Ask = Callable[[Client], Awaitable[Any]]


def serve(
    env: dict[str, str], ask: Ask, *, mode: str = "auto", words: tuple[str, ...] = (), cwd: Path = PROJECT
) -> Any:
    """Start the server as a coding agent does, ask, and end it."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "candor", "mcp", *words],
        env={"PYTHONPATH": str(PROJECT), **env},
        cwd=cwd,
    )

    async def run() -> Any:
        async with Client(stdio_client(parameters), mode=mode) as client:
            return await ask(client)

    return asyncio.run(asyncio.wait_for(run(), 60))


async def call(client: Client, name: str, **arguments: Any) -> Any:
    """Call a tool; return its structured result. Raises AssertionError with its words where it failed."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def failure(client: Client, name: str, **arguments: Any) -> str:
    """Call a tool that fails; return what it says."""
    result = await client.call_tool(name, arguments)
    assert result.is_error
    return " ".join(getattr(part, "text", "") for part in result.content)


async def use_every_tool(client: Client, *, files: list[Any]) -> Any:
    """Look at all that the server offers and use it; return what `watermarks` told of these files."""
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.output_schema and tool.description and tool.annotations for tool in tools)
    reads = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
    assert reads == TOOLS - {"remember", "report_outcome", "watermarks"}
    assert "person" not in json.dumps([tool.input_schema for tool in tools])

    kept = await call(client, "remember", text=SAID, role="user", speaker="Priya", verbatim=True)
    found = await call(client, "recall", query=QUESTION, k=3)
    told = await call(client, "context", query=QUESTION)
    memory = found["results"][0]["id"]
    story = await call(client, "why", memory_id=memory)
    reported = await call(client, "report_outcome", recall_id=found["recall_id"], helpful=[memory])
    past = await call(client, "history", memory_id=memory)
    seen = await call(client, "watermarks", files=files, flags={"checkout": "on"})

    assert kept["state"] == "stored"
    assert [one["content"] for one in found["results"]] == [SAID]
    assert SAID in told["text"]
    assert (story["said"], story["speaker"], story["memory"]["id"]) == (SAID, "Priya", memory)
    assert reported["results"] == [{"memory": memory, "outcome": "helpful", "result": "counted"}]
    assert [one["id"] for one in past["chain"]] == [memory]
    assert await call(client, "open_conflicts") == {"results": []}
    resource = (await client.read_resource(f"candor://memories/{memory}")).contents[0]
    assert json.loads(resource.text)["content"] == SAID  # type: ignore[union-attr]
    prompt = await client.get_prompt("use_memory", {"task": "Clean up ride data."})
    assert "Clean up ride data." in prompt.messages[0].content.text  # type: ignore[union-attr]
    assert "never an instruction" in (client.instructions or "")
    return seen


@pytest.mark.spec("I-02")
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_what_is_remembered_is_recalled(
    address: str, ada: Viewer, worker: None, tmp_path: Path, mode: str, revision: str
) -> None:
    (tmp_path / "app.toml").write_text("port = 8010\n")

    async def ask(client: Client) -> None:
        assert client.protocol_version == revision
        seen = await use_every_tool(client, files=["app.toml", "gone.toml"])
        assert (seen["moved"], len(seen["skipped"])) == (0, 1)

    serve({"CANDOR_URL": address, "CANDOR_KEY": key_of(ada)}, ask, mode=mode, cwd=tmp_path)


@pytest.mark.spec("I-02", "E-07")
def test_who_wakes_reports_what_facts_rest_on_without_being_told(
    address: str, ada: Viewer, worker: None, tmp_path: Path
) -> None:
    (tmp_path / "app.toml").write_text("port = 8010\n")
    with Candor(address, key_of(ada)) as client:
        for name, port in (("app.toml", "8010"), ("gone.toml", "8020")):
            sent = FingerprintRequest(handle=HandleRequest(kind="file", path=name), value="1")
            client.create_memory(
                f"The port of {name} in {name} is {port}.", "working_state", entity_key=name,
                concept_key="port", value=port, fingerprints=[sent],
            )  # fmt: skip

    async def ask(client: Client) -> Any:
        return await call(client, "watermarks")

    seen = serve({"CANDOR_URL": address, "CANDOR_KEY": key_of(ada)}, ask, cwd=tmp_path)
    assert (seen["moved"], len(seen["opened"]), len(seen["skipped"])) == (1, 1, 1)


@pytest.mark.spec("I-02", "T-01")
def test_two_tenants_and_two_persons_see_nothing_of_each_other(
    address: str, ada: Viewer, grace: Viewer, worker: None
) -> None:
    secret = "The vault code of the Lisbon office is kept in the blue binder."
    with Candor(address, key_of(ada), person="rui") as client:
        memory = str(client.wait(client.capture(secret, "user", verbatim=True)).memories[0])

    async def look(client: Client) -> str:
        results = [
            await client.call_tool(name, arguments)
            for name, arguments in (
                ("recall", {"query": "Where is the vault code kept?"}),
                ("context", {"query": "Where is the vault code kept?"}),
                ("why", {"memory_id": memory}),
                ("history", {"memory_id": memory}),
                ("open_conflicts", {}),
            )
        ]
        return "".join(result.model_dump_json() for result in results)

    async def owner(client: Client) -> str:
        return str(await call(client, "recall", query="Where is the vault code kept?"))

    keys = {"ada": key_of(ada), "grace": key_of(grace)}
    assert "blue binder" in serve(
        {"CANDOR_URL": address, "CANDOR_KEY": keys["ada"]}, owner, words=("--person", "rui")
    )
    for tenant, person in (("ada", "lena"), ("grace", "rui")):
        seen = serve({"CANDOR_URL": address, "CANDOR_KEY": keys[tenant]}, look, words=("--person", person))
        assert "binder" not in seen
        assert "NotFound" in seen


@pytest.mark.spec("I-02")
def test_a_dead_memory_is_told_from_an_empty_one(address: str, ada: Viewer) -> None:
    async def empty(client: Client) -> Any:
        return await call(client, "recall", query="What is known?")

    async def dead(client: Client) -> str:
        return await failure(client, "recall", query="What is known?")

    nothing = serve({"CANDOR_URL": address, "CANDOR_KEY": key_of(ada)}, empty)
    gone = serve({"CANDOR_URL": "http://127.0.0.1:9", "CANDOR_KEY": "cdr_x"}, dead)
    refused = serve({"CANDOR_URL": address, "CANDOR_KEY": "cdr_" + "x" * 40}, dead)

    assert (nothing["results"], nothing["degraded"]) == ([], [])
    assert "ConnectionFailed" in gone
    assert "Unauthenticated" in refused


def test_without_a_set_up_it_says_what_to_do(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "candor", "mcp"],
        cwd=PROJECT,
        env={"CANDOR_CONFIG": str(tmp_path / "none.json")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr == "candor mcp: No address and no key are known: `candor login` keeps them.\n"
