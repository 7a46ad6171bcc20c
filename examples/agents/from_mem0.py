"""A move from mem0: what it kept is brought in once, and the agent goes on with the calls it had."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from candor import Candor
from candor.adapters.mem0 import MemoryClient
from examples.agents.staff import new_keys

KEPT = [
    {
        "id": "0f7c1d9e-6f53-4b51-9d0c-4a2e8a4c1b11",
        "memory": "Is allergic to peanuts",
        "user_id": "kai",
        "created_at": "2025-11-03T09:12:44Z",
    },
    {
        "id": "7a2b8e11-90c4-4b0e-8a5d-2f6c3d4e5f66",
        "memory": "Works on the tram timetable in Porto",
        "user_id": "kai",
        "created_at": "2026-02-14T18:30:00Z",
    },
]
"""As `MemoryClient.get_all` of mem0 returns it."""


def bring_in(file: Path, key: str) -> str:
    """Import the file as the agent that is to know it; a second time does nothing."""
    command = [sys.executable, "-m", "candor", "import", "--from", "mem0", str(file)]
    env = {**os.environ, "CANDOR_KEY": key}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout


def main() -> None:
    """Run it, and print what is said."""
    with Candor() as admin, new_keys(admin, "waiter") as (key,), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mem0.json"
        file.write_text(json.dumps({"results": KEPT}), "utf-8")
        print(bring_in(file, key).strip())

        with Candor(key=key) as waiter:
            memory = MemoryClient(client=waiter)
            memory.add("I have a table for two on Friday at eight.", user_id="kai")
            for asked in ("What is he allergic to?", "When is his table?"):
                [best, *_] = memory.search(asked, filters={"user_id": "kai"})["results"]
                print(f"{asked} {best['memory']} (by {best['provenance']})")


if __name__ == "__main__":
    main()
