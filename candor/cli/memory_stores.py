"""memory-stores: Anthropic's Memory Stores on an address of this machine, with Candor behind them."""

from __future__ import annotations

import signal
from typing import Annotated

import typer

from candor.cli.session import AsJson, failures, note, set_up
from candor.memory_stores import MemoryStores, serve


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("memory-stores")(memory_stores)


def memory_stores(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Where it listens; 0.0.0.0: to the whole network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: one that is free.")] = 8020,
    url: Annotated[str | None, typer.Option(help="Candor's address; default: the profile's.")] = None,
    as_json: AsJson = False,
) -> None:
    """
    Serve Anthropic's /v1/memory_stores: `Anthropic(base_url=…, api_key=…)` with a key of Candor.

    Each request brings its own key; this one's is not used.
    """
    with failures(as_json):
        address = url or set_up(context).url
    stores = MemoryStores(address)
    try:
        server = serve(stores, host, port)
    except OSError as error:
        raise typer.BadParameter(f"{host}:{port} cannot be listened on: {error.strerror}") from error
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what a service manager sends
    with server:
        note(f"http://{host}:{server.server_port}/v1/memory_stores serves what {address} holds.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            note("Ended.")
        finally:
            stores.close()
