"""Load what is slow to load: a worker does so before it forks, a web process before it serves."""

from contextlib import suppress
from datetime import datetime
from zoneinfo import ZoneInfo

from memories.embedders import get_embedder
from memories.language import keywords
from memories.llms import get_model
from memories.temporal import Setting, recognise
from tenants.scope import Unavailable


def warm_up() -> None:
    """Load the embedder, the language model, the recognisers of times, the Chinese dictionary (some 3 s)."""
    with suppress(Unavailable):  # one over a network has nothing to load, and a worker starts without it
        get_embedder().embed_query("warm up")
    get_model()
    keywords("预热分词词典")
    setting = Setting(now=datetime(2026, 1, 1), zone=ZoneInfo("UTC"))  # noqa: DTZ001 - local, as a setting is
    recognise("tomorrow", "en", setting)
    recognise("明天", "zh", setting)
