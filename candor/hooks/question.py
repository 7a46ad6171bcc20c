"""What a session that begins in a folder asks memory: the folder's name, the branch, the latest commits."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MOST_LEVELS: Final = 40
MOST_SUBJECTS: Final = 3
LONGEST_QUESTION: Final = 500
_REFLOG_BYTES: Final = 16_384
_EVERYDAY: Final = frozenset({"main", "master", "trunk", "develop", ""})


def question_of(folder: Path) -> str:
    """Return the question. Reads git's files and starts no program, which a folder could choose."""
    top, git = _repository(folder)
    parts = [f"What is known about {top.name or 'this project'}?"]
    if git is not None:
        branch = _branch(git)
        if branch not in _EVERYDAY:
            parts.append(f"The branch is {branch}.")
        if subjects := _subjects(git):
            parts.append(f"The latest work: {'; '.join(subjects)}.")
    return " ".join(parts)[:LONGEST_QUESTION]


def _repository(folder: Path) -> tuple[Path, Path | None]:
    """Return the repository's top and git's folder of it; the folder itself where there is none."""
    for level in [folder, *folder.parents][:MOST_LEVELS]:
        git = level / ".git"
        if git.is_dir():
            return level, git
        if git.is_file():  # a worktree, or a submodule
            named = _read(git).partition("gitdir:")[2].strip()
            return level, (level / named if named else None)
    return folder, None


def _branch(git: Path) -> str:
    head = _read(git / "HEAD").strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def _subjects(git: Path) -> list[str]:
    """Return the first lines of the latest commits made here, newest first."""
    found: list[str] = []
    for line in reversed(_read(git / "logs" / "HEAD").split("\n")):
        done, _, subject = line.partition("\t")[2].partition(": ")
        if done.startswith("commit") and subject and subject not in found:
            found.append(subject.rstrip(".")[:100])
        if len(found) == MOST_SUBJECTS:
            break
    return found


def _read(path: Path) -> str:
    """Return the end of a small file, empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _REFLOG_BYTES))
            return file.read(_REFLOG_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
