"""
More secrets known by their shape alone: those of makers less met, as they publish them.

Kept apart from `secret_shapes.py` only for length; the same rules hold: a needle, a word's border, bounds.
"""

from typing import Final

from security.screening.secrets.shapes import Rule, token

_ASSISTANTS: Final = (
    token("llm_api_key", "nvapi-", r"nvapi-[\w-]{40,100}"),
    token("llm_api_key", "r8_", r"r8_[A-Za-z0-9]{30,60}\b"),
    token("llm_api_key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,60}\b"),
    token("llm_api_key", "sk-lf- pk-lf-", r"[sp]k-lf-[0-9a-f-]{36}\b"),
    token("llm_api_key", "api_org_", r"api_org_[A-Za-z0-9]{34}\b"),
    token("llm_api_key", "absk", r"ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
    token("llm_api_key", "ops_eyj", r"ops_ey[IJ][A-Za-z0-9+/=_-]{100,2000}"),
    token("llm_api_key", ".", r"[0-9a-f]{32}\.(?=[A-Za-z]*\d)[A-Za-z0-9]{16}\b(?!\.)"),
)

_CODE: Final = (
    token("candor_key", "cdr_", r"cdr_[0-9A-Za-z]{8}_[\w-]{43}_[0-9A-Za-z]{6}"),
    token("artifactory_token", "akcp cmvm", r"(?:AKCp[A-Za-z0-9]{60,80}|cmVmd[A-Za-z0-9]{59})\b"),
    token("clojars_token", "clojars_", r"(?i:CLOJARS_)[a-z0-9]{60}\b"),
    token("doppler_token", "dp.", r"dp\.(?:pt|st|ct|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}\b"),
    token("figma_token", "figd_", r"figd_[\w-]{36,60}"),
    token("infracost_token", "ico-", r"ico-[A-Za-z0-9]{32}\b"),
    token(
        "launchdarkly_key", "sdk- api- mob-", r"(?:sdk|api|mob)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    ),
    token("nuget_key", "oy2", r"oy2[a-z0-9]{43}\b"),
    token("octopus_key", "api-", r"API-[A-Z0-9]{26}\b"),
    token("openshift_token", "sha256~", r"sha256~[\w-]{43}"),
    token("planetscale_token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}"),
    token("prefect_token", "pnu_", r"pnu_[A-Za-z0-9]{36}\b"),
    token("pulumi_token", "pul-", r"pul-[a-f0-9]{40}\b"),
    token("rubygems_token", "rubygems_", r"rubygems_[a-f0-9]{48}\b"),
    token("readme_key", "rdme_", r"rdme_[a-z0-9]{70}\b"),
    token("sonar_token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}\b"),
    token(
        "sourcegraph_token",
        "sgp_ slk_",
        r"(?:sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}|slk_[a-f0-9]{64})\b",
    ),
    token("harness_token", "pat. sat.", r"[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}\b"),
)

_CLOUD: Final = (
    token("adobe_secret", "p8e-", r"p8e-[A-Za-z0-9]{32}\b"),
    token("baidu_key", "altak bce-v3", r"(?:bce-v3/)?ALTAK-[A-Za-z0-9]{16,24}(?:/[0-9a-f]{40})?"),
    token("volcengine_key", "aklt", r"AKLT[A-Za-z0-9_-]{32,60}"),
    token("clickhouse_key", "4b1d", r"4b1d[A-Za-z0-9]{38}\b"),
    token("cloudflare_key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b"),
    token("dynatrace_token", "dt0", r"dt0[a-z]\d{2}\.[A-Z0-9a-z]{24}\.[A-Z0-9a-z]{64}\b"),
    token(
        "flyio_token",
        "fo1_ fm1 fm2_",
        r"(?:fo1_[\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{80,600}|fm2_[A-Za-z0-9+/]{80,600})",
    ),
    token("heroku_key", "hrku-", r"HRKU-[\w-]{36,70}"),
    token("defined_networking_key", "dnkey-", r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
    token("render_key", "rnd_", r"rnd_[A-Za-z0-9]{28,40}\b"),
    token("scalingo_token", "tk-us-", r"tk-us-[\w-]{48}"),
    token("supabase_key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{24,60})\b"),
    token("tailscale_key", "tskey-", r"tskey-[a-z]{2,12}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{16,40}"),
    token("yandex_key", "aqvn", r"AQVN[\w-]{35,38}"),
    token("yandex_key", "t1.", r"t1\.[A-Z0-9a-z_-]{20,300}={0,2}\.[A-Z0-9a-z_-]{86}={0,2}"),
)

_PAYMENT_AND_MAIL: Final = (
    token("airtable_token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"),
    token("dingtalk_secret", "sec", r"SEC[a-f0-9]{64}\b"),
    token("dropbox_token", "sl.", r"sl\.(?:u\.)?[\w=-]{130,200}"),
    token("duffel_token", "duffel_", r"duffel_(?:test|live)_[\w=-]{43}"),
    token("easypost_key", "ezak eztk", r"EZ[AT]K[A-Za-z0-9]{54}\b"),
    token("flutterwave_key", "flw", r"FLW(?:SECK|PUBK)(?:_TEST)?-[a-h0-9]{12,32}-X\b"),
    token("frameio_token", "fio-u-", r"fio-u-[\w=-]{64}"),
    token("gocardless_token", "live_", r"live_(?=[\w-]{0,39}\d)[\w-]{40}\b"),
    token("hubspot_token", "pat-", r"pat-(?:na|eu|ap)\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"),
    token("intra42_secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}\b"),
    token("lob_key", "live_ test_", r"(?:live|test)_(?:pub_)?[a-f0-9]{31,35}\b"),
    token("mailgun_key", "key-", r"key-[a-f0-9]{32}\b"),
    token("mapbox_token", "pk. sk.", r"[ps]k\.ey[IJ][\w-]{40,100}\.[\w-]{22}\b"),
    token("maxmind_key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    token("sendinblue_key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b"),
    token("settlemint_token", "sm_", r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}\b"),
    token("shippo_token", "shippo_", r"shippo_(?:live|test)_[a-f0-9]{40}\b"),
    token("square_secret", "sq0atp-", r"sq0atp-[\w-]{22,60}"),
    token(
        "teams_webhook", "webhook.office.com", r"webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{60,300})"
    ),
    token("feishu_webhook", "open-apis/bot", r"open-apis/bot/v2/hook/(?P<secret>[0-9a-f-]{36})"),
    token("dingtalk_webhook", "robot/send", r"robot/send\?access_token=(?P<secret>[a-f0-9]{64})"),
    token("wecom_webhook", "webhook/send", r"webhook/send\?key=(?P<secret>[0-9a-f-]{36})"),
    token("typeform_token", "tfp_", r"tfp_[\w.=-]{59}"),
)

VENDORS: Final[tuple[Rule, ...]] = _ASSISTANTS + _CODE + _CLOUD + _PAYMENT_AND_MAIL
"""Tokens of further makers, tried after those of `SHAPES`."""
