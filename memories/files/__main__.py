"""
The process that reads one file: media type and limits on the first line, the file after it; answers JSON.

It is started without the service's environment, so it has no secret to lose, and takes its limits before it
loads what reads.
"""

import json
import resource
import sys

from memories.files.limits import TOO_MUCH, FileLimits


def main() -> None:
    """Read the file on standard input."""
    order = json.loads(sys.stdin.buffer.readline())
    limits = FileLimits(**order["limits"])
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(json.dumps(_read(order["media_type"], sys.stdin.buffer.read(), limits)))


def _read(media_type: str, data: bytes, limits: FileLimits) -> dict[str, str]:
    from memories.files.kinds import UnreadableFile
    from memories.files.readers import read

    try:
        text, title = read(media_type, data, limits)
    except UnreadableFile as refused:
        return {"refused": str(refused)}
    except (MemoryError, RecursionError):
        return {"refused": TOO_MUCH.format(what="memory")}
    return {"text": text, "title": title}


if __name__ == "__main__":
    main()
