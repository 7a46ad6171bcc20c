from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerHold

SQL = Path(__file__).parent / "sql"

REFERRING = (
    "contradiction", "corroboration", "embedding", "lineage", "link", "memory_version", "mention", "observation",
    "posting", "summary", "triple", "usage", "verification", "watermark",
)  # fmt: skip
"""Tables that refer to memories and that the definer sees already."""

SEEN_FROM_NOW = ("consolidation", "entity", "entity_alias", "feedback", "learnt_of_memory", "recalled_memory")


class Migration(migrations.Migration):
    """A memory can be erased with all that refers to it, and in no other way."""

    dependencies = [
        ("evolution", "0004_consolidation"),
        ("memories", "0014_erasure"),
        ("recall", "0003_definer_erases"),
    ]

    operations = [
        LetDefinerHold("Feedback"),
        LetDefinerHold("Consolidation"),
        DefinerFunction(
            "candor_erase_memories(uuid[])",
            (SQL / "0005_erase_memories.sql").read_text(),
            {
                **dict.fromkeys(REFERRING, "DELETE"),
                **dict.fromkeys(SEEN_FROM_NOW, "SELECT, DELETE"),
                "entity": "SELECT, DELETE, UPDATE (salience)",
                "erasure": "SELECT",
                "memory": "DELETE, UPDATE (superseded_by_id)",
            },
        ),
    ]
