"""Two logins to one database: `default` serves, `owner` migrates."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from config.settings.environment import number, text


def _connection(url: str) -> dict[str, Any]:
    """Read a `postgresql://user:password@host:port/name?option=value` address; `host` may be a folder."""
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or unquote(parts.hostname or "")
    return {
        "ENGINE": "tenants.db",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(options.pop("port", None) or parts.port or ""),
        "OPTIONS": options,
        "CONN_MAX_AGE": 0,
    }


DATABASE_URL = text("DATABASE_URL", "postgresql://candor_app@localhost/candor")
#: Reads past row security, for `manage.py backup` and `restore` alone; the service does not know it.
BACKUP_DATABASE_URL = text("BACKUP_DATABASE_URL")
#: Folder of pg_dump and pg_restore; unset: those on the PATH, or the embedded ones, by the server's version.
PG_BIN = text("CANDOR_PG_BIN")
OWNER_DATABASE_URL = text("OWNER_DATABASE_URL", "postgresql://candor_owner@localhost/candor")

#: Connections a process keeps open; behind PgBouncer the pooling is its work: set 0.
POOL_SIZE = number("CANDOR_POOL_SIZE", 8, least=0, most=100)
#: Behind PgBouncer before 1.21 in transaction mode server-side preparing fails: set 0 there.
PREPARE_THRESHOLD = number("CANDOR_PREPARE_THRESHOLD", 5, least=0, most=1000)

DATABASES: dict[str, dict[str, Any]] = {
    "default": _connection(DATABASE_URL),
    "owner": _connection(OWNER_DATABASE_URL),
}
DATABASES["default"]["OPTIONS"]["prepare_threshold"] = PREPARE_THRESHOLD or None
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
if POOL_SIZE:
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": POOL_SIZE, "timeout": 10}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["TEST"] = {"MIRROR": "owner"}
DATABASES["owner"]["TEST"] = {
    "NAME": text("CANDOR_TEST_DATABASE", "candor_test"),
    "TEMPLATE": text("CANDOR_TEST_TEMPLATE", "candor_template"),
    "DEPENDENCIES": [],  # by default on «default», which is its mirror
}
DATABASE_ROUTERS = ["tenants.roles.OwnerMigrates"]
