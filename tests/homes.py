"""Homes of embedded servers that a test makes for itself, under the temporary directory."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from config import embedded
from config.embedded import layout

PROJECT: Final = Path(__file__).resolve().parents[1]


@contextmanager
def temporary_homes() -> Iterator[Callable[[str], Path]]:
    """Name homes in a new folder that everybody may walk through; end and delete them afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="candor-test-"))
    folder.chmod(0o755)
    homes: list[Path] = []

    def name(path: str) -> Path:
        homes.append(folder / path)
        return homes[-1]

    yield name
    for home in homes:
        remove(home)
    shutil.rmtree(folder)


def remove(home: Path) -> None:
    """End the servers of a home and delete what lies outside it."""
    assert embedded.stop(home, force=True)
    places = layout.load_layout(home)
    if places is not None:
        shutil.rmtree(places.sockets, ignore_errors=True)
        shutil.rmtree(places.data, ignore_errors=True)
