"""Where sentences end."""

import pytest

from memories.language.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Lee met J. Ortiz. They spoke.", ["Dr. Lee met J. Ortiz.", "They spoke."]),
        ("v2.3 is out! See e.g. the notes.", ["v2.3 is out!", "See e.g. the notes."]),
        ("- one thing\n- another thing\n3. third", ["one thing", "another thing", "third"]),
        ("我住在杭州。他住在成都！你呢？", ["我住在杭州。", "他住在成都！", "你呢？"]),
        ("好的!我知道了;谢谢", ["好的!", "我知道了;", "谢谢"]),
        ("… !!", []),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: list[str]) -> None:
    found = split_sentences(text)

    assert [sentence.text for sentence in found] == sentences
    assert [text[sentence.start : sentence.end] for sentence in found] == sentences
