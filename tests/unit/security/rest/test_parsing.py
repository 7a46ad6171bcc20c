"""What a JSON body may be (SPEC S-07)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ParseError

from security.rest.parsing import parse_object

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(texts, below, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(texts, values, max_size=4))
def test_an_ordinary_object_is_read_as_it_was_written(data: dict[str, object]) -> None:
    assert parse_object(json.dumps(data).encode(), most_levels=20) == data


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"a": 1, "a": 2}', "A key stands twice in one JSON object."),
        (b'{"a": {"b": 1, "b": 1}}', "A key stands twice in one JSON object."),
        (b'{"a": NaN}', "NaN is not a JSON number."),
        (b'{"a": -Infinity}', "-Infinity is not a JSON number."),
        (b'{"a": 1e999}', "A number is too large."),
        (b'{"a": "x\\u0000y"}', "A text holds NUL or half a surrogate pair."),
        (b'{"a\\u0000": 1}', "A text holds NUL or half a surrogate pair."),
        (b'{"a": ["\\ud83d"]}', "A text holds NUL or half a surrogate pair."),
        (b"[1]", "The body must be a JSON object."),
        (b'"text"', "The body must be a JSON object."),
        (b"", "The body is not valid JSON."),
        (b"{'a': 1}", "The body is not valid JSON."),
        (b'{"a": ' + b"9" * 5000 + b"}", "The body is not valid JSON."),
        (b'\xef\xbb\xbf{"a": 1}', "The body is not valid JSON."),
        (b'{"a": "\xff"}', "The body is not UTF-8."),
        ('{"a": 1}'.encode("utf-16"), "The body is not UTF-8."),
    ],
)
def test_what_two_readers_could_read_differently_is_refused(body: bytes, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        parse_object(body, most_levels=20)

    assert str(refused.value.detail) == message


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert parse_object(b'{"a": "\\ud83d\\ude00"}', most_levels=20) == {"a": "😀"}


@pytest.mark.parametrize("levels", [1, 2, 5, 20])
def test_as_many_levels_as_allowed_are_read_and_one_more_is_not(levels: int) -> None:
    deep = b'{"a":' * (levels - 1) + b"{}" + b"}" * (levels - 1)
    deeper = b'{"a":' + deep + b"}"

    assert parse_object(deep, most_levels=levels) is not None
    with pytest.raises(ParseError, match="nested too deeply"):
        parse_object(deeper, most_levels=levels)


@pytest.mark.spec("S-07")
@pytest.mark.parametrize("opening", [b'{"a":', b"["])
def test_ten_thousand_levels_are_refused_without_a_stack_overflow(opening: bytes) -> None:
    with pytest.raises(ParseError):
        parse_object(b'{"x":' + opening * 10_000, most_levels=20)
    closing = b"}" if opening != b"[" else b"]"
    with pytest.raises(ParseError, match="nested too deeply"):
        parse_object(b'{"x":' + opening * 10_000 + b"1" + closing * 10_000 + b"}", most_levels=20)
