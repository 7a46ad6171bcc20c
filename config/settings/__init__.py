"""The settings: a file for each concern, gathered here."""

from config.settings.audit import *  # noqa: F403
from config.settings.base import *  # noqa: F403
from config.settings.cache import *  # noqa: F403
from config.settings.database import *  # noqa: F403
from config.settings.limits import *  # noqa: F403
from config.settings.logs import *  # noqa: F403
from config.settings.metrics import *  # noqa: F403
from config.settings.models import *  # noqa: F403
from config.settings.production import *  # noqa: F403
from config.settings.rest import *  # noqa: F403
from config.settings.traces import *  # noqa: F403
from config.settings.webhooks import *  # noqa: F403
from config.settings.work import *  # noqa: F403
