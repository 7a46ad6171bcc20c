"""
Canaries: secrets that never opened anything, made by the shapes that makers publish, in every disguise.

Put together at run time, so that no scanner takes this file for a leak. The same seed makes the same ones.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

HEX: Final = "0123456789abcdef"
LOWER: Final = string.ascii_lowercase + string.digits
UPPER: Final = string.ascii_uppercase + string.digits
ALNUM: Final = string.ascii_letters + string.digits
URLSAFE: Final = ALNUM + "-_"
UUID: Final = ("h8", "-", "h4", "-", "h4", "-", "h4", "-", "h12")

_ALPHABETS: Final = {"h": HEX, "l": LOWER, "u": UPPER, "a": ALNUM, "s": URLSAFE, "d": string.digits}

SHAPES: Final[dict[str, tuple[str, ...]]] = {
    "1password": ("=A3-", "u6", "-", "u6", "-", "u5", "-", "u5", "-", "u5"),
    "1password account": ("=ops_eyJ", "a200"),
    "adobe": ("=p8e-", "l32"),
    "age": ("=AGE-SECRET-KEY-1", "u58"),
    "airtable": ("=pat", "a14", ".", "h64"),
    "alibaba": ("=LTAI", "a20"),
    "anthropic": ("=sk-ant-api03-", "s93", "=AA"),
    "anthropic admin": ("=sk-ant-admin01-", "s93", "=AA"),
    "artifactory": ("=AKCp", "a69"),
    "atlassian": ("=ATATT3", "s180"),
    "aws": ("=AKIA", "u16"),
    "aws session": ("=ASIA", "u16"),
    "aws bedrock": ("=ABSK", "a120"),
    "azure storage": ("=AccountKey=", "a86", "=="),
    "azure ad": ("a3", "=8Q~", "s34"),
    "baidu": ("=bce-v3/ALTAK-", "a21", "/", "h40"),
    "clickhouse": ("=4b1d", "a38"),
    "clojars": ("=CLOJARS_", "l60"),
    "cloudflare origin": ("=v1.0-", "h24", "-", "h146"),
    "databricks": ("=dapi", "h32"),
    "defined networking": ("=dnkey-", "l26", "-", "l52"),
    "digitalocean": ("=dop_v1_", "h64"),
    "dingtalk": ("=SEC", "h64"),
    "discord webhook": ("=https://discord.com/api/webhooks/", "d18", "/", "s68"),
    "docker": ("=dckr_pat_", "s27"),
    "doppler": ("=dp.pt.", "l43"),
    "dropbox": ("=sl.", "s138"),
    "duffel": ("=duffel_live_", "s43"),
    "dynatrace": ("=dt0c01.", "u24", ".", "u64"),
    "easypost": ("=EZAK", "a54"),
    "facebook": ("=EAAB", "a120"),
    "feishu": ("=https://open.feishu.cn/open-apis/bot/v2/hook/", *UUID),
    "figma": ("=figd_", "s40"),
    "flutterwave": ("=FLWSECK_TEST-", "h12", "=-X"),
    "fly.io": ("=fo1_", "s43"),
    "frame.io": ("=fio-u-", "s64"),
    "github": ("=ghp_", "a36"),
    "github app": ("=ghs_", "a36"),
    "github oauth": ("=gho_", "a36"),
    "github fine-grained": ("=github_pat_", "a22", "_", "a59"),
    "gitlab": ("=glpat-", "s20"),
    "gocardless": ("=live_", "s40"),
    "google": ("=AIza", "s35"),
    "google client": ("=GOCSPX-", "s28"),
    "google access": ("=ya29.", "s120"),
    "grafana": ("=glsa_", "a32", "_", "h8"),
    "grafana cloud": ("=glc_", "a60"),
    "groq": ("=gsk_", "a52"),
    "harness": ("=pat.", "a22", ".", "h24", ".", "a20"),
    "hashicorp vault": ("=hvs.", "s90"),
    "terraform": ("a14", "=.atlasv1.", "s64"),
    "heroku": ("=HRKU-AA", "s58"),
    "hubspot": ("=pat-na1-", *UUID),
    "hugging face": ("=hf_", "a34"),
    "hugging face organisation": ("=api_org_", "a34"),
    "infracost": ("=ico-", "a32"),
    "intra42": ("=s-s4t2ud-", "h64"),
    "langfuse": ("=sk-lf-", *UUID),
    "launchdarkly": ("=api-", *UUID),
    "linear": ("=lin_api_", "a40"),
    "lob": ("=live_", "h35"),
    "mailchimp": ("h32", "=-us14"),
    "mailgun": ("=key-", "h32"),
    "mapbox": ("=sk.eyJ", "a60", ".", "a22"),
    "maxmind": ("a6", "_", "a29", "=_mmk"),
    "newrelic": ("=NRAK-", "u27"),
    "notion": ("=ntn_", "a46"),
    "npm": ("=npm_", "a36"),
    "nuget": ("=oy2", "l43"),
    "nvidia": ("=nvapi-", "s64"),
    "octopus": ("=API-", "u26"),
    "openai": ("=sk-", "a20", "=T3BlbkFJ", "a20"),
    "openai project": ("=sk-proj-", "s74", "=T3BlbkFJ", "s74"),
    "openrouter": ("=sk-or-v1-", "h64"),
    "openshift": ("=sha256~", "s43"),
    "perplexity": ("=pplx-", "a48"),
    "planetscale": ("=pscale_tkn_", "s43"),
    "postman": ("=PMAK-", "h24", "-", "h34"),
    "prefect": ("=pnu_", "l36"),
    "pulumi": ("=pul-", "h40"),
    "pypi": ("=pypi-AgEIcHlwaS5vcmc", "s70"),
    "readme": ("=rdme_", "l70"),
    "replicate": ("=r8_", "a37"),
    "rubygems": ("=rubygems_", "h48"),
    "scalingo": ("=tk-us-", "s48"),
    "sendgrid": ("=SG.", "s22", ".", "s43"),
    "sendinblue": ("=xkeysib-", "h64", "-", "l16"),
    "sentry": ("=sntryu_", "h64"),
    "settlemint": ("=sm_aat_", "a16"),
    "shippo": ("=shippo_live_", "h40"),
    "shopify": ("=shpat_", "h32"),
    "slack bot": ("=xoxb-", "d12", "-", "d12", "-", "a24"),
    "slack app": ("=xapp-1-", "u11", "-", "d13", "-", "h64"),
    "slack webhook": ("=https://hooks.slack.com/services/T", "u10", "/B", "u10", "/", "a24"),
    "sonar": ("=squ_", "h40"),
    "sourcegraph": ("=sgp_", "h40"),
    "square": ("=sq0csp-", "s43"),
    "square access": ("=sq0atp-", "s22"),
    "stripe": ("=sk_live_", "a24"),
    "stripe restricted": ("=rk_live_", "a99"),
    "stripe webhook": ("=whsec_", "a32"),
    "supabase": ("=sbp_", "h40"),
    "tailscale": ("=tskey-auth-", "a12", "-", "a32"),
    "tavily": ("=tvly-", "a32"),
    "telegram": ("d10", ":", "=AA", "s33"),
    "tencent": ("=AKID", "a32"),
    "twilio": ("=SK", "h32"),
    "typeform": ("=tfp_", "s59"),
    "volcengine": ("=AKLT", "a44"),
    "wecom": ("=https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", *UUID),
    "yandex": ("=AQVN", "s36"),
    "zhipu": ("h32", ".", "a15", "=7"),
    "candor": ("=cdr_", "a8", "_", "s43", "_", "a6"),
}  # fmt: skip
"""
Maker to shape: `=` begins what stands as it is, a letter and a number are that many random characters of an
alphabet, anything else stands for itself. After what the makers publish and gitleaks looks for.
"""

NAMED: Final[dict[str, str]] = {
    "algolia": "ALGOLIA_API_KEY={h32}",
    "asana": "asana_client_secret: {l32}",
    "datadog": "DD_API_KEY={h32}",
    "fastly": "fastly api key: {s32}",
    "jenkins": "JENKINS_TOKEN={h34}",
    "okta": "Authorization: SSWS {s42}",
    "snyk": "SNYK_TOKEN={u36}",
    "twitch": 'twitch_client_secret = "{l30}"',
    "bearer": "Authorization: Bearer {s48}",
    "postgres": "postgres://app:{a18}@db.internal:5432/app",
    "mongodb": "mongodb+srv://root:{a16}@cluster0.example.net/admin",
    "amqp": "amqp://worker:{a14}@queue:5672//",
    "password": "The database password is {a16}",
    "chinese password": "数据库密码是 {a14}",
    "json password": '"password": "{a12}"',
    "aws secret": "aws_secret_access_key = {a40}",
}
"""Secrets without a shape of their own, told by what stands before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A text with a secret in it."""

    name: str  #: maker and form
    text: str
    raw: tuple[str, ...]  #: what must be found nowhere afterwards


def canaries(seed: int = 1) -> Iterator[Canary]:
    """Yield every shape in every form, and every named secret."""
    dice = random.Random(seed)
    for maker, shape in SHAPES.items():
        secret = _make(shape, dice)
        for form, dress in FORMS.items():
            text, raw = dress(secret)
            yield Canary(name=f"{maker}, {form}", text=text, raw=raw)
    for maker, line in NAMED.items():
        before, _, rest = line.partition("{")
        wanted, _, after = rest.partition("}")
        secret = _make((wanted,), dice)
        yield Canary(name=maker, text=f"{before}{secret}{after}", raw=(secret,))


def _make(shape: tuple[str, ...], dice: random.Random) -> str:
    return "".join(_piece(piece, dice) for piece in shape)


def _piece(piece: str, dice: random.Random) -> str:
    if piece[0] == "=" and len(piece) > 1:
        return piece[1:]
    if piece[0] not in _ALPHABETS or not piece[1:].isdigit():
        return piece
    size = int(piece[1:])
    made = [dice.choice(_ALPHABETS[piece[0]]) for _ in range(size)]
    if made[-1] in "-_":
        made[-1] = "x"  # a border of words must stand at the end
    if size > 6 and not any(char.isdigit() for char in made):
        made[size // 2] = "7"
    return "".join(made)


def _plain(secret: str) -> tuple[str, tuple[str, ...]]:
    return f"We deploy with {secret} until the end of June.", (secret,)


def _base64(secret: str) -> tuple[str, tuple[str, ...]]:
    code = base64.b64encode(secret.encode()).decode()
    return f"We keep {code} in the chart.", (secret, code)


def _escaped_url(secret: str) -> tuple[str, tuple[str, ...]]:
    code = "".join(f"%{ord(char):02X}" for char in secret)
    return f"The callback was https://ci.example/run?with={code} yesterday.", (secret, code)


def _escaped_json(secret: str) -> tuple[str, tuple[str, ...]]:
    inner = json.dumps({"deploy": secret, "by": "Ada"})
    return f"The hook got {json.dumps(inner)} as its body.", (secret,)


def _escaped_letters(secret: str) -> tuple[str, tuple[str, ...]]:
    code = "".join(f"\\u{ord(char):04x}" for char in secret)
    return f"The log shows {code} there.", (secret, code)


def _split_lines(secret: str) -> tuple[str, tuple[str, ...]]:
    half = len(secret) // 2
    return f"The mail wrapped it: {secret[:half]}\n{secret[half:]} and so on.", (secret, secret[half:])


FORMS: Final[dict[str, Callable[[str], tuple[str, tuple[str, ...]]]]] = {
    "plain": _plain,
    "Base64": _base64,
    "URL": _escaped_url,
    "JSON": _escaped_json,
    "escapes": _escaped_letters,
    "split line": _split_lines,
}
