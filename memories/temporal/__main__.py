"""
Read texts by hand or from a file: `python -m memories.temporal < lines.jsonl`.

A line in is {"text": …, "ref": an ISO time, local, "zone": a zone, UTC without}; a line out says what it
became,
the times found in it, and how many milliseconds that took.
"""

import json
import sys
import time
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memories.temporal import normalise


def tell(line: str) -> dict[str, Any]:
    """Return what becomes of one line. Raises ValueError or KeyError if it is no such line."""
    asked = json.loads(line)
    zone = ZoneInfo(asked.get("zone", "UTC"))
    clock = datetime.fromisoformat(asked["ref"]).replace(tzinfo=zone)
    begun = time.perf_counter()
    told = normalise(asked["text"], clock=clock, zone=zone)
    return {
        "text": told.text,
        "times": [
            {
                "text": mention.text,
                "start": mention.start.replace(tzinfo=None).isoformat(),
                "end": mention.end.replace(tzinfo=None).isoformat(),
                "resolution": mention.resolution,
                "dated": mention.dated,
            }
            for mention in told.mentions
        ],
        "ms": (time.perf_counter() - begun) * 1000,
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(tell(line), ensure_ascii=False))
