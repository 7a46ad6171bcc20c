"""
Backups: a dump of one moment with what proves it, and the way back (SPEC O-05).

What a backup holds is written down beside it in numbers, tenant by tenant, and compared after a restore.
"""

from config.backup.dump import drop_old, make_backup, put_audit_key_back, secret_mark, write_keys
from config.backup.errors import BackupError
from config.backup.manifest import FILE, Manifest, Progress, check_files, read_manifest
from config.backup.restore import Destination, bring_back

__all__ = [
    "FILE",
    "BackupError",
    "Destination",
    "Manifest",
    "Progress",
    "bring_back",
    "check_files",
    "drop_old",
    "make_backup",
    "put_audit_key_back",
    "read_manifest",
    "secret_mark",
    "write_keys",
]
