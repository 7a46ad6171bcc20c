"""The service on a real socket, for the client: the application itself, in threads of this process."""

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections
from typer.testing import CliRunner

from candor import Candor
from config.health_writes import disk, writes
from memories.ingestion import notify
from recall.answering.post_response import wait_until_counted
from security.keys.brute_force_limit import GUESSES
from security.rest import BUCKETS
from tenants.scope import Viewer
from tests.client.shell import COMMAND, Done, Run
from tests.factories import make_tenant
from tests.http.conftest import key_of
from tests.http.test_docs_examples import working


class Handler(WSGIRequestHandler):
    """Keeps the connection open, as a real server does, and notes the requests instead of printing them."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[str]] = []

    def parse_request(self) -> bool:
        """Note method and path before anything is answered."""
        good = super().parse_request()
        if good:
            self.seen.append(self.requestline.removesuffix(" HTTP/1.1"))
        return good

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def address(database: None) -> Iterator[str]:
    """Serve the application on a port of this machine; return its address."""
    Handler.seen.clear()
    BUCKETS.forget()
    GUESSES.forget()
    writes.forget()
    disk.forget()
    server = ThreadedWSGIServer(("127.0.0.1", 0), Handler, connections_override={})
    server.daemon_threads = True
    server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()
    wait_until_counted()  # of recalls that were answered just now
    connections.close_all()


@pytest.fixture
def requests_seen(address: str) -> list[str]:
    """Method and path of each request that the service has answered."""
    return Handler.seen


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant."""
    return make_tenant("ada")


@pytest.fixture
def grace(database: None) -> Viewer:
    """Another tenant."""
    return make_tenant("grace")


@pytest.fixture
def connect(address: str) -> Iterator[Callable[..., Candor]]:
    """Make clients with new keys of a tenant."""
    made: list[Candor] = []

    def make(tenant: Viewer, *, person_named: str | None = None, **key: Any) -> Candor:
        made.append(Candor(address, key_of(tenant, **key), person=person_named))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def worker(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work ada's queue beside the test."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    with working(ada):
        yield


@pytest.fixture
def shell(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], Run]:
    """A shell of somebody with a key, or with none; each with a home of its own."""
    monkeypatch.delenv("CANDOR_URL", raising=False)
    monkeypatch.delenv("CANDOR_KEY", raising=False)

    def open_(key: str | None) -> Run:
        home = tmp_path / uuid4().hex
        env = {"CANDOR_CONFIG": str(home / "config.json"), "COLUMNS": "200", "NO_COLOR": "1"}
        env |= {"CANDOR_URL": address, "CANDOR_KEY": key} if key else {}

        def run(*words: str, stdin: str = "", **more: str) -> Done:
            with CliRunner().isolation(input=stdin, env=env | more) as (out, err, _):
                with pytest.raises(SystemExit) as end:
                    COMMAND.main(list(words), prog_name="candor")
                sys.stdout.flush()
                sys.stderr.flush()
                return Done(int(end.value.code or 0), out.getvalue().decode(), err.getvalue().decode())

        return run

    return open_


@pytest.fixture
def candor(shell: Callable[[str | None], Run], ada: Viewer) -> Run:
    """The command line of somebody who may do everything."""
    return shell(key_of(ada))
