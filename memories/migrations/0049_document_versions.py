"""
Find the versions of a source, and say which one holds (SPEC M-11).

Code of before gives new documents no `source_hash`: they replace nothing and nothing replaces them.
"""

import django.db.models.deletion
from django.db import migrations, models

import tenants.models

REFERENCE = """
ALTER TABLE document ADD CONSTRAINT document_replaced_by_id_tenant
FOREIGN KEY (tenant_id, replaced_by_id) REFERENCES document (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
"""

# The owner is held by the walls as everybody is; what it fills here it fills for all tenants.
FILL = """
ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
UPDATE document SET source_hash = sha256(convert_to(source, 'UTF8')) WHERE source <> '';
ALTER TABLE document FORCE ROW LEVEL SECURITY
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0048_document_upload")]

    operations = [
        migrations.AddField(
            "document",
            "source_hash",
            models.BinaryField(
                blank=True,
                help_text="SHA-256 of the source, by which versions are found; null: none.",
                null=True,
            ),
        ),
        migrations.AddField(
            "document",
            "replaced_by",
            tenants.models.TenantForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                help_text="The version that holds.",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to="memories.document",
            ),
        ),
        migrations.RunSQL(REFERENCE, "ALTER TABLE document DROP CONSTRAINT document_replaced_by_id_tenant"),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            "document",
            models.Index(
                condition=models.Q(("source_hash__isnull", False)),
                fields=["tenant", "source_hash"],
                name="document_source",
            ),
        ),
    ]
