"""What may be switched off: by a tenant parts of memory, by an operator the guard (SPEC W-20)."""

from collections.abc import Collection
from typing import Final

from django.db import connection

from tenants.models import Tenant
from tenants.scope import tenant_in_force, unit_of_work, viewer_in_force

SWITCHES: Final[dict[str, str]] = {
    "extraction": "notes are read out of talk; off: each turn is kept as it was said",
    "supersession": "a new value retires the former one; off: both stay, and a person is asked",
    "knowledge": "findings that say the same are shown as one and grow into patterns; off: each stands alone",
    "injection": "memory is put into prompts; off: a context is empty and says so, recall still answers",
}
"""Switch → what it does, and what happens without. Secrets and noise have none."""

GUARD: Final = "guard"
"""What `switched_off` holds while the security guard is off. No switch of the tenant's: see `set_guard`."""

CONSOLE: Final = "console"
"""Who acts in the operator's commands: whoever has the service's machine, nobody with a key or login."""


class UnknownSwitch(ValueError):
    """There is no such switch. Choose from those that `tenants.switches.SWITCHES` lists."""


class OperatorOnly(PermissionError):
    """The guard is switched at the operator's console only: manage.py switch --guard."""


def switched_off() -> frozenset[str]:
    """Return what is switched off for the tenant in force, `guard` among it. Raises NoTenant."""
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
    return _set(on=on, off=off)


def set_guard(*, on: bool) -> frozenset[str]:
    """
    Switch the guard against injected instructions on or off; return what is off now.

    Off, what the detectors say of a text is only noted on its trace. Raises OperatorOnly for anybody but the
    operator's console: a tenant's own operator is a person with a login, who may be taken in or taken over.
    """
    viewer = viewer_in_force()
    if (viewer.actor_kind, viewer.actor_id) != ("operator", CONSOLE):
        raise OperatorOnly(OperatorOnly.__doc__)
    return _set(on=[GUARD]) if on else _set(off=[GUARD])


def _set(*, on: Collection[str] = (), off: Collection[str] = ()) -> frozenset[str]:
    with unit_of_work():
        tenant = Tenant.objects.select_for_update().get(id=tenant_in_force())
        tenant.switched_off = sorted((set(tenant.switched_off) | set(off)) - set(on))
        tenant.save(update_fields=["switched_off"])
        return frozenset(tenant.switched_off)
