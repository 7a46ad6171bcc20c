"""Ed25519 signatures (RFC 8032) of the audit's checkpoints, by keys as bytes."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def public_key(seed: bytes) -> bytes:
    """Return the public key (32 bytes) of a private one (32 bytes). Raises ValueError for another size."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature (64 bytes) of a message. Raises ValueError for a key of another size."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the signature is the key's, of this message."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
