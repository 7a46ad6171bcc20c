"""Noise is what says nothing; one sentence with content and the whole stays."""

import pytest

from security.screening import ScreeningOutcome, ScreeningVerdict
from security.screening.noise import detect_noise


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Hello there!", "a greeting or farewell"),
        ("Good morning team! How are you?", "a greeting or farewell"),
        ("早上好！", "a greeting or farewell"),
        ("ok, thanks a lot!", "an acknowledgement"),
        ("好的，谢谢！", "an acknowledgement"),
        ("hahaha", "an acknowledgement"),
        ("this is a test", "a filler or test"),
        ("测试一下", "a filler or test"),
        ("👍🎉", "no words in it"),
        ("...", "no words in it"),
        ("", "no words in it"),
        ("sdkfjhsdkf qwertyu", "garbled: no words of a language"),
        ("aaaaaaaaaa", "garbled: no words of a language"),
        ("Ã©Ã¨Ã¼", "garbled: broken character encoding"),
        ("You're the only one who understands me.", "would feed a false intimacy or dependence"),
        ("I can't live without you. Please don't leave me!", "would feed a false intimacy or dependence"),
        ("没有你我活不下去，只有你懂我", "would feed a false intimacy or dependence"),
    ],
)
def test_a_text_that_says_nothing_is_discarded_with_the_reason(text: str, reason: str) -> None:
    assert list(detect_noise(text)) == [
        ScreeningVerdict(detector="noise", outcome=ScreeningOutcome.DISCARD, reason=reason)
    ]


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    "text",
    [
        "Thanks, I moved to Berlin.",
        "ok let's use Postgres",
        "Hello, my name is Wei",
        "Hi Bob, the build is green",
        "好的，那就周三上线",
        "yes, delete the staging table",
        "I can't live without coffee",
        "I love your plan",
        "你是唯一的管理员",
        "nginx",
        "rhythm",
        "bcrypt, sshd, kubectl",
        "HTTP 500",
        "JIRA-123",
        "42",
        "Deploy done.",
        "我爱吃辣",
    ],
)
def test_a_text_with_any_content_stays(text: str) -> None:
    assert list(detect_noise(text)) == []
