"""A name in Latin letters and the characters it spells."""

import pytest

from memories.language.pinyin import spells


@pytest.mark.parametrize(
    ("name", "chinese"),
    [
        ("Hangzhou", "办公室在杭州"),
        ("Zhang Wei", "张伟管出货"),
        ("Xi'an", "去西安"),
        ("Lü", "吕"),
        ("QIAN", "钱工"),
    ],
)
def test_a_name_is_found_in_the_characters_it_spells(name: str, chinese: str) -> None:
    assert spells(name, chinese)


@pytest.mark.parametrize(
    ("name", "chinese"),
    [("Hangzhou", "苏州"), ("Hangzhou", "杭 州"), ("", "杭州"), ("Porto", "波尔图"), ("A", "阿")],
)
def test_another_name_is_not(name: str, chinese: str) -> None:
    assert not spells(name, chinese)


def test_of_a_character_with_two_readings_either_will_do() -> None:
    assert spells("Chongqing", "重庆")
    assert spells("zhongyao", "重要")
