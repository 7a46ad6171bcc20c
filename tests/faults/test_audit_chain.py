"""8 processes × 200 appends × 3 tenants, rolled back and killed as drawn."""

from pathlib import Path
from typing import Any

import pytest

from security.audit.query import verify
from security.models import AuditEvent, AuditLink
from tenants.scope import tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.security.appending import append_in_children, expected, make_script

PROCESSES, APPENDS = 8, 200


@pytest.mark.spec("S-03")
def test_many_processes_leave_one_chain_for_each_tenant(settings: Any, tmp_path: Path) -> None:
    settings.AUDIT_DIR, settings.AUDIT_KEY = tmp_path, "ab" * 32
    tenants = [make_tenant(slug) for slug in ("ada", "bo", "cy")]
    scripts = [
        make_script(12, child, tenants, appends=APPENDS * len(tenants), kill=0.0005)
        for child in range(PROCESSES)
    ]

    assert append_in_children(scripts) == []

    for tenant in tenants:
        wanted = expected(scripts, tenant)
        assert len(wanted) > PROCESSES * APPENDS / 2
        with tenant_scope(tenant):
            report = verify()
            with unit_of_work():
                done = sorted(AuditEvent.objects.values_list("object_id", flat=True))
                seqs = list(AuditLink.objects.order_by("seq").values_list("seq", flat=True))
        assert (report.broken, report.events) == (0, len(wanted))
        assert (done, seqs) == (sorted(wanted), list(range(1, len(wanted) + 1)))
