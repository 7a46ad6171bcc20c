"""
A tenant as lines of JSON, out of one database and into another (SPEC I-03, O-05).

A backup is of a whole database and of one version of PostgreSQL; this is what one customer takes along.
"""

from config.transfer.errors import TransferError
from config.transfer.form import Header, Total, open_to_read, open_to_write
from config.transfer.load import Arrival, load_tenant
from config.transfer.write import write_tenant

__all__ = [
    "Arrival",
    "Header",
    "Total",
    "TransferError",
    "load_tenant",
    "open_to_read",
    "open_to_write",
    "write_tenant",
]
