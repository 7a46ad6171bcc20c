"""Secrets are replaced, and what only looks like one stays."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from security.screening.secrets import redact
from security.screening.secrets.redaction import Found, Redaction

# Put together here, so that no scanner takes this file for a leak.
AWS = "AKIA" + "Q3EXAMPLE7KEY4ID"
GITHUB = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
SLACK = "xoxb-" + "123456789012-abcdefghijkl"
STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
GOOGLE = "AIza" + "SyA1234567890abcdefghijklmnopqrstuv"
MODEL = "sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz0123456789"
JWT = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\nq2Vt+4==\n-----END RSA PRIVATE KEY-----"


@pytest.mark.spec("W-07")
@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        (f"use {AWS} there", "use [secret:aws_access_key] there"),
        (f"密钥{AWS}已泄露", "密钥[secret:aws_access_key]已泄露"),
        (f"token {GITHUB}.", "token [secret:github_token]."),
        (f"{SLACK} posts", "[secret:slack_token] posts"),
        (f"pay with {STRIPE}", "pay with [secret:stripe_key]"),
        (f"maps {GOOGLE}", "maps [secret:google_api_key]"),
        (f"MODEL_KEY={MODEL}", "MODEL_KEY=[secret:llm_api_key]"),
        (f"cookie {JWT};", "cookie [secret:jwt];"),
        (f"key:\n{PEM}\nend", "key:\n[secret:private_key]\nend"),
        ("Authorization: Bearer abcdef0123456789", "Authorization: Bearer [secret:authorization]"),
        ("postgres://app:p@ss/word@db:5432/x", "postgres://app:[secret:url_password]@db:5432/x"),
        ("redis://:hunter2@localhost/0", "redis://:[secret:url_password]@localhost/0"),
        ("curl -u admin:S3cret https://a.example", "curl -u admin:[secret:password] https://a.example"),
        ("aws_secret = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX7MPLEKEY", "aws_secret = [secret:api_key]"),
        ("the API key is 9f8a7b6c5d4e3f2a1b0c", "the API key is [secret:api_key]"),
        ("the label API key plk_live_Qm7dT4xW9zK2vB8n.", "the label API key [secret:api_key]."),
        ("log in with access token 9f8a7b6c5d4e3f2a1b0c", "log in with access token [secret:api_key]"),
        ("client_secret: 8f14e45fceea167a5a36dedd4bea2543", "client_secret: [secret:api_key]"),
    ],
)
def test_a_token_is_replaced_by_its_kind(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.spec("W-07")
@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("password is hunter2!!", "password is [secret:password]"),
        ("my password is swordfish.", "my password is [secret:password]."),
        (
            "The password for the staging box is Tr0ub4dor&3",
            "The password for the staging box is [secret:password]",
        ),
        (
            "the gate got a new password, Tern-quay-8841, today",
            "the gate got a new password, [secret:password], today",
        ),
        ("set the root password to Winter2026!", "set the root password to [secret:password]"),
        ("use hunter2 as the password", "use [secret:password] as the password"),
        ("PIN is 4821", "PIN is [secret:pin]"),
        ("DB_PASSWORD=s3cr3t-Pa55", "DB_PASSWORD=[secret:password]"),
        ('password: "correct horse battery staple"', 'password: "[secret:password]"'),
        ("credentials: admin / S3cr3t99", "credentials: admin / [secret:password]"),
        ("数据库密码是 abc12345", "数据库密码是 [secret:password]"),
        ("密码：Qwerty!23", "密码：[secret:password]"),
        ("登录密码改成了 Ab#9981，请保密", "登录密码改成了 [secret:password]，请保密"),
        ("密码是“芝麻开门”", "密码是“[secret:password]”"),
        ("口令为 opensesame", "口令为 [secret:password]"),
        ("密钥是 8f14e45fceea167a5a36dedd4bea2543", "密钥是 [secret:api_key]"),
    ],
)
def test_a_password_told_in_words_is_replaced(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


@pytest.mark.spec("W-07")
@pytest.mark.parametrize(
    "text",
    [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
        "request 550e8400-e29b-41d4-a716-446655440000, order number 1234567890123",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "on 2026-03-05T10:00:00Z",
        "the password is expired and a new password is required",
        "The password is stored in the vault.",
        "password reset link sent; my password is not working",
        "password = os.environ['DB_PASSWORD']",
        "password: str",
        "password: ${DB_PASSWORD}",
        "client_secret: <your-client-secret>",
        "the token is invalid; token count: 128000; access token expires after 3600 seconds",
        "Tests pass: 240, login: 10:30",
        "The secret to good bread is patience",
        "see http://a.example:8080/path@v2 and git@git.example:org/repo.git",
        "primary key = 550e8400-e29b-41d4-a716-446655440000",
        "密码是必填项，密码是8位以上，密码为16-32位字符，密码用bcrypt加密",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == Redaction(text=text, found=())


@pytest.mark.spec("W-07")
@pytest.mark.parametrize(
    "text",
    [
        "AK\u200bIA" + AWS[4:],
        "ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２",
        "cGFzc3dvcmQgaXMgaHVudGVyMiEh",
        "postgres%3A%2F%2Fuser%3Apa55w0rd%40host",
    ],
)
def test_a_secret_in_another_writing_is_seen_through(text: str) -> None:
    assert "[secret:" in redact(text).text
    assert "hunter" not in redact(text).text
    assert "pa55" not in redact(text).text


def test_a_find_tells_its_kind_and_place() -> None:
    assert redact(f"a {AWS} b") == Redaction(
        text="a [secret:aws_access_key] b", found=(Found(kind="aws_access_key", span=(2, 22)),)
    )


@pytest.mark.spec("W-07")
def test_redacted_json_is_still_json() -> None:
    item = {"user": "ada", "password": "hunter2", "note": 'he said "password is hunter2"'}

    redacted = json.loads(redact(json.dumps(item)).text)

    assert redacted["user"] == "ada"
    assert redacted["password"] == "[secret:password]"
    assert "hunter2" not in str(redacted)


PIECES = st.lists(
    st.sampled_from(
        [
            "password is ",
            "hunter2!!",
            "密码是",
            " ",
            "=",
            ":",
            '"',
            "\n",
            AWS,
            GITHUB,
            "token",
            "https://a:b@c",
            "%20",
            PEM[:40],
            "是",
            "x",
        ]
    ),
    max_size=12,
).map("".join)


@given(PIECES)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text

    assert redact(once).text == once


@given(PIECES)
def test_finds_are_in_order_and_apart(text: str) -> None:
    spans = [found.span for found in redact(text).found]

    assert all(first[1] <= second[0] for first, second in pairwise(spans))
