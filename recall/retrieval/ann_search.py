"""The channels' SQL for a tenant whose vectors have a shelf of their own (docs/decisions/0016)."""

from pathlib import Path
from typing import Final

from memories.vectors import Home
from recall.channels import IN_VISIBLE, SQL
from security.patterns import bounded
from tenants.sql import load_queries

LARGE: Final = load_queries(Path(__file__).parents[1] / "sql" / "large.sql")
"""The blocks that take the place of those of the same name, and `size`."""

LEADS: Final = 150
TAG_LEADS: Final = 100
"""
Postings of the rarest words of a question, and of its rarest tags, that lead to rows. Ours: many times what
the channels bring (20 and 60). At 100 000 memories a recall's statements cost 19.3 ms of a core with 300 and
150 of them, 16.6 with these; of the ten results 7.6 are those of an answer with 3 000 and 1 500 leads either
way, and the first one is the same as with 300.
"""

SEARCH_WIDTH: Final = {"breadth": "130", "furthest": "10000"}
"""
Parameters of begin_recall: hnsw.ef_search, how many rows the index keeps in view, and hnsw.max_scan_tuples,
after how many it gives up and the visible rows are compared one by one (SPEC R-01).

Measured at 100 000 vectors in 2 000 tight groups of 50, the hard case for an index, with the links that
memories.vectors.partitions gives it: recall@10 .966 at 100, .983 at 120, .988 at 140, .990 at 160. What a
search costs are the pages it looks at, 2 500 of them at 150, some 2 µs each.
"""

_SEEN: Final = bounded(r"\{seen:(\w+\.\w+)\}")
_OF_MEMORY: Final = bounded(r"\bm\.")


def large_block(name: str, *, home: Home, seen: str) -> str:
    """
    Return the SQL of a channel, or of what channels share, for a tenant of this home.

    seen: what may be seen, as a condition on memory m. Blocks without another wording keep theirs, but look
    each row up in place of making the whole set.
    """
    look_up = (
        "(SELECT true FROM memory its WHERE its.tenant_id = %(tenant)s AND its.id = \\1 AND "
        # The group's number is ours; a backslash of the condition's would be taken for one.
        + _OF_MEMORY.sub("its.", seen).replace("\\", "\\\\")
        + ") IS TRUE"
    )
    block = _SEEN.sub(look_up, LARGE[name]) if name in LARGE else IN_VISIBLE.sub(look_up, SQL[name])
    numbers = {"dimensions": home.dimensions, "shelf": home.shelf, "leads": LEADS, "tag_leads": TAG_LEADS}
    for place, number in numbers.items():
        block = block.replace("{" + place + "}", str(int(number)))
    return block
