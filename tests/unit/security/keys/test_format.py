"""The shape of a key: refused offline when it is a look-alike."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from security.keys.format import checksum, fresh_key, hash_key, well_formed

SCANNER = re.compile(r"cdr_[0-9A-Za-z]{8}_[0-9A-Za-z_-]{43}_[0-9A-Za-z]{6}")


@pytest.mark.spec("S-02")
def test_a_fresh_key_is_well_formed_and_found_by_the_documented_pattern() -> None:
    fresh = fresh_key()

    assert well_formed(fresh.shown_once)
    assert SCANNER.fullmatch(fresh.shown_once)
    assert fresh.shown_once.split("_")[1] == fresh.prefix


@pytest.mark.spec("S-02")
def test_what_is_stored_of_a_key_is_its_sha256() -> None:
    fresh = fresh_key()

    assert fresh.secret_hash == hashlib.sha256(fresh.shown_once.encode()).digest()
    assert hash_key(fresh.shown_once) == fresh.secret_hash


def test_no_two_fresh_keys_are_alike() -> None:
    assert len({fresh_key().shown_once for _ in range(200)}) == 200


def test_a_checksum_is_the_crc32_in_six_base62_digits() -> None:
    # CRC-32 of «123456789» is 0xCBF43926 = 3421780262, the check value of the CRC catalogue.
    value, digits = 3421780262, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    expected = ""
    for power in range(5, -1, -1):
        expected += digits[value // 62**power % 62]

    assert checksum("123456789") == expected
    assert len(expected) == 6


@pytest.mark.parametrize("place", range(63))
def test_a_key_with_one_changed_character_is_refused(place: int) -> None:
    key = fresh_key().shown_once
    other = "x" if key[place] != "x" else "y"

    assert not well_formed(key[:place] + other + key[place + 1 :])


@given(st.text(max_size=80))
def test_any_other_text_is_no_key(text: str) -> None:
    assert not well_formed(text)


@pytest.mark.parametrize("wrap", [" {}", "{} ", "{}\n", "Bearer {}", "{}{}"])
def test_a_key_with_something_around_it_is_refused(wrap: str) -> None:
    key = fresh_key().shown_once

    assert not well_formed(wrap.format(key, key))
