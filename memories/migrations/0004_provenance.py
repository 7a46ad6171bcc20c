from pathlib import Path

from django.db import migrations, models

from tenants.rls import (
    APPEND,
    CapByClearance,
    DefinerFunction,
    IsolateByTenant,
    LetDefinerHold,
)

SQL = Path(__file__).parent / "sql"

CHANGING = (
    "archived_at", "cardinality", "classification", "content", "content_hash", "effective_at", "entities",
    "importance", "keywords", "last_verified_at", "manual_tags", "metadata", "occurred_at",
    "occurred_resolved", "standing", "superseded_at", "superseded_by_id", "tags", "trust", "updated_at",
    "valid_from", "valid_until", "value", "version",
)  # fmt: skip
"""The columns of a memory that may change; where it comes from, whose it is and what it is about may not."""

CLASSED = "SELECT, UPDATE (classification)"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0004_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_entities_documents_contradictions")]

    operations = [
        migrations.CreateModel(
            name="Lineage",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "child_id",
                        "parent_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("classification", models.SmallIntegerField(default=1)),
            ],
            options={
                "db_table": "lineage",
                "base_manager_name": "objects",
                "managed": False,
            },
        ),
        migrations.RunSQL(read("lineage"), "DROP TABLE lineage"),
        IsolateByTenant("Lineage", verbs=APPEND),
        CapByClearance("Lineage"),
        migrations.RunSQL(
            [
                "REVOKE UPDATE ON memory FROM candor_app",
                f"GRANT UPDATE ({', '.join(CHANGING)}) ON memory TO candor_app",
            ],
            [
                f"REVOKE UPDATE ({', '.join(CHANGING)}) ON memory FROM candor_app",
                "GRANT UPDATE ON memory TO candor_app",
            ],
        ),
        migrations.RunSQL(
            read("weight"),
            "ALTER TABLE memory DROP CONSTRAINT memory_trust_within_origin; DROP FUNCTION candor_weight",
        ),
        migrations.RunSQL(
            read("guard"), "DROP TRIGGER memory_guard ON memory; DROP FUNCTION candor_guard_memory"
        ),
        LetDefinerHold("CollectionStat"),
        LetDefinerHold("Contradiction"),
        LetDefinerHold("Embedding"),
        LetDefinerHold("Lineage"),
        LetDefinerHold("Link"),
        LetDefinerHold("Memory"),
        LetDefinerHold("MemoryVersion"),
        LetDefinerHold("Mention"),
        LetDefinerHold("Posting"),
        LetDefinerHold("Summary"),
        LetDefinerHold("Triple"),
        LetDefinerHold("Usage"),
        migrations.RunSQL(read("raise_beside"), "DROP FUNCTION candor_raise_beside"),
        migrations.RunSQL(read("hold_descendants"), "DROP FUNCTION candor_hold_descendants"),
        DefinerFunction("candor_check_lineage()", read("check_lineage"), {"tenant": "SELECT"}),
        DefinerFunction(
            "candor_hold_lineage()",
            read("hold_lineage"),
            {
                "lineage": CLASSED,
                "memory": "SELECT, UPDATE (trust, classification, provenance, standing)",
            },
        ),
        DefinerFunction("candor_hold_lineage_late()", read("hold_lineage_late"), {}),
        DefinerFunction(
            "candor_hold_memory()",
            read("hold_memory"),
            {
                "collection_stat": "SELECT, INSERT, UPDATE",
                "contradiction": CLASSED,
                "embedding": CLASSED,
                "link": CLASSED,
                "memory_version": CLASSED,
                "mention": CLASSED,
                "posting": "SELECT, UPDATE (classification, live)",
                "summary": CLASSED,
                "triple": CLASSED,
                "usage": CLASSED,
            },
        ),
        # Each function's file makes its trigger: once handed over, its owner alone could. They go before it.
        migrations.RunSQL(
            migrations.RunSQL.noop,
            "DROP TRIGGER memory_hold ON memory; DROP TRIGGER lineage_hold_late ON lineage; "
            "DROP TRIGGER lineage_hold ON lineage; DROP TRIGGER lineage_check ON lineage",
        ),
    ]
