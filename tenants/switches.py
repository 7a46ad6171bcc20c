"""What a tenant may switch off in its write track (SPEC W-20)."""

from collections.abc import Collection
from typing import Final

from django.db import connection

from tenants.models import Tenant
from tenants.scope import tenant_in_force, unit_of_work

SWITCHES: Final[dict[str, str]] = {
    "extraction": "notes are read out of talk; off: each turn is kept as it was said",
    "supersession": "a new value retires the former one; off: both stay, and a person is asked",
    "knowledge": "findings that say nearly the same are merged; off: each stands by itself",
    "injection": "instructions and disguises are quarantined; off: they are only noted on the trace",
}
"""Switch → what it does, and what happens without. Secrets and noise have none."""


class UnknownSwitch(ValueError):
    """There is no such switch. Choose from those that `tenants.switches.SWITCHES` lists."""


def switched_off() -> frozenset[str]:
    """Return what the tenant in force has switched off. Raises NoTenant."""
    with (
        unit_of_work(),
        connection.cursor() as cursor,
    ):  # read for every capture: by hand, a third of the time
        cursor.execute("SELECT switched_off FROM tenant WHERE id = %s", [tenant_in_force()])
        row = cursor.fetchone()
    return frozenset(row[0] if row else ())


def set_switches(*, on: Collection[str] = (), off: Collection[str] = ()) -> frozenset[str]:
    """Switch parts of the tenant in force on and off; return what is off now. Raises UnknownSwitch."""
    if unknown := {*on, *off} - SWITCHES.keys():
        raise UnknownSwitch(f"{', '.join(sorted(unknown))}: {UnknownSwitch.__doc__}")
    with unit_of_work():
        tenant = Tenant.objects.select_for_update().get(id=tenant_in_force())
        tenant.switched_off = sorted((set(tenant.switched_off) | set(off)) - set(on))
        tenant.save(update_fields=["switched_off"])
        return frozenset(tenant.switched_off)
