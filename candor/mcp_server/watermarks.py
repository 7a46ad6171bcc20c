"""The tool `watermarks`, twice: on the machine where the files are, and away from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from candor.fingerprints import NoFingerprint, file_fingerprint, flag_fingerprint, git_fingerprint
from candor.mcp_server.results import Observed
from candor.mcp_server.tools import Conversation, Tools, told
from candor.models import FingerprintRequest, HandleRequest

Flags = Annotated[dict[str, str] | None, Field(description="Flags with their settings.")]
MOST_REPORTED = 100
"""Fingerprints in one report, as the service takes them."""

ROOTED = "Path from the project's root."


class GitScope(BaseModel):
    """A part of the repository."""

    scope: str = Field(description="A folder or file from the repository's root, never all of it.")
    ref: str = "HEAD"


class FileDigest(BaseModel):
    """How a file looks now."""

    path: str = Field(description=ROOTED)
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="Of its content: `sha256sum PATH`.")


class TreeHash(BaseModel):
    """How a part of the repository looks now."""

    scope: str = Field(description="A folder or file from the repository's root, never all of it.")
    ref: str = "HEAD"
    hash: str = Field(pattern="^([0-9a-f]{40}|[0-9a-f]{64})$", description="`git rev-parse REF:SCOPE`.")


class LocalTools(Tools):
    """The tools on the machine of the project: `watermarks` takes the fingerprints itself."""

    def __init__(self, now: Callable[[], Conversation], *, root: Path) -> None:
        super().__init__(now)
        self._root = root

    @property
    def adding(self) -> tuple[Callable[..., Any], ...]:
        """Those that add to memory."""
        return (*super().adding, self.watermarks)

    async def watermarks(
        self,
        files: Annotated[list[str] | None, Field(description="Paths from the project's root.")] = None,
        git: Annotated[list[GitScope] | None, Field(description="Parts of the repository.")] = None,
        flags: Flags = None,
    ) -> Observed:
        """
        Report how files, parts of the repository and flags look now, to check facts that rest on them.

        Without any named, all files and parts of it that facts rest on are looked at: do so on waking.
        """
        if not (files or git or flags):
            files, git = await _rested_on(self._now())
        looks: list[Callable[[], FingerprintRequest]] = [
            *(_look(file_fingerprint, path, root=self._root) for path in files or ()),
            *(_look(git_fingerprint, one.scope, ref=one.ref, root=self._root) for one in git or ()),
            *(_look(flag_fingerprint, name, setting) for name, setting in (flags or {}).items()),
        ]
        prints, skipped = [], []
        for look in looks:
            try:
                prints.append(look())
            except NoFingerprint as error:
                skipped.append(str(error))
        return await _observe(self._now(), prints, skipped)


async def _rested_on(now: Conversation) -> tuple[list[str], list[GitScope]]:
    """Return the files and parts of the repository that facts rest on, as many as a report may name."""
    with told():
        page = await now.client.list_watermarks(limit=MOST_REPORTED, **now.within)
    handles = [one.handle for one in page.results]
    files = [one.path for one in handles if one.kind == "file" and one.path]
    git = [
        GitScope(scope=one.scope, ref=one.ref)
        for one in handles
        if one.kind == "git" and one.scope and one.ref
    ]
    return files, git


class RemoteTools(Tools):
    """The tools away from the project: `watermarks` is told the fingerprints, and reads no file."""

    @property
    def adding(self) -> tuple[Callable[..., Any], ...]:
        """Those that add to memory."""
        return (*super().adding, self.watermarks)

    async def watermarks(
        self,
        files: Annotated[list[FileDigest] | None, Field(description="Files, by digests you took.")] = None,
        git: Annotated[
            list[TreeHash] | None, Field(description="Parts of the repository, by hashes you took.")
        ] = None,
        flags: Flags = None,
    ) -> Observed:
        """
        Report how files, parts of the repository and flags look now, to check facts that rest on them.

        Take the digests yourself, where the project is: this server is elsewhere and reads no file.
        """
        prints = [*map(_of_file, files or ()), *map(_of_tree, git or ())]
        prints += [flag_fingerprint(name, setting) for name, setting in (flags or {}).items()]
        return await _observe(self._now(), prints)


def _look(
    take: Callable[..., FingerprintRequest], *words: Any, **more: Any
) -> Callable[[], FingerprintRequest]:
    return lambda: take(*words, **more)


def _of_file(one: FileDigest) -> FingerprintRequest:
    return FingerprintRequest(handle=HandleRequest(kind="file", path=one.path), value=one.sha256)


def _of_tree(one: TreeHash) -> FingerprintRequest:
    return FingerprintRequest(handle=HandleRequest(kind="git", ref=one.ref, scope=one.scope), value=one.hash)


async def _observe(
    now: Conversation, prints: Sequence[FingerprintRequest], skipped: Iterable[str] = ()
) -> Observed:
    """Report the fingerprints. Raises ToolError where there is none."""
    left_out = list(skipped)
    if not prints:
        raise ToolError("Nothing to report. " + "; ".join(left_out))
    with told():
        seen = await now.client.watermarks(prints, session=now.session, **now.within)
    return Observed(verified=seen.verified, moved=seen.moved, opened=seen.opened, skipped=left_out)
