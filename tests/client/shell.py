"""The command line, and how a command of it ended."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from typer.main import get_command

from candor.cli import app

COMMAND = get_command(app)  # made once: typer makes it anew for each call


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it answered, read."""
        return json.loads(self.out)


Run = Callable[..., Done]
