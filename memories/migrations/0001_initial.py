from pathlib import Path

import django.contrib.postgres.fields
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models

import tenants.models
from tenants.rls import (
    APPEND,
    EDIT,
    EVERY,
    CapByClearance,
    IsolateByTenant,
    TenantKey,
    clearance_policy,
    isolate_table,
)

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("security", "0001_initial"),
        ("tenants", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="CollectionStat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "classification",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                ("documents", models.BigIntegerField(default=0)),
                ("total_length", models.BigIntegerField(default=0)),
                (
                    "version",
                    models.BigIntegerField(
                        default=0, help_text="Moves with every change of the neighbourhood."
                    ),
                ),
            ],
            options={
                "db_table": "collection_stat",
                "managed": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Embedding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "space",
                        "memory_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("space", models.TextField()),
                (
                    "shelf",
                    models.SmallIntegerField(
                        default=0, help_text="0: shared by small tenants; n: a big tenant's own."
                    ),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
            ],
            options={
                "db_table": "embedding",
                "managed": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "term",
                        "memory_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("term", models.TextField()),
                ("frequency", models.SmallIntegerField()),
                ("length", models.IntegerField(help_text="Terms in the whole searched text.")),
                ("classification", models.SmallIntegerField(default=1)),
                ("live", models.BooleanField(default=True)),
            ],
            options={
                "db_table": "posting",
                "managed": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Memory",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("content", models.TextField()),
                (
                    "kind",
                    models.TextField(
                        choices=[
                            ("invariant", "invariant"),
                            ("working_state", "working_state"),
                            ("profile", "profile"),
                            ("preference", "preference"),
                            ("skill", "skill"),
                            ("interest", "interest"),
                            ("task", "task"),
                            ("estimate", "estimate"),
                            ("episode", "episode"),
                            ("decision", "decision"),
                            ("example", "example"),
                            ("finding", "finding"),
                            ("correction", "correction"),
                            ("negative", "negative"),
                            ("meta", "meta"),
                            ("pattern", "pattern"),
                            ("concept", "concept"),
                            ("passage", "passage"),
                        ]
                    ),
                ),
                (
                    "card",
                    models.TextField(
                        choices=[("state", "state"), ("event", "event"), ("knowledge", "knowledge")]
                    ),
                ),
                (
                    "standing",
                    models.SmallIntegerField(
                        choices=[(0, "Current"), (1, "Contender"), (2, "Superseded")], default=0
                    ),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                ("shared", models.BooleanField(default=False)),
                (
                    "domain",
                    models.TextField(default="", help_text="Empty: none. «*»: marked for all domains."),
                ),
                (
                    "layer",
                    models.TextField(
                        choices=[("personal", "personal"), ("work", "work"), ("social", "social")],
                        default="work",
                    ),
                ),
                ("concept_key", models.TextField(blank=True, null=True)),
                ("entity_key", models.TextField(blank=True, null=True)),
                ("value", models.TextField(blank=True, null=True)),
                (
                    "cardinality",
                    models.TextField(
                        blank=True, choices=[("single", "single"), ("multi", "multi")], null=True
                    ),
                ),
                (
                    "keywords",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                (
                    "manual_tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                (
                    "entities",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                (
                    "importance",
                    models.SmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                    ),
                ),
                ("confidence", models.FloatField()),
                (
                    "provenance",
                    models.TextField(
                        choices=[
                            ("user_correction", "user_correction"),
                            ("user_stated", "user_stated"),
                            ("measured", "measured"),
                            ("agent_chat", "agent_chat"),
                            ("connector", "connector"),
                            ("extracted", "extracted"),
                            ("agent_inferred", "agent_inferred"),
                        ]
                    ),
                ),
                ("trust", models.FloatField()),
                ("assigned_by", models.TextField(blank=True, null=True)),
                ("session", models.TextField(default="")),
                (
                    "turn",
                    models.IntegerField(blank=True, help_text="Place in its session, from 0.", null=True),
                ),
                ("speaker", models.TextField(default="")),
                ("content_hash", models.BinaryField(help_text="SHA-256 of the folded, lower-cased content.")),
                ("created_at", models.DateTimeField()),
                ("occurred_at", models.DateTimeField()),
                ("occurred_resolved", models.BooleanField(default=False)),
                ("effective_at", models.DateTimeField()),
                ("superseded_at", models.DateTimeField(blank=True, null=True)),
                ("valid_from", models.DateTimeField(blank=True, null=True)),
                ("valid_until", models.DateTimeField(blank=True, null=True)),
                ("last_verified_at", models.DateTimeField()),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
                ("updated_at", models.DateTimeField()),
                ("version", models.IntegerField(default=1)),
                (
                    "metadata",
                    models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                (
                    "agent",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        help_text="Whose it is; none: the tenant's own.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.agent",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "memories",
                "db_table": "memory",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Capture",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField()),
                (
                    "role",
                    models.TextField(
                        choices=[("user", "user"), ("assistant", "assistant"), ("tool", "tool")]
                    ),
                ),
                ("speaker", models.TextField(default="")),
                ("session", models.TextField(default="")),
                ("turn", models.IntegerField(help_text="Place in its session, from 0.")),
                ("clock", models.DateTimeField()),
                ("timezone", models.TextField(default="UTC")),
                ("verbatim", models.BooleanField(default=False)),
                (
                    "references",
                    models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                (
                    "secrets_found",
                    models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                ("shared", models.BooleanField(default=False)),
                ("domain", models.TextField(default="")),
                ("classification", models.SmallIntegerField(default=1)),
                ("idempotency_key", models.TextField(blank=True, null=True)),
                ("request_hash", models.BinaryField(blank=True, null=True)),
                (
                    "state",
                    models.TextField(
                        choices=[
                            ("pending", "pending"),
                            ("processing", "processing"),
                            ("stored", "stored"),
                            ("discarded", "discarded"),
                            ("quarantined", "quarantined"),
                            ("dead", "dead"),
                        ],
                        default="pending",
                    ),
                ),
                ("attempts", models.SmallIntegerField(default=0)),
                ("lease_token", models.UUIDField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                (
                    "trace",
                    models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                (
                    "memory_ids",
                    models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                ("error", models.TextField(default="")),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "agent",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.agent",
                    ),
                ),
                (
                    "api_key",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="security.apikey",
                    ),
                ),
                (
                    "project",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.project",
                    ),
                ),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "capture",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Usage",
            fields=[
                (
                    "memory",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="usage",
                        serialize=False,
                        to="memories.memory",
                    ),
                ),
                ("q_value", models.FloatField(default=0.5)),
                ("recalled", models.IntegerField(default=0)),
                ("verified", models.IntegerField(default=0)),
                ("last_recalled_at", models.DateTimeField(null=True)),
                ("last_accessed_at", models.DateTimeField()),
                (
                    "tier",
                    models.TextField(
                        choices=[("hot", "hot"), ("warm", "warm"), ("archive", "archive")], default="hot"
                    ),
                ),
                ("pinned", models.BooleanField(default=False)),
                ("classification", models.SmallIntegerField(default=1)),
            ],
            options={
                "db_table": "usage",
                "base_manager_name": "objects",
            },
        ),
        migrations.AddField(
            model_name="memory",
            name="capture",
            field=tenants.models.TenantForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to="memories.capture",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="project",
            field=tenants.models.TenantForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to="tenants.project",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="superseded_by",
            field=tenants.models.TenantForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to="memories.memory",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="tenant",
            field=tenants.models.TenantField(
                on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
            ),
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "type",
                    models.TextField(
                        choices=[
                            ("related_to", "related_to"),
                            ("parent_of", "parent_of"),
                            ("part_of", "part_of"),
                            ("affects_state", "affects_state"),
                            ("contradicts", "contradicts"),
                            ("supersedes", "supersedes"),
                            ("derived_from", "derived_from"),
                            ("because", "because"),
                            ("evidence", "evidence"),
                            ("references", "references"),
                            ("similar_to", "similar_to"),
                            ("precedes", "precedes"),
                            ("follows", "follows"),
                            ("authored_by", "authored_by"),
                        ]
                    ),
                ),
                ("weight", models.FloatField()),
                ("confidence", models.FloatField(default=1.0)),
                (
                    "origin",
                    models.TextField(choices=[("auto", "auto"), ("llm", "llm"), ("manual", "manual")]),
                ),
                ("created_at", models.DateTimeField()),
                ("last_verified_at", models.DateTimeField()),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
                (
                    "source",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="links_out",
                        to="memories.memory",
                    ),
                ),
                (
                    "target",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="links_in",
                        to="memories.memory",
                    ),
                ),
            ],
            options={
                "db_table": "link",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="MemoryVersion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("version", models.IntegerField()),
                ("content", models.TextField()),
                ("replaced_at", models.DateTimeField()),
                ("reason", models.TextField()),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="memories.memory",
                    ),
                ),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "memory_version",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(fields=["tenant", "session", "turn"], name="capture_session"),
        ),
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(fields=["tenant", "created_at"], name="capture_created"),
        ),
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(
                condition=models.Q(("state__in", ("pending", "processing"))),
                fields=["leased_until", "created_at"],
                name="capture_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="capture",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="capture_class"
            ),
        ),
        migrations.AddConstraint(
            model_name="capture",
            constraint=models.UniqueConstraint(
                fields=("tenant", "api_key", "idempotency_key"), name="capture_idempotency_key"
            ),
        ),
        migrations.AddField(
            model_name="usage",
            name="tenant",
            field=tenants.models.TenantField(
                on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["tenant", "content_hash"], name="memory_content_hash"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["tenant", "entity_key", "concept_key"], name="memory_concept"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["tenant", "session", "turn"], name="memory_session"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["tenant", "capture"], name="memory_capture"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["tenant", "occurred_at"], name="memory_occurred"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="memory_class"
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("importance__range", (1, 5))), name="memory_importance"
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("confidence__range", (0.0, 1.0)), ("trust__range", (0.0, 1.0))),
                name="memory_trust",
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("provenance", "agent_inferred"), _negated=True),
                    ("trust__lte", 0.4),
                    _connector="OR",
                ),
                name="memory_inferred_is_a_guess",
            ),
        ),
        migrations.AddIndex(
            model_name="link",
            index=models.Index(fields=["tenant", "target", "type"], name="link_target"),
        ),
        migrations.AddConstraint(
            model_name="link",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="link_class"
            ),
        ),
        migrations.AddConstraint(
            model_name="link",
            constraint=models.CheckConstraint(
                condition=models.Q(("source", models.F("target")), _negated=True), name="link_not_to_itself"
            ),
        ),
        migrations.AddConstraint(
            model_name="link",
            constraint=models.UniqueConstraint(
                fields=("tenant", "source", "target", "type"), name="link_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="memoryversion",
            constraint=models.UniqueConstraint(
                fields=("tenant", "memory", "version"), name="memory_version_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="memoryversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="memory_version_class"
            ),
        ),
        migrations.AddConstraint(
            model_name="usage",
            constraint=models.CheckConstraint(
                condition=models.Q(("q_value__range", (0.0, 1.0))), name="usage_q_value"
            ),
        ),
        migrations.AddConstraint(
            model_name="usage",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="usage_class"
            ),
        ),
        TenantKey("Capture"),
        TenantKey(
            "Memory",
            include=[
                "standing",
                "classification",
                "project_id",
                "agent_id",
                "shared",
                "domain",
                "valid_from",
                "valid_until",
                "archived_at",
                "kind",
            ],
        ),
        TenantKey("MemoryVersion"),
        TenantKey("Usage"),
        TenantKey("Link"),
        migrations.RunSQL(
            (SQL / "0001_search_tables.sql").read_text(),
            "DROP TABLE collection_stat, posting, embedding",
        ),
        migrations.RunSQL((SQL / "0001_visible.sql").read_text(), "DROP FUNCTION candor_visible"),
        IsolateByTenant("Capture", verbs=EDIT),
        CapByClearance("Capture"),
        IsolateByTenant("Memory", verbs=EDIT),
        CapByClearance("Memory"),
        IsolateByTenant("MemoryVersion", verbs=APPEND),
        CapByClearance("MemoryVersion"),
        IsolateByTenant("Usage", verbs=EDIT),
        CapByClearance("Usage"),
        IsolateByTenant("Link", verbs=EVERY),
        CapByClearance("Link"),
        IsolateByTenant("Embedding", verbs=EVERY),
        CapByClearance("Embedding"),
        IsolateByTenant("Posting", verbs=EVERY),
        CapByClearance("Posting"),
        IsolateByTenant("CollectionStat", verbs=EDIT),
        CapByClearance("CollectionStat"),
        migrations.RunSQL(
            [*isolate_table("embedding_shelf_0", verbs=EVERY), clearance_policy("embedding_shelf_0")],
            migrations.RunSQL.noop,
        ),
    ]
