"""Ed25519 by the vectors of RFC 8032, section 7.1."""

import pytest

from security.audit.ed25519 import is_signed, public_key, sign

VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]  # fmt: skip

each = pytest.mark.parametrize(
    ("seed", "public", "message", "signature"), [tuple(map(bytes.fromhex, vector)) for vector in VECTORS]
)


@each
def test_the_rfcs_vectors_are_made_and_accepted(
    seed: bytes, public: bytes, message: bytes, signature: bytes
) -> None:
    assert public_key(seed) == public
    assert sign(seed, message) == signature
    assert is_signed(public, message, signature)


@each
def test_one_flipped_bit_anywhere_is_refused(
    seed: bytes, public: bytes, message: bytes, signature: bytes
) -> None:
    for place in range(0, 8 * len(signature), 37):
        assert not is_signed(public, message, flipped(signature, place))
    assert not is_signed(flipped(public, 9), message, signature)
    assert not is_signed(public, message + b"\0", signature)


def test_a_second_form_of_the_same_signature_is_refused() -> None:
    _, public, message, signature = map(bytes.fromhex, VECTORS[1])
    order = 2**252 + 27742317777372353535851937790883648493
    more = int.from_bytes(signature[32:], "little") + order

    assert not is_signed(public, message, signature[:32] + more.to_bytes(32, "little"))


@pytest.mark.parametrize("size", [0, 31, 33])
def test_keys_and_signatures_of_other_sizes_are_refused(size: int) -> None:
    _, public, message, signature = map(bytes.fromhex, VECTORS[0])

    assert not is_signed(bytes(size), message, signature)
    assert not is_signed(public, message, signature + bytes(1))
    assert not is_signed(public, message, signature[:size])
    with pytest.raises(ValueError, match="32 bytes"):
        sign(bytes(size), message)


def flipped(raw: bytes, place: int) -> bytes:
    changed = bytearray(raw)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)
