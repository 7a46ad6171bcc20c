"""How much of the machine's memory the embedded PostgreSQL takes for its cache."""

import os
from pathlib import Path

import pytest

from config.embedded.memory import MEGABYTE, cache_settings, machine_memory

GIGABYTE = 1024 * MEGABYTE


@pytest.mark.parametrize(
    ("memory", "buffers", "seen"),
    [
        (512 * MEGABYTE, "128MB", "256MB"),  # never less than PostgreSQL's own default
        (2 * GIGABYTE, "256MB", "1024MB"),
        (8 * GIGABYTE, "1024MB", "4096MB"),
        (64 * GIGABYTE, "2048MB", "32768MB"),
    ],
)
def test_the_cache_grows_with_the_machine_between_two_bounds(memory: int, buffers: str, seen: str) -> None:
    assert cache_settings(memory) == {"shared_buffers": buffers, "effective_cache_size": seen}


def test_a_containers_limit_counts_where_it_is_less_than_the_machine(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text(f"{256 * MEGABYTE}\n")

    assert machine_memory((limit,)) == 256 * MEGABYTE


@pytest.mark.parametrize("told", ["max", "9223372036854771712", None], ids=["none", "version 1", "no file"])
def test_without_a_limit_the_machines_memory_counts(tmp_path: Path, told: str | None) -> None:
    limit = tmp_path / "memory.max"
    if told:
        limit.write_text(told)

    assert machine_memory((limit,)) == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
