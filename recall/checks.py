"""What must hold of recall's settings, and how to mend what does not."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register("models")
def check_recall_engine(_configs: Sequence[Any] | None = None, **_: Any) -> list[CheckMessage]:
    """Look whether the engine that shall answer recalls is one that there is."""
    # Imported late: a command that does not look at this need not load the read track.
    from recall.retrieval import ENGINES

    if settings.RECALL_ENGINE in ENGINES:
        return []
    return [
        Error(
            f"There is no recall engine «{settings.RECALL_ENGINE}».",
            hint=f"Set CANDOR_RECALL_ENGINE to one of {', '.join(ENGINES)}.",
            id="candor.E030",
        )
    ]
