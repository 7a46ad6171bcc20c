"""Look for a word in everything there is: tables by the catalogue, past every wall, the cache, files."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import redis
from django.conf import settings

from tenants.scope import Viewer
from tests.isolation.catalogue import tenant_tables
from tests.isolation.witness import backup, breaking

_TABLES = """
SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
ORDER BY 1, 2
"""


def scan(word: str) -> dict[str, int]:
    """Return table → rows in which the word stands, in any case and any column, leaves of partitions too."""
    with backup() as witness, witness.cursor() as cursor:
        cursor.execute(_TABLES)
        tables = cursor.fetchall()
        found = {name: _count(cursor, f'"{schema}"."{name}"', word) for schema, name in tables}
    return {name: count for name, count in found.items() if count}


_STATISTICS = """
SELECT s.starelid::regclass || '.' || a.attname
FROM pg_statistic s JOIN pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum
WHERE concat_ws(' ', s.stavalues1, s.stavalues2, s.stavalues3, s.stavalues4, s.stavalues5)
      ILIKE ANY (%(texts)s)
UNION ALL
SELECT s.statistics_name FROM pg_stats_ext s WHERE s::text ILIKE ANY (%(texts)s)
UNION ALL
SELECT e.extname FROM pg_extension e WHERE e.extname = 'pg_stat_statements'
ORDER BY 1
"""
"""Columns and extended statistics; an extension that would keep statements is found whatever it keeps."""


def analyse() -> None:
    """Have PostgreSQL look at every table of ours, as its background process does now and then."""
    with breaking() as superuser:
        superuser.execute("ANALYZE")


def scan_statistics(word: str) -> list[str]:
    """Return the columns in whose statistics for the planner the word stands; only a superuser sees all."""
    with breaking() as superuser:
        found = superuser.execute(_STATISTICS, {"texts": [f"%{word}%", f"%{word.encode().hex()}%"]})
        return [row[0] for row in found.fetchall()]


def scan_cache(word: str) -> list[str]:
    """Return the keys of the shared cache, the broker's Valkey, in whose name or value the word stands."""
    found = []
    with redis.Redis.from_url(str(settings.CACHE_URL)) as client:
        for key in client.scan_iter(count=1000):
            held = b" ".join([key, *_held(client, key)])
            if word.lower().encode() in held.lower():
                found.append(key.decode("utf-8", "replace"))
    return found


def _held(client: Any, key: bytes) -> Iterator[bytes]:
    """Yield all that a key holds, whatever its sort."""
    sort = client.type(key)
    if sort == b"string":
        yield client.get(key) or b""
    elif sort == b"list":
        yield from client.lrange(key, 0, -1)
    elif sort == b"hash":
        yield from (part for pair in client.hgetall(key).items() for part in pair)
    elif sort in (b"set", b"zset"):
        yield from (client.smembers(key) if sort == b"set" else client.zrange(key, 0, -1))


def scan_files(word: str, *folders: Path) -> list[str]:
    """Return the files of the home, logs among them, and of the folders in which the word stands."""
    told = os.environ.get("CANDOR_TEST_HOME")  # by who started the servers, to parallel workers too
    home = Path(told) if told else None
    roots = [*folders, *([home] if home else [])]
    # PostgreSQL's own files keep a deleted row until a VACUUM, and its log of changes until it is recycled.
    left_out = home / "data" / "postgres" if home else None
    return [str(path) for path in _files(roots, left_out) if word.lower().encode() in _bytes_of(path)]


def _files(roots: Iterable[Path], left_out: Path | None) -> Iterator[Path]:
    """Yield the files below the folders; the servers go on meanwhile, and what they remove is passed by."""
    for root in roots:
        for folder, inner, names in os.walk(root):
            inner[:] = [name for name in inner if Path(folder, name) != left_out]
            yield from (path for name in names if (path := Path(folder, name)).is_file())


def _bytes_of(path: Path) -> bytes:
    """Return a file's bytes in lower case; none of one that is gone: the servers go on meanwhile."""
    try:
        return path.read_bytes().lower()
    except FileNotFoundError:
        return b""


def _count(cursor: Any, table: str, word: str) -> int:
    """Count rows with the word as text, and with its bytes: a bytea column is printed in hexadecimal."""
    texts = [f"%{word}%", f"%{word.encode().hex()}%", f"%{word.lower().encode().hex()}%"]
    cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text ILIKE ANY (%(texts)s)", {"texts": texts})
    return int(cursor.fetchone()[0])


def rows_of(tenant: Viewer) -> dict[str, list[str]]:
    """Return every row of a tenant as text, by table."""
    found: dict[str, list[str]] = {}
    with backup() as witness, witness.cursor() as cursor:
        for table in tenant_tables(cursor):
            cursor.execute(
                f'SELECT t::text FROM "{table.name}" t WHERE t.{table.tenant} = %(tenant)s ORDER BY 1',
                {"tenant": tenant.tenant_id},
            )
            found[table.name] = [row[0] for row in cursor.fetchall()]
    return found
