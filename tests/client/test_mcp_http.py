"""The MCP server at `/mcp`, asked by the official client over streamable HTTP; by hand where it refuses."""

import asyncio
import hashlib
import json
import logging
import os
import re
import subprocess
import tomllib
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import httpx2
import pytest
from django.test import Client as Browser
from django.utils import timezone
from mcp import Client, MCPError
from mcp.client import session as client_session
from mcp.client.streamable_http import streamable_http_client
from pytest_django.fixtures import Settings

from candor import Candor, NotFound
from candor.mcp_server import options as mcp_options
from config.mcp import server
from config.request_id import request_id
from security.models import ApiKey
from security.rest import BUCKETS
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.client.test_mcp import PROJECT, QUESTION, SAID, call, failure, use_every_tool
from tests.factories import make_agent, make_project
from tests.http.conftest import key_of
from tests.http.test_recall import unreadable
from tests.isolation.witness import breaking

Ask = Callable[[Client], Awaitable[Any]]

LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
RECALL = {
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "recall", "arguments": {"query": QUESTION}},
}  # fmt: skip


async def asked(
    address: str, key: str, ask: Ask, *, mode: str = "auto", query: str = "", **headers: str
) -> Any:
    """Let the official client ask with a key, under headers named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {"Authorization": f"Bearer {key}", **named}
    async with httpx2.AsyncClient(headers=sent, timeout=30) as http:
        transport = streamable_http_client(f"{address}/mcp{query}", http_client=http)
        async with Client(transport, mode=mode) as client:
            return await ask(client)


def ask_once(*words: Any, **more: Any) -> Any:
    """Do the same for a test that asks with one client."""
    return asyncio.run(asyncio.wait_for(asked(*words, **more), 60))


def post(address: str, key: str | None, body: Any = None, **headers: str) -> httpx.Response:
    """Send one message by hand."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        named["Authorization"] = f"Bearer {key}"
    content = body if isinstance(body, bytes) else json.dumps(LISTING if body is None else body).encode()
    return httpx.post(
        f"{address}/mcp", content=content, headers={"Content-Type": "application/json", **named}, timeout=30
    )


def refused(response: httpx.Response, status: int) -> str:
    """Return what a refusal says, which is a JSON-RPC error of nobody's request."""
    body = response.json()
    assert (response.status_code, body["jsonrpc"], body["id"]) == (status, "2.0", None), response.text
    return str(body["error"]["message"])


REVISIONS = [
    ("legacy", "2024-11-05"), ("legacy", "2025-03-26"), ("legacy", "2025-06-18"), ("legacy", "2025-11-25"),
    ("auto", "2026-07-28"),
]  # fmt: skip


@pytest.mark.spec("I-02")
@pytest.mark.parametrize(("mode", "revision"), REVISIONS)
def test_every_tool_answers_in_every_revision(
    address: str, ada: Viewer, worker: None, monkeypatch: pytest.MonkeyPatch, mode: str, revision: str
) -> None:
    monkeypatch.setattr(client_session, "LATEST_HANDSHAKE_VERSION", revision)
    digest = hashlib.sha256(b"port = 8010\n").hexdigest()

    async def ask(client: Client) -> None:
        assert client.protocol_version == revision
        seen = await use_every_tool(client, files=[{"path": "app.toml", "sha256": digest}])
        assert seen == {"verified": 0, "moved": 0, "opened": [], "skipped": []}

    ask_once(address, key_of(ada), ask, mode=mode)


PLACES = {
    ("ada", "rui"): "blue binder", ("ada", "lena"): "red folder", ("grace", "rui"): "green drawer",
}  # fmt: skip
SECRET = "We found that the vault code of the Lisbon office is in the {}, because the desk was moved."
VAULT = "Where is the vault code of the Lisbon office kept?"


@pytest.mark.spec("I-02", "T-01")
def test_two_tenants_and_two_persons_at_once_see_nothing_of_each_other(
    address: str, ada: Viewer, grace: Viewer, worker: None
) -> None:
    keys = {"ada": key_of(ada), "grace": key_of(grace)}
    ids: dict[tuple[str, str], str] = {}
    for (tenant, person), place in PLACES.items():
        with Candor(address, keys[tenant], person=person) as client:
            made = client.create_memory(content=SECRET.format(place), kind="finding")
            ids[tenant, person] = str(made.memory.id)

    def look(who: tuple[str, str]) -> Ask:
        async def ask(client: Client) -> str:
            seen = []
            for _ in range(3):
                for name, arguments in (
                    ("recall", {"query": VAULT, "k": 50}),
                    ("context", {"query": VAULT}),
                    ("open_conflicts", {}),
                    *((tool, {"memory_id": ids[one]}) for one in ids for tool in ("why", "history")),
                ):
                    seen.append((await client.call_tool(name, arguments)).model_dump_json())
            for one in ids:
                try:
                    seen.append(
                        (await client.read_resource(f"candor://memories/{ids[one]}")).model_dump_json()
                    )
                except MCPError as error:
                    seen.append(str(error))
            return "".join(seen)

        return ask

    async def all_at_once() -> list[str]:
        both = [(who, mode) for who in PLACES for mode in ("legacy", "auto")]
        return await asyncio.gather(
            *(asked(address, keys[who[0]], look(who), mode=mode, Candor_Person=who[1]) for who, mode in both)
        )

    answers = asyncio.run(asyncio.wait_for(all_at_once(), 120))

    for who, answer in zip([who for who in PLACES for _ in range(2)], answers, strict=True):
        assert {other for other, place in PLACES.items() if place in answer} == {who}
        assert "NotFound" in answer


@pytest.mark.spec("S-02", "I-02")
def test_without_a_key_in_force_nobody_gets_in_and_is_told_how(address: str, ada: Viewer) -> None:
    revoked = key_of(ada)
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.update(revoked_at=timezone.now())
    good = key_of(ada)
    near = good[:-1] + ("y" if good.endswith("x") else "x")

    answers = [post(address, key) for key in (None, "nonsense", near, revoked)]
    where = answers[0].headers["WWW-Authenticate"].partition('resource_metadata="')[2].rstrip('"')
    described = httpx.get(where).json()

    assert [refused(answer, 401) for answer in answers] == [refused(answers[0], 401)] * 4
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {
        f'Bearer realm="candor", resource_metadata="{address}/.well-known/oauth-protected-resource/mcp"'
    }
    assert described["resource"] == f"{address}/mcp"
    assert described["bearer_methods_supported"] == ["header"]
    assert "authorization_servers" not in described
    assert post(address, good).status_code == 200


@pytest.mark.spec("S-02")
def test_who_tries_key_after_key_is_slowed_down_here_too(
    address: str, ada: Viewer, settings: Settings
) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 1
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.update(revoked_at=timezone.now())
    wrong = key_of(ada)
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.update(revoked_at=timezone.now())

    answers = [post(address, wrong) for _ in range(4)]

    assert [answer.status_code for answer in answers][:1] == [401]
    assert "Too many requests" in refused(answers[-1], 429)
    assert int(answers[-1].headers["Retry-After"]) >= 1


@pytest.mark.spec("S-02")
def test_each_tool_needs_the_scope_of_what_it_does(address: str, ada: Viewer) -> None:
    async def ask(client: Client) -> tuple[str, Any]:
        return await failure(client, "recall", query=QUESTION), await call(client, "open_conflicts")

    said, conflicts = ask_once(address, key_of(ada, scopes=["read"]), ask)

    assert "Forbidden" in said
    assert "«recall»" in said
    assert conflicts == {"results": []}


@pytest.mark.spec("S-02")
def test_a_keys_requests_are_counted_at_the_door_and_within(
    address: str, ada: Viewer, settings: Settings
) -> None:
    settings.KEY_REQUESTS_PER_MINUTE = 4
    BUCKETS.forget()
    key = key_of(ada)
    answers = [post(address, key, RECALL) for _ in range(4)]

    results = [answer.json()["result"]["isError"] for answer in answers[:2]]
    assert results == [False, False]
    assert "Too many requests" in refused(answers[3], 429)


@pytest.mark.spec("S-02", "I-02")
def test_a_person_whom_the_key_may_not_name_is_refused_at_the_door(address: str, ada: Viewer) -> None:
    agent = make_agent(tenant=ada, slug="atlas")
    key = key_of(ada, agent=agent.id, persons=["rui"])

    assert post(address, key, Candor_Person="rui").status_code == 200
    for name in ("lena", "two words"):
        answer = post(address, key, Candor_Person=name)
        refused(answer, 400)
        assert answer.json()["error"]["data"]["errors"][0]["field"] == "Candor-Person"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_there_is_no_stream_and_no_session_to_end(address: str, ada: Viewer, method: str) -> None:
    answer = httpx.request(
        method, f"{address}/mcp", headers={"Authorization": f"Bearer {key_of(ada)}"}, timeout=5
    )

    refused(answer, 405)
    assert answer.headers["Allow"] == "POST"


def test_what_would_hold_a_thread_open_is_not_served(address: str, ada: Viewer) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    listen = {
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {"_meta": meta, "notifications": {"toolsListChanged": True}},
    }  # fmt: skip

    answer = post(
        address,
        key_of(ada),
        listen,
        MCP_Protocol_Version="2026-07-28",
        Mcp_Method="subscriptions/listen",
        Accept="application/json, text/event-stream",
    )

    assert answer.status_code >= 400
    assert "text/event-stream" not in answer.headers.get("Content-Type", "")


BODIES: dict[str, tuple[bytes, int, str]] = {
    "too big": (b'{"a": "' + b"x" * 1_100_000 + b'"}', 413, "larger than"),
    "no JSON": (b"{", 400, "not valid JSON"),
    "a batch": (json.dumps([LISTING, LISTING]).encode(), 400, "must be a JSON object"),
    "a key twice": (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', 400, "twice"),
    "too deep": (b'{"a":' * 40 + b"1" + b"}" * 40, 400, "too deeply"),
}


@pytest.mark.spec("S-07")
@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_read_as_strictly_as_the_apis(address: str, ada: Viewer, name: str) -> None:
    body, status, said = BODIES[name]

    assert said in refused(post(address, key_of(ada), body), status)


@pytest.mark.spec("S-07")
def test_a_foreign_origin_or_host_is_refused(address: str, ada: Viewer, settings: Settings) -> None:
    key = key_of(ada)
    settings.ALLOWED_HOSTS = ["127.0.0.1", "memory.example.org"]

    for origin in ("https://evil.example", "null", "http://[", "https://memory.example.org.evil.example", ""):
        assert refused(post(address, key, Origin=origin), 403)
    for origin in (address, "https://memory.example.org"):
        assert post(address, key, Origin=origin).status_code == 200
    assert post(address, key, Host="evil.example").status_code == 400


@pytest.mark.spec("I-02")
def test_watermarks_read_no_file_of_the_server(address: str, ada: Viewer) -> None:
    of_passwd = hashlib.sha256(b"guessed").hexdigest()

    async def ask(client: Client) -> list[str]:
        (tool,) = [tool for tool in (await client.list_tools()).tools if tool.name == "watermarks"]
        assert "sha256" in json.dumps(tool.input_schema)
        return [
            await failure(client, "watermarks", files=["/etc/passwd"]),
            await failure(client, "watermarks", git=[{"scope": "candor"}]),
            await failure(client, "watermarks"),
            str(await call(client, "watermarks", files=[{"path": "etc/passwd", "sha256": of_passwd}])),
        ]

    said = ask_once(address, key_of(ada), ask)

    assert "Nothing to report" in said[2]
    assert not [one for one in said if "root:" in one]
    assert "'verified': 0, 'moved': 0" in said[3]


@pytest.mark.spec("I-02", "O-04")
def test_a_sick_service_is_told_from_an_empty_one(address: str, ada: Viewer) -> None:
    key = key_of(ada)

    async def ask(client: Client) -> Any:
        return await call(client, "recall", query=QUESTION)

    async def fail(client: Client) -> str:
        return await failure(client, "recall", query=QUESTION)

    empty = ask_once(address, key, ask)
    with unreadable("posting"):
        degraded = ask_once(address, key, ask)
    with unreadable("posting", "embedding"):
        broken = ask_once(address, key, fail)
    elsewhere = ask_once(address, key, fail, query="?project=nowhere")

    assert (empty["results"], empty["degraded"]) == ([], [])
    assert degraded["degraded"] == ["lexical", "tag", "fuzzy"]
    assert "Unavailable: 503" in broken
    assert "There is no such project." in elsewhere


def test_what_breaks_at_the_door_is_told_without_its_words(address: str, ada: Viewer) -> None:
    key = key_of(ada)
    named = "candor_authenticate_v4(bytea, text)"
    with breaking() as database:
        database.execute(f"ALTER FUNCTION {named} RENAME TO candor_gone")
        try:
            answer = post(address, key)
        finally:
            database.execute("ALTER FUNCTION candor_gone(bytea, text) RENAME TO candor_authenticate_v4")

    assert refused(answer, 500) == "Something broke on our side."
    assert "candor_auth" not in answer.text


@pytest.mark.spec("I-02", "S-01")
def test_project_and_session_are_those_of_the_address_and_the_header(
    address: str, ada: Viewer, worker: None
) -> None:
    key = key_of(ada, scopes=["capture", "recall", "read"])
    make_project(tenant=ada, slug="guide")
    before = f"mcp-{timezone.now():%Y-%m-%d}"

    async def remember(client: Client) -> str:
        kept = await call(client, "remember", text=SAID, role="user", verbatim=True)
        return str(kept["memories"][0])

    named = ask_once(address, key, remember, query="?project=guide", Candor_Session="tea%20time")
    unnamed = ask_once(address, key, remember)

    async def read(client: Client) -> None:
        await call(client, "why", memory_id=named)

    ask_once(address, key, read, Candor_Session="reading")
    with Candor(address, key) as client:
        with pytest.raises(NotFound):
            client.get_session("tea time")
        assert client.get_memory(named).session == "tea time"
        assert client.get_memory(unnamed).session in {before, f"mcp-{timezone.now():%Y-%m-%d}"}
        of_guide = client.list_memories(project="guide").results
        assert [str(one.id) for one in of_guide] == [named]
        assert client.get_session("reading").marks


class Ids(logging.Handler):
    """Notes for each line of the log by which request it was written."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[str, str]] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Note the logger and the request's id."""
        self.seen.add((record.name.partition(".")[0], request_id.get()))


def test_a_requests_id_is_that_of_all_that_it_asks_for(address: str, ada: Viewer) -> None:
    noted, root = Ids(), logging.getLogger()
    root.addHandler(noted)
    try:
        with unreadable("posting", "embedding"):
            answer = post(address, key_of(ada), RECALL, X_Request_ID="trace-me-0001")
    finally:
        root.removeHandler(noted)

    assert answer.json()["result"]["isError"]
    assert answer.headers["X-Request-ID"] == "trace-me-0001"
    assert {one for one in noted.seen if one[0] == "recall"} == {("recall", "trace-me-0001")}


@pytest.mark.spec("I-02")
def test_it_can_be_switched_off(address: str, ada: Viewer, settings: Settings) -> None:
    settings.MCP = False

    assert post(address, key_of(ada)).status_code == 404
    assert httpx.get(f"{address}/.well-known/oauth-protected-resource/mcp").status_code == 404


PAGE = (PROJECT / "docs" / "mcp.md").read_text("utf-8")


def remote_set_ups() -> list[tuple[str, dict[str, str]]]:
    """Return query and headers of each set-up of the page that names the address."""
    blocks = re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL)
    servers = [
        (json.loads(text)["mcpServers"] if kind == "json" else tomllib.loads(text)["mcp_servers"])["candor"]
        for kind, text in blocks
    ]
    found = []
    for one in (one for one in servers if "url" in one):
        headers = dict(one.get("headers") or one["http_headers"])
        if name := one.get("bearer_token_env_var"):
            headers["Authorization"] = f"Bearer ${{{name}}}"
        found.append((one["url"].removeprefix("https://memory.example.org/mcp"), headers))
    return found


@pytest.mark.spec("I-02")
def test_every_remote_set_up_of_the_page_works(address: str, ada: Viewer) -> None:
    key = key_of(ada)
    make_project(tenant=ada, slug="guide")

    async def ask(client: Client) -> Any:
        return await call(client, "recall", query=QUESTION)

    for query, headers in remote_set_ups():
        shown = headers.pop("Authorization")
        assert re.fullmatch(r"Bearer \$\{(env:)?CANDOR_KEY\}", shown)
        assert ask_once(address, key, ask, query=query, **headers)["degraded"] == []
    assert len(remote_set_ups()) == 3


@pytest.mark.spec("I-02")
def test_the_pages_curl_command_works(address: str, ada: Viewer) -> None:
    (command,) = re.findall(r"^curl .*?'$", PAGE, re.DOTALL | re.MULTILINE)
    ran = subprocess.run(
        ["sh", "-c", command.replace("https://memory.example.org", address)],
        env={**os.environ, "CANDOR_KEY": key_of(ada)},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )

    assert json.loads(ran.stdout)["result"]["structuredContent"]["degraded"] == []


ENTRY = json.loads((PROJECT / "server.json").read_text("utf-8"))


@pytest.mark.spec("I-02")
def test_the_registry_entry_is_what_the_registry_takes() -> None:
    """The registry's schema is not kept here; these are its rules for what the entry uses."""
    (package,), (remote,) = ENTRY["packages"], ENTRY["remotes"]
    inputs = [*package["environmentVariables"], *remote["headers"], *remote["variables"].values()]

    assert set(ENTRY) <= {"$schema", "name", "title", "description", "version", "packages", "remotes"}
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", ENTRY["name"])
    assert 1 <= len(ENTRY["description"]) <= 100
    assert (package["registryType"], package["transport"]) == ("pypi", {"type": "stdio"})
    assert (remote["type"], remote["url"]) == ("streamable-http", "https://{host}/mcp")
    for one in inputs:
        named = set(re.findall(r"{(\w+)}", one.get("value", "")))
        assert set(one) <= {
            "name", "description", "isRequired", "isSecret", "placeholder", "value", "variables",
        }  # fmt: skip
        assert named == set(one.get("variables", ()))
    assert {one["name"] for one in inputs if one.get("isSecret")} == {"CANDOR_KEY", "Authorization"}


@pytest.mark.spec("I-02")
def test_the_registry_entry_says_what_there_is() -> None:
    (package,), (remote,) = ENTRY["packages"], ENTRY["remotes"]
    project = tomllib.loads((PROJECT / "candor" / "pyproject.toml").read_text("utf-8"))["project"]
    start = [one["value"] for one in package["packageArguments"]]
    given = {one["name"]: f"said-{one['name']}" for one in package["environmentVariables"]}
    options = mcp_options(given).parse_args(start[1:])

    assert ENTRY["version"] == package["version"] == project["version"]
    assert package["identifier"] == project["name"]
    assert package["runtimeArguments"][0]["value"] == f"candor[mcp]=={project['version']}"
    assert start == ["mcp"]
    assert set(given) == {"CANDOR_URL", "CANDOR_KEY"} | {
        f"CANDOR_{name.upper()}" for name in vars(options) if str(vars(options)[name]).startswith("said-")
    }
    assert {one["name"] for one in remote["headers"]} == {"Authorization", "Candor-Person", "Candor-Session"}
    readme = (PROJECT / "candor" / "README.md").read_text("utf-8")
    assert f"<!-- mcp-name: {ENTRY['name']} -->" in readme


@pytest.mark.spec("I-02", "T-02")
def test_behind_a_proxy_that_ends_tls_the_tools_reach_the_service(
    database: None, ada: Viewer, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.ALLOWED_HOSTS = ["memory.example.org"]
    sent = {
        "Host": "memory.example.org",
        "X-Forwarded-Proto": "https",
        "Authorization": f"Bearer {key_of(ada)}",
    }
    server._service.cache_clear()  # what it made of the settings is its own
    try:
        answer = Browser().post("/mcp", json.dumps(RECALL), content_type="application/json", headers=sent)
    finally:
        server._service.cache_clear()
    described = Browser().get("/.well-known/oauth-protected-resource/mcp", headers=sent)

    assert answer.json()["result"]["structuredContent"]["degraded"] == []
    assert described.json()["resource"] == "https://memory.example.org/mcp"
