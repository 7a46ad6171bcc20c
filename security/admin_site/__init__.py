"""What admin pages are made of: a tenant's rows, steps that ask for a reason, tables and bars (SPEC H-05)."""

from security.admin_site.admin_actions import BadWords, Deed, DeskAdmin, Table
from security.admin_site.charts import bars
from security.admin_site.tenant_admin import (
    Beside,
    TenantAdmin,
    ceiling_choices,
    ceiling_name,
    class_name,
    may_act,
)

__all__ = [
    "BadWords",
    "Beside",
    "Deed",
    "DeskAdmin",
    "Table",
    "TenantAdmin",
    "bars",
    "ceiling_choices",
    "ceiling_name",
    "class_name",
    "may_act",
]
