"""The program `candor mcp`: the server over standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from mcp.server.mcpserver import MCPServer

from candor.client import AsyncCandor
from candor.errors import CandorError
from candor.mcp_server.server import build
from candor.mcp_server.tools import Conversation
from candor.mcp_server.watermarks import LocalTools
from candor.profiles import choose
from candor.wire.sending import Retries

RETRIES: Final = Retries(attempts=3, patience=10.0)
"""An agent that waits for its memory does nothing else; it is told soon when the memory is out."""


def options(environment: Mapping[str, str] = os.environ) -> argparse.ArgumentParser:
    """Return what the program takes; the environment has what is left out."""
    parser = argparse.ArgumentParser(
        prog="candor mcp", description="Serve the memory as MCP on standard input and output."
    )
    add = parser.add_argument
    add("--profile", help="which set-up; else CANDOR_URL and CANDOR_KEY, or the one in use")
    add("--person", help="the end user whom the agent talks with", default=environment.get("CANDOR_PERSON"))
    add("--project", help="of which all is", default=environment.get("CANDOR_PROJECT"))
    add("--session", help="the conversation; else a new one", default=environment.get("CANDOR_SESSION"))
    add("--root", help="the project's folder, for watermarks; else this one", type=Path, default=Path.cwd())
    return parser


def main(words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
    """Serve on standard input and output until it closes."""
    given = options(environment).parse_args(words)
    try:
        profile = choose(given.profile, environment)
        person = given.person or profile.person
        client = AsyncCandor(profile.url, profile.key, person=person, retries=RETRIES)
    except CandorError as error:
        sys.exit(f"candor mcp: {error}")

    @asynccontextmanager
    async def lifespan(_server: MCPServer[Any]) -> AsyncIterator[None]:
        async with client:
            yield

    session = given.session or f"mcp-{uuid4().hex[:12]}"
    now = Conversation(client, client, session, given.project)
    build(LocalTools(lambda: now, root=given.root), lifespan=lifespan).run("stdio")
