"""
Secrets known by their shape alone: the tokens that makers of services hand out.

Shapes follow what the makers publish, and what detect-secrets and gitleaks (both open source) look for. Every
pattern is linear: it begins at a fixed needle behind a word's border, and every repetition is bounded.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector

from security.patterns import bounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way a secret shows itself."""

    kind: str  #: what the marker will say, such as `aws_access_key`
    needles: tuple[str, ...]  #: lower-case; the pattern is tried only where one of them stands; empty: always
    pattern: re.Pattern[str]  #: its group `secret` is replaced, or the whole match when it has none
    believe: Callable[[str], bool] | None = None  #: the last word on what the pattern caught


_BORDER: Final = r"(?<![A-Za-z0-9])"


def token(kind: str, needles: str, pattern: str) -> Rule:
    """Build the rule of a token that begins at a word's border; needles are separated by spaces."""
    return Rule(kind=kind, needles=tuple(needles.split()), pattern=bounded(_BORDER + pattern, re.ASCII))


def _borrowed(kind: str, needles: str, plugin: type[RegexBasedDetector]) -> list[Rule]:
    """Build rules from a detect-secrets plugin's own patterns. Only plugins whose patterns are linear."""
    patterns: list[re.Pattern[str]] = list(plugin.denylist)  # type: ignore[call-overload]
    return [Rule(kind=kind, needles=tuple(needles.split()), pattern=pattern) for pattern in patterns]


_KEYS: Final = (
    Rule(
        kind="private_key",
        needles=("private key",),
        pattern=bounded(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?:(?!-----)[\s\S]){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"|(?:[\s\\nr>|\"']{0,8}[A-Za-z0-9+/]{16,80}={0,2}){0,400})"  # cut off before its end
        ),
    ),
    Rule(
        kind="private_key",
        needles=("putty-user-key",),
        pattern=bounded(r"PuTTY-User-Key-File-\d:[\s\S]{0,8000}"),
    ),
    token("private_key", "age-secret-key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
)

_CODE_AND_CLOUD: Final = (
    token("aws_access_key", "akia asia abia acca a3t", r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    token("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    token("github_token", "github_pat_", r"github_pat_\w{22,255}"),
    *_borrowed("gitlab_token", "gl gr1348941", GitLabTokenDetector),
    token("google_api_key", "aiza", r"AIza[\w-]{35}"),
    token("google_token", "ya29. gocspx-", r"(?:ya29\.[\w-]{20,400}|GOCSPX-[\w-]{20,40})"),
    token("alibaba_key", "ltai", r"LTAI[A-Za-z0-9]{12,24}\b"),
    token("tencent_key", "akid", r"AKID[A-Za-z0-9]{32}\b"),
    token(
        "azure_key",
        "accountkey= accesskey=",
        r"(?i:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})",
    ),
    token("azure_secret", "q~", r"[\w.~]{3}\dQ~[\w.~-]{31,34}"),
    token("digitalocean_token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    token("databricks_token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?\b"),
    token("hashicorp_token", "hvs. hvb.", r"hv[sb]\.[\w-]{24,300}"),
    token("hashicorp_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}"),
    token("npm_token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    token("docker_token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{20,60}"),
    *_borrowed("pypi_token", "pypi-", PypiTokenDetector),
    token("newrelic_key", "nrak- nrjs- nrii-", r"NR(?:AK-[A-Z0-9]{27}|JS-[a-f0-9]{19}|II-[\w-]{32})"),
    token("grafana_token", "glc_", r"glc_[A-Za-z0-9+/=]{32,400}"),
    token("grafana_token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    token("sentry_token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,300}"),
    token("postman_key", "pmak-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
)

_SERVICES: Final = (
    token(
        "slack_token", "xox xapp-", r"(?=[a-zA-Z.-]*\d)(?:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9-]{10,300}"
    ),
    token(
        "slack_webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/_-]{20,120})",
    ),
    token(
        "discord_webhook",
        "/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/(?P<secret>\d{15,22}/[\w-]{40,100})",
    ),
    *_borrowed("discord_token", "", DiscordBotTokenDetector),
    *_borrowed("telegram_token", ":", TelegramBotTokenDetector),
    token("stripe_key", "k_live_ k_test_ k_prod_", r"[rsp]k_(?:live|test|prod)_[A-Za-z0-9]{10,200}"),
    token("api_key", "_live_ _prod_", r"[a-z]{2,6}_(?:live|prod)_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{16,200}"),
    token("webhook_secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,100}"),
    *_borrowed("square_secret", "sq0csp-", SquareOAuthDetector),
    token("shopify_token", "shp", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    token("twilio_key", "sk ac", r"(?:SK|AC)[0-9a-f]{32}\b"),
    *_borrowed("sendgrid_key", "sg.", SendGridDetector),
    *_borrowed("mailchimp_key", "-us", MailchimpDetector),
    token("atlassian_token", "atatt3", r"ATATT3[\w=-]{100,250}"),
    token("linear_key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    token("notion_token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})\b"),
    token("facebook_token", "eaa", r"EAA[A-Za-z0-9]{80,300}"),
    token("onepassword_key", "a3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}"),
    token("llm_api_key", "sk-", r"sk-(?:(?:ant|proj|svcacct|admin|or)-[\w-]{16,250}|[A-Za-z0-9]{32,120}\b)"),
    token("llm_api_key", "hf_", r"hf_[A-Za-z0-9]{34}\b"),
    token("llm_api_key", "gsk_ xai- pplx-", r"(?:gsk_|xai-|pplx-)[A-Za-z0-9_-]{40,100}\b"),
    token("jwt", "eyj eyi", r"(?<![_-])ey[IJ][\w-]{8,4000}\.ey[\w-]{4,16000}(?:\.[\w-]{0,2000})?"),
)

SHAPES: Final[tuple[Rule, ...]] = _KEYS + _CODE_AND_CLOUD + _SERVICES
"""Tokens known by their shape; where two overlap, the one that begins first names the whole."""
