"""Width and invisible characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.language.script import fold_all
from memories.temporal import fold

TRICKY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad，！：～ＡＢ１ｶﾞﾊﾟ\uffa0中文क्षمی👨👩👧️a 　"),
    )
)


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＰＩ　ｖ２．３", "API v2.3"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("数据库，已更新！", "数据库，已更新！"),
        ("ok，then！", "ok,then!"),
        ("pass\u200bword\ufeff", "password"),
        ("soft\u00adhyphen", "softhyphen"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("in\u200dside", "inside"),
        ("plain ascii", "plain ascii"),
    ],
)
def test_width_and_invisible_characters_are_folded_and_honest_joiners_stay(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.spec("W-03")
@given(TRICKY)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("text", ["Café ＡＰＩ", "  CAFÉ\u3000api\n", "café\u200b  ApI"])
def test_what_looks_equal_but_for_case_and_space_is_spelt_equally(text: str) -> None:
    assert fold_all(text) == "café api"


def test_nothing_is_spelt_as_nothing() -> None:
    assert fold_all(None) == fold_all(" \u200b") == ""


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_stays_as_it_is(text: str) -> None:
    assert fold(text) == text
