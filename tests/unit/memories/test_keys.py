"""A state's keys have one spelling, whoever writes them (SPEC M-05)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.language.keys import LONGEST_KEY_BYTES, concept_spelling, entity_spelling

pytestmark = pytest.mark.spec("M-05")

TOUCHY = st.text(
    st.one_of(st.characters(), st.sampled_from("_ -#+.'\u200c\u200d\ufe0fßǅΰİＡ３の林悦\u0345\u0628\u060c")),
    max_size=60,
)


@pytest.mark.parametrize(
    "written",
    [
        "bank_account", "bank account", "Bank Account", "BANK-ACCOUNT", " bank  account ", "bank.account",
        "bank/account", "_bank__account_", "bank\u00a0account", "bank\u2011account",
        "ｂａｎｋ　ａｃｃｏｕｎｔ",
        "«bank account»", "ban\u200bk account", "bank\taccount:", "bank_ account?!",
    ],
)  # fmt: skip
def test_a_key_is_one_however_it_is_written(written: str) -> None:
    assert concept_spelling(written) == "bank_account"
    assert entity_spelling(written) == "bank account"


@pytest.mark.parametrize(
    ("written", "entity"),
    [
        ("Straße", "strasse"),
        ("E\u0301lodie", "élodie"),
        ("林悦", "林悦"),
        ("ﾊﾟｿｺﾝ", "パソコン"),
        ("C#", "c#"),
        ("C++ parser", "c++ parser"),
        ("issue #5", "issue 5"),
        ("QX-4410", "qx4410"),
        ("QX 4410", "qx4410"),
        ("हिन्दी", "हिन्दी"),
        ("مدينة", "مدينة"),
        ("€ rate", "€ rate"),
    ],
)
def test_what_tells_keys_apart_stays(written: str, entity: str) -> None:
    assert entity_spelling(written) == entity


@pytest.mark.parametrize("written", [None, "", "  ", "__", "?!", "\u200b", "\u200d"])
def test_a_key_of_no_word_is_none(written: str | None) -> None:
    assert concept_spelling(written) is None
    assert entity_spelling(written) is None


@given(TOUCHY)
def test_a_canonical_key_is_its_own_canonical_form(written: str) -> None:
    for canonical in (concept_spelling, entity_spelling):
        once = canonical(written)
        assert canonical(once) == once


@given(TOUCHY)
def test_keys_differ_by_their_separator_alone_and_case_is_none(written: str) -> None:
    concept = concept_spelling(written)
    assert concept_spelling(entity_spelling(written)) in (concept, (concept or "").replace("_", "") or None)
    assert concept_spelling(written.casefold()) == concept


def test_a_key_fits_its_index_though_folding_lengthens_it() -> None:
    longest = concept_spelling("\ufdfa" * 200)
    assert longest is not None
    assert len(longest.encode()) <= LONGEST_KEY_BYTES
    assert concept_spelling(longest) == longest
