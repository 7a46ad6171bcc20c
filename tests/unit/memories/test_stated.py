"""Whether an assistant only repeats what was said to it."""

import pytest

from memories.comparison.speaker_support import is_stated


@pytest.mark.spec("M-08")
@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("The release is planned for 5 May.", True),
        ("Ann plans the release for 5 May.", False),
        ("The release is planned for 6 May.", False),
        ("The release is not planned for 5 May.", False),
        ("The release is planned for 5 May. Bob must write the notes.", False),
        ("", False),
    ],
)
def test_every_sentence_must_have_been_said_without_a_difference(said: str, stated: bool) -> None:
    turns = ["Hello.", "The release is planned for 5 May, please prepare it."]

    assert is_stated(said, turns) is stated


def test_nothing_was_said_in_an_empty_session() -> None:
    assert not is_stated("The release is planned for 5 May.", [])
