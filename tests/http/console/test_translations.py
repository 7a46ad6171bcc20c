"""Every word of the console is there in Chinese, with what it is filled with (SPEC H-05)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import gettext, ngettext, override, pgettext

import console

pytestmark = pytest.mark.spec("H-05")

HOUSE = Path(console.__file__).parent
TEXT = r'"((?:[^"\\]|\\.)*)"'
IN_TEMPLATES = re.compile(rf"{{% translate {TEXT}(?: context {TEXT})? %}}")
IN_BLOCKS = re.compile(r"{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}", re.DOTALL)
IN_CODE = re.compile(rf"(?:\b_|gettext_lazy)\(\s*{TEXT}\s*\)")
COUNTED = re.compile(rf"ngettext\(\s*{TEXT},\s*{TEXT}")
FILLED = re.compile(r"%\((\w+)\)")


def texts() -> Iterator[tuple[str, str]]:
    """Yield what templates and code say, and what becomes of it in the language in force."""
    for file in HOUSE.rglob("*.html"):
        page = file.read_text(encoding="utf-8")
        for text, context in IN_TEMPLATES.findall(page):
            yield text, pgettext(context, text) if context else gettext(text)
        for block in IN_BLOCKS.findall(page):
            text = re.sub(r"{{ (\w+) }}", r"%(\1)s", block)
            yield text, gettext(text)
    for file in HOUSE.rglob("*.py"):
        code = file.read_text(encoding="utf-8")
        yield from ((text, gettext(text)) for text in IN_CODE.findall(code))
        yield from ((one, ngettext(one, more, 2)) for one, more in COUNTED.findall(code))


def test_every_text_is_translated_and_keeps_what_it_is_filled_with() -> None:
    with override("zh-hans"):
        told = dict(texts())

    assert len(told) > 300
    assert [
        text for text, chinese in told.items() if chinese == text or not re.search("[一-鿿]", chinese)
    ] == []
    assert [
        text for text, chinese in told.items() if set(FILLED.findall(text)) != set(FILLED.findall(chinese))
    ] == []


def test_the_compiled_words_are_those_of_the_source() -> None:
    source = (HOUSE / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    plain = re.findall(r'^(?<!msgctxt)msgid "(.+)"\nmsgstr "(.*)"$', source, re.MULTILINE)

    with override("zh-hans"):
        assert [(text, chinese) for text, chinese in plain if gettext(text) not in (chinese, text)] == []
    assert len(plain) > 400
