"""The audit's checkpoints: where they are written and with which key they are signed."""

from pathlib import Path

from config.settings.environment import BASE_DIR, listing, number, text

_HOME = Path(text("CANDOR_HOME", str(BASE_DIR / ".candor"))).resolve()

#: Folder of the signed checkpoints: on another disk, and copied away, they outlive the database.
AUDIT_DIR = Path(text("CANDOR_AUDIT_DIR", str(_HOME / "audit")))
#: Private key as 64 hexadecimal digits; unset: one is made in the home, `audit.key`, at the first checkpoint.
AUDIT_KEY = text("CANDOR_AUDIT_KEY")
AUDIT_KEY_FILE = _HOME / "audit.key"
#: Public keys of before, as 64 hexadecimal digits each: checkpoints that they signed are trusted still.
AUDIT_FORMER_KEYS = listing("CANDOR_AUDIT_FORMER_KEYS")
#: Seconds between two checkpoints.
CHECKPOINT_SECONDS = number("CANDOR_CHECKPOINT_SECONDS", 3600, least=10, most=86_400)
