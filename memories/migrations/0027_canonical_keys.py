"""One spelling of the keys of states that are stored; what thereby meets is settled as a conflict would be."""

import unicodedata
from pathlib import Path
from typing import Any, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from memories.language import fold
from security.patterns import bounded

SQL = Path(__file__).parent / "sql"

# A frozen copy of memories.language.keys as of this migration: it shall do tomorrow what it did today.
LONGEST: Final = 800
JOINERS: Final = "\u200c\u200d"
SELECTORS: Final = bounded("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
CODE: Final = bounded(r"[a-z]{2,4} \d[\d ]{2,}")
WORD_ENDS: Final = bounded(r"(?<=[^\W\d_])[#+]++(?![^\W_])")

BATCH: Final = 1000


def canonical(key: str, join: str) -> str:
    """Return a key in its one spelling; empty if it holds no word."""
    for _ in range(6):
        again = fold_key(key, join)
        if again == key:
            break
        key = again
    key = key.encode()[:LONGEST].decode(errors="ignore").strip(JOINERS + join)
    return key.replace(" ", "") if join == " " and CODE.fullmatch(key) else key


def fold_key(key: str, join: str) -> str:
    """Return a key's words, joined."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", fold(key)).casefold())
    plain = SELECTORS.sub("", plain)
    ends = {place for run in WORD_ENDS.finditer(plain) for place in range(*run.span())}
    parts = (char if place in ends else as_part(char) for place, char in enumerate(plain))
    return join.join(filter(None, (word.strip(JOINERS) for word in "".join(parts).split())))


def as_part(char: str) -> str:
    """Return the character, a blank if it parts words, nothing if it is unseen."""
    category = unicodedata.category(char)
    if char in JOINERS or category[0] in "LMN" or category in ("So", "Sc", "Co"):
        return char
    return "" if category in ("Cf", "Cn", "Cs") else " "


def spell_keys(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write every key in its one spelling. A key of signs alone becomes «unnamed»: a state cannot lack it."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE respelled_key (sort text, old text, new text, PRIMARY KEY (sort, old)) "
            "ON COMMIT DROP"
        )
        for sort, join, source in (
            ("entity", " ", "SELECT entity_key FROM memory UNION SELECT entity_key FROM contradiction"),
            (
                "concept",
                "_",
                "SELECT concept_key FROM memory UNION SELECT concept_key FROM contradiction "
                "UNION SELECT predicate FROM triple",
            ),
        ):
            cursor.execute(source)
            keys = [key for (key,) in cursor.fetchall() if key is not None]
            pairs = [(sort, key, new) for key in keys if (new := canonical(key, join) or "unnamed") != key]
            for at in range(0, len(pairs), BATCH):
                cursor.executemany("INSERT INTO respelled_key VALUES (%s, %s, %s)", pairs[at : at + BATCH])
        cursor.execute((SQL / "0027_settle_keys.sql").read_text())


class Migration(migrations.Migration):
    dependencies = [("memories", "0026_claim_by_cost")]

    operations = [
        migrations.RunSQL(
            (SQL / "0027_open_keys.sql").read_text(),
            migrations.RunSQL.noop,
        ),
        # Going back keeps the spelling: the former ones read it as well.
        migrations.RunPython(spell_keys, migrations.RunPython.noop),
        migrations.RunSQL(
            (SQL / "0027_close_keys.sql").read_text(),
            migrations.RunSQL.noop,
        ),
    ]
