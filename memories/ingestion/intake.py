"""
The turns in which long texts are taken from callers.

# Note [Long texts are taken by turns]
To take a text of 20 000 characters, which is to look for secrets in it and write it down, keeps the
interpreter for some 30 ms. Whoever sends one after the other, on a few connections and within the budget of
bytes, has the process half to themselves, and a short question of another tenant takes twice as long. So long
texts are taken one at a time, tenants by bytes, and after each the lane rests for REST times what it took: a
flood of them has a tenth of the process at most. That is still what KEY_INGEST_BYTES_PER_MINUTE lets a key
send.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from memories.embedders import MOST_WAITING, Lane
from security.rest import FREE_BYTES
from tenants.scope import give_connections_back, viewer_in_force

REST: Final = 9.0
"""
Ours: others then have nine tenths of a process. A recall beside a flood took 1.60 times as long with 3,
and takes 1.47 times with 9 (95th percentile by `make bench-recall`; docs/decisions/0056).
"""

_LANE: Final = Lane(at_once=1, most_waiting=MOST_WAITING, rest=REST)


@contextmanager
def turn_to_take(size: int) -> Iterator[None]:
    """Hold a turn while the block takes a text of `size` bytes; a short one needs none. Raises ReaderBusy."""
    if size <= FREE_BYTES:
        yield
        return
    give_connections_back()
    with _LANE.turn(viewer_in_force().tenant_id, cost=size, is_question=False):
        yield
