"""Django's PostgreSQL backend, as this service uses it: named in settings as ENGINE."""

from tenants.db.statement_batch import Trip, number_names, send_together

__all__ = [
    "Trip",
    "number_names",
    "send_together",
]
