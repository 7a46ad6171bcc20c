"""The guard of tests/conftest.py: no socket is opened while a transaction is open."""

import socket
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import transaction

from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work

pytestmark = pytest.mark.usefixtures("asking")


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    """A socket of this machine that listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()


def test_a_socket_opened_in_a_unit_of_work_fails_the_test(address: tuple[str, int]) -> None:
    with (
        tenant_scope(pipeline_viewer(uuid4())),
        unit_of_work(),
        socket.socket() as client,
        pytest.raises(AssertionError, match=r"inside a transaction on \['default'\]"),
    ):
        client.connect(address)


def test_a_socket_opened_in_any_transaction_fails_the_test(address: tuple[str, int]) -> None:
    with (
        transaction.atomic(using="owner"),
        socket.socket() as client,
        pytest.raises(AssertionError, match=r"\['owner'\]"),
    ):
        client.connect(address)


def test_a_socket_opened_beside_a_transaction_is_let_through(address: tuple[str, int]) -> None:
    with tenant_scope(pipeline_viewer(uuid4())):
        with unit_of_work():
            pass
        socket.create_connection(address).close()
