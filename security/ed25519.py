"""
Ed25519 signatures (RFC 8032, section 5.1), for the audit's checkpoints.

Plain Python: milliseconds a signature, of which there is one an hour for each tenant. It does not run in
constant time, so that who can time this process could learn of the key; nothing is signed at a caller's wish.
"""

from hashlib import sha512
from typing import Final

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, P - 2, P) % P
ROOT: Final = pow(2, (P - 1) // 4, P)
"""A square root of -1."""

Point = tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z."""


def public_key(seed: bytes) -> bytes:
    """Return the public key (32 bytes) of a private one (32 bytes)."""
    return _encoded(_times(_secret(seed)[0], BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature (64 bytes) of a message."""
    scalar, prefix = _secret(seed)
    public = _encoded(_times(scalar, BASE))
    nonce = _number(prefix, message) % L
    commitment = _encoded(_times(nonce, BASE))
    answer = (nonce + _number(commitment, public, message) * scalar) % L
    return commitment + answer.to_bytes(32, "little")


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the signature is the key's, of this message."""
    key = _decoded(public)
    commitment = _decoded(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or len(signature) != 64 or answer >= L:
        return False
    challenge = _number(signature[:32], public, message) % L
    return _same(_times(answer, BASE), _sum(commitment, _times(challenge, key)))


def _secret(seed: bytes) -> tuple[int, bytes]:
    if len(seed) != 32:
        raise ValueError("A private key has 32 bytes.")
    digest = sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    return scalar, digest[32:]


def _number(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little")


def _sum(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(scalar: int, point: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = _sum(result, point)
        point = _sum(point, point)
        scalar >>= 1
    return result


def _same(p: Point, q: Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decoded(raw: bytes) -> Point | None:
    """Return the point, or None for bytes that are none."""
    whole = int.from_bytes(raw, "little")
    sign_bit, y = whole >> 255, whole & ((1 << 255) - 1)
    if len(raw) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign_bit):
        return None
    x = P - x if x & 1 != sign_bit else x
    return x, y, 1, x * y % P


def _base() -> Point:
    point = _decoded((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    assert point is not None
    return point


BASE: Final = _base()
