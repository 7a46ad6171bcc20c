"""Secrets announced in words go, in fourteen languages; sentences with the same words stay (SPEC W-07)."""

import re

import pytest

from security.screening.secrets import redact
from security.screening.secrets.redaction import Redaction
from tests.unit.security.screening.announced_corpus import TOLD, UNTOLD

pytestmark = pytest.mark.spec("W-07")

LEAST = 8
"""Texts of each kind for each language."""


@pytest.mark.parametrize("language", TOLD)
def test_what_is_announced_as_a_secret_is_replaced(language: str) -> None:
    left = []
    for marked in TOLD[language]:
        found = re.search("⟦(.+)⟧", marked)
        assert found is not None
        secret, text = found[1], marked.replace("⟦", "").replace("⟧", "")
        once = redact(text).text
        if any(word in once for word in secret.split()) or redact(once).text != once:
            left.append((text, once))

    assert len(TOLD[language]) >= LEAST
    assert left == []


@pytest.mark.parametrize("language", UNTOLD)
def test_a_sentence_about_secrets_that_tells_none_stays(language: str) -> None:
    read = {text: redact(text) for text in UNTOLD[language]}

    assert len(read) >= LEAST
    assert read == {text: Redaction(text=text, found=()) for text in UNTOLD[language]}


@pytest.mark.parametrize(
    "text",
    [
        "the pin is bent", "the token is invalid", "Passwort-Richtlinie: 14 Zeichen, alle 90 Tage neu",
        "das Passwort ist seit 2024 gesperrt", "mot de passe : voir https://wiki.example/acces",
        "La contraseña: pregúntale a Marta",
        "пароль от 2024-05-01 больше не действует", "パスワードはv2.3.1から必須です", "密码2026年更换一次",
        "Das Passwort kennt Jonas.",
        "password manager: Bitwarden", "Passwörter: siehe passwoerter.xlsx", "hasło jest w sejfie nr 12",
        "Kennwort-Ticket INC-2231 ist offen",
    ],
)  # fmt: skip
def test_what_only_stands_near_such_a_word_stays(text: str) -> None:
    assert redact(text).found == ()


def test_a_secret_in_a_line_of_its_own_a_table_or_a_key_goes() -> None:
    texts = (
        "Das WLAN-Passwort:\n  kiesgrube77", "| Dienst | Contraseña |\n| nómina | contraseña | Olmo-7731 |",
        '{"mot_de_passe": "x", "note": "mot de passe: brume88"}',
        "**Hasło:** `zima88wiosna`", "Пароль (админка): Zima_2026",
    )  # fmt: skip

    for text in texts:
        redacted = redact(text).text
        assert "[secret:password]" in redacted
        assert not re.search(r"kiesgrube|7731|brume88|zima88|Zima_2026", redacted)
