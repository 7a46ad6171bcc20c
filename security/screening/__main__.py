"""
Screen texts by hand or from a file: `python -m security.screening < lines.jsonl`.

A line in is {"text": …}; a line out says what each detector said of it, which secrets were replaced, and how
many milliseconds both took.
"""

import json
import sys
import time
from typing import Any

from security.screening import screen
from security.screening.secrets import redact


def tell(line: str) -> dict[str, Any]:
    """Return what is said of one line. Raises ValueError or KeyError if it is no such line."""
    text = json.loads(line)["text"]
    begun = time.perf_counter()
    redaction = redact(text)
    verdicts = screen(redaction.text)
    return {
        "verdicts": [
            {
                "detector": verdict.detector,
                "outcome": verdict.outcome.value,
                "reason": verdict.reason,
                "span": verdict.span,
                "score": verdict.score,
            }
            for verdict in verdicts
        ],
        "secrets": [found.kind for found in redaction.found],
        "ms": (time.perf_counter() - begun) * 1000,
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(tell(line), ensure_ascii=False))
