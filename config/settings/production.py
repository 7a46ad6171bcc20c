"""What a service that others can reach must have: `CANDOR_PRODUCTION=1` asks for it, and refuses the rest."""

from config.settings.base import ALLOWED_HOSTS, DEBUG, SECRET_KEY
from config.settings.environment import flag, number

#: Whether others can reach the service: over TLS only, with a key of its own, never with debug pages.
PRODUCTION = flag("CANDOR_PRODUCTION", default=False)

LEAST_SECRET = 50
"""Characters of the secret key, as Django's own check counts."""


def unsafe(*, debug: bool, secret_key: str, hosts: list[str]) -> list[str]:
    """Return what of these a production must not have, as sentences that say what to do."""
    weak = len(secret_key) < LEAST_SECRET or len(set(secret_key)) < 5
    faults = {
        "CANDOR_DEBUG shows code and settings to whoever causes an error: unset it.": debug,
        f"CANDOR_SECRET_KEY must be {LEAST_SECRET} or more random characters of your own.": weak,
        "CANDOR_ALLOWED_HOSTS must name the hosts, not «*».": "*" in hosts,
    }
    return [fault for fault, holds in faults.items() if holds]


if PRODUCTION:
    _faults = unsafe(debug=DEBUG, secret_key=SECRET_KEY, hosts=ALLOWED_HOSTS)
    if _faults:
        # Here and not in a check, which workers do not run.
        raise ValueError("CANDOR_PRODUCTION is set, and: " + " ".join(_faults))
    SECURE_SSL_REDIRECT = True
    #: A probe inside the cluster speaks HTTP, and tells nobody anything.
    SECURE_REDIRECT_EXEMPT = [r"^api/v1/health/(live|ready)$"]
    SECURE_HSTS_SECONDS = number("CANDOR_HSTS_SECONDS", 31_536_000, least=1, most=63_072_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    #: Only behind a proxy that sets or strips this header on every request.
    if flag("CANDOR_TLS_BY_PROXY", default=False):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
