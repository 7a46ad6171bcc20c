"""
Signatures of webhooks, in the form of Standard Webhooks 1.0. Pure: no database, no clock.

A secret is derived, HMAC-SHA256 under the service's own, and so is stored nowhere. Who rotates the service's
secret keeps the former one among the fallbacks until receivers have the new ones: both sign.
"""

import base64
import hmac
from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

PREFIX: Final = "whsec_"
_PURPOSE: Final = "candor.webhook"


def secret_of(webhook_id: UUID, version: int, *, key: str) -> bytes:
    """Return the 32 bytes that sign for a version of a webhook, under a secret of the service."""
    return hmac.digest(key.encode(), f"{_PURPOSE}:{webhook_id}:{version}".encode(), "sha256")


def as_shown(secret: bytes) -> str:
    """Return a secret as receivers' libraries take it."""
    return PREFIX + base64.b64encode(secret).decode()


def headers_of(message: UUID, body: bytes, *, at: datetime, secrets: Iterable[bytes]) -> dict[str, str]:
    """Return the headers that identify and sign a message: one signature for each secret in force."""
    stamp = str(int(at.timestamp()))
    signed = b".".join((str(message).encode(), stamp.encode(), body))
    signatures = (base64.b64encode(hmac.digest(secret, signed, "sha256")).decode() for secret in secrets)
    return {
        "webhook-id": str(message),
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(f"v1,{one}" for one in signatures),
    }
