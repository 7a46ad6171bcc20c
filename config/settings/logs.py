"""JSON lines on standard error; no text of a tenant is logged anywhere."""

from typing import Any

from config.settings.environment import text

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.request_id.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    #: They log what was asked for and answered, a tenant's words among it.
    "loggers": {"mcp": {"level": "WARNING"}, "httpx": {"level": "WARNING"}},
    "root": {"handlers": ["stderr"], "level": text("CANDOR_LOG_LEVEL", "INFO")},
}
