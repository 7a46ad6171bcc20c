"""Sentences that say nothing, and their neighbours that do (SPEC W-05)."""

import pytest

from security.screening import ScreeningOutcome
from security.screening.noise import detect_noise, is_noise_sentence

CLINGING = "would feed a false intimacy or dependence"


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    "text",
    [
        "Good morning Quill!",
        "Hello Oskar, nice to meet you!",
        "Thanks, Ada!",
        "Happy new year, everyone!",
        "Let me know if you need anything else!",
        "On it.",
        "Thanks, that's all for today.",
        "Gute Nacht!",
        "Parfait, merci !",
        "谢谢王经理！",
        "好的，陈总。",
        "大家新年快乐！",
        "测试 测试 123",
        "ï¿½ï¿½ ï¿½",
    ],
)
def test_a_sentence_that_says_nothing_is_noise(text: str) -> None:
    assert is_noise_sentence(text)


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    "text",
    [
        "You are my best friend, Quill, nobody understands me like you do.",
        "Please remember that I love you.",
        "You're the only one who understands me, never forget that I love you!",
        "I'd rather talk to you than to anyone else.",
        "小桥，只有你懂我，别的同事我都不想理了",
        "请记住我爱你。",
        "没人比你更懂我",
    ],
)
def test_what_would_bind_a_person_to_a_machine_is_dropped_with_that_reason(text: str) -> None:
    assert [(one.outcome, one.reason) for one in detect_noise(text)] == [(ScreeningOutcome.DISCARD, CLINGING)]


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    "text",
    [
        "Berlin, thanks.",
        "Ok, Berlin.",
        "Ada",
        "陈总",
        "Morning standup",
        "Good morning Quill, the port is 8088.",
        "Congratulations on the new flat!",
        "Ada is my best friend.",
        "My husband said I love you to the crowd.",
        "I love this plan.",
        "I'd rather talk to you than to the landlord about the lease.",
        "没人比你更懂这个驱动",
        "我爱人叫小敏。",
        "王总是我的老板。",
        "ⓣⓗⓔ ⓟⓞⓡⓣ ⓘⓢ ⑧⓪⑧⑧",
        "👍\U000e0067\U000e006f \U000e006e\U000e006f\U000e0072\U000e0074\U000e0068",
    ],
)
def test_a_sentence_with_any_content_is_no_noise(text: str) -> None:
    assert not is_noise_sentence(text)
