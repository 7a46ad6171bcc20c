"""
A backend for DeepAgents, kept by Candor. Needs the client and DeepAgents: `pip install candor deepagents`.

    from candor import Candor
    from candor.adapters.deepagents import CandorBackend
    from deepagents import create_deep_agent
    from deepagents.backends import CompositeBackend, StateBackend

    backend = CompositeBackend(default=StateBackend(), routes={"/memories/": CandorBackend(Candor())})
    agent = create_deep_agent(model="anthropic:claude-sonnet-5-5", backend=backend)

A file is a memory that the agent writes (`candor.adapters.files`). An edit is refused where another agent has
written the file meanwhile. What a gate refuses is told to the model, with the gate and why; so is an outage,
that it is not taken for an empty directory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from deepagents.backends.protocol import (
    FILE_NOT_FOUND,
    INVALID_PATH,
    IS_DIRECTORY,
    BackendProtocol,
    DeleteResult,
    EditResult,
    FileData,
    FileDownloadResponse,
    FileInfo,
    FileUploadResponse,
    GlobResult,
    GrepResult,
    LsResult,
    ReadResult,
    WriteResult,
)
from deepagents.backends.utils import (
    compile_grep_include_glob,
    grep_matches_from_files,
    perform_string_replacement,
    slice_read_response,
)

from candor.adapters.files import File, FileProblem, Files, PathRefused, labels_of
from candor.client import Candor
from candor.errors import CandorError

Given = ParamSpec("Given")
Told = TypeVar("Told", LsResult, ReadResult, WriteResult, EditResult, DeleteResult, GrepResult, GlobResult)

READ: Final = 2_000
"""Lines that are read at once. DeepAgents'."""


class _NotFound(FileProblem):
    def __init__(self, path: str) -> None:
        super().__init__(f"File '{path}' not found")


def _telling(result: Callable[..., Told]) -> Callable[[Callable[Given, Told]], Callable[Given, Told]]:
    """Make a method return a result that tells what went wrong: a tool answers, and does not raise."""

    def telling(method: Callable[Given, Told]) -> Callable[Given, Told]:
        @wraps(method)
        def told(*args: Given.args, **kwargs: Given.kwargs) -> Told:
            try:
                return method(*args, **kwargs)
            except (CandorError, ValueError) as error:  # ValueError: a pattern that DeepAgents refuses
                return result(error=f"Error: {error}")

        return told

    return telling


class CandorBackend(BackendProtocol):  # type: ignore[misc] # without the framework
    """
    Files for a deep agent; the async methods are the protocol's own, in a thread.

    root: the directory that the agent sees as /, so that several agents share one or do not.
    """

    def __init__(self, client: Candor | None = None, *, root: str = "/") -> None:
        self._files = Files(client)
        self._root = "/".join(["", *labels_of(root)])

    @_telling(LsResult)
    def ls(self, path: str) -> LsResult:
        """Return the files and directories right under a directory."""
        return LsResult(entries=self._entries(path))

    @_telling(ReadResult)
    def read(self, file_path: str, offset: int = 0, limit: int = READ) -> ReadResult:
        """Return lines of a file, from the offset on."""
        return slice_read_response(_data(self._file(file_path)), offset, limit)

    @_telling(WriteResult)
    def write(self, file_path: str, content: str) -> WriteResult:
        """Write a file, whatever was there; its versions are kept."""
        self._files.write(self._full(file_path), content)
        return WriteResult(path=file_path)

    @_telling(EditResult)
    def edit(self, file_path: str, old_string: str, new_string: str, replace_all: bool = False) -> EditResult:
        """Replace what stands in a file once, or wherever it stands."""
        file = self._file(file_path)
        made = perform_string_replacement(file.text, old_string, new_string, replace_all)
        if isinstance(made, str):
            return EditResult(error=made)
        text, count = made
        self._files.write(self._full(file_path), text, expected=file.sha256)
        return EditResult(path=file_path, occurrences=count)

    @_telling(DeleteResult)
    def delete(self, file_path: str) -> DeleteResult:
        """Archive a file, or all files under a directory; people may bring them back."""
        if not self._files.delete(self._full(file_path)):
            raise _NotFound(file_path)
        return DeleteResult(path=file_path)

    @_telling(GrepResult)
    def grep(
        self, pattern: str, path: str | None = None, glob: str | None = None, *, max_count: int | None = None
    ) -> GrepResult:
        """Find lines in which the pattern stands letter for letter."""
        files = {self._shown(file): _data(file) for file in self._files.list(self._full(path or "/"))}
        return grep_matches_from_files(files, pattern, path, glob, max_count=max_count)

    @_telling(GlobResult)
    def glob(self, pattern: str, path: str | None = None) -> GlobResult:
        """Find files by a pattern of their path under a directory, the last written first."""
        matches = compile_grep_include_glob(pattern)
        base = self._full(path or "/").rstrip("/")
        files = [
            file
            for file in self._files.list(base or "/")
            if matches(file.path.removeprefix(f"{base}/") if file.path != base else _name(file))
        ]
        files.sort(key=lambda file: file.created_at, reverse=True)
        return GlobResult(matches=[self._info(file) for file in files])

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Write several files, each for itself; a memory is text, so bytes that are none are refused."""
        return [FileUploadResponse(path=path, error=self._upload(path, told)) for path, told in files]

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """Return the bytes of several files, each for itself."""
        return [self._download(path) for path in paths]

    def _entries(self, path: str) -> list[FileInfo]:
        base = self._full(path).rstrip("/") + "/"
        infos, below = [], set()
        for file in self._files.list(base):
            name, _, deeper = file.path.removeprefix(base).partition("/")
            if not file.path.startswith(base):  # the path is a file's, and nothing lies under it
                continue
            if deeper:
                below.add(name)
            else:
                infos.append(self._info(file))
        shown = path.rstrip("/")
        infos += [FileInfo(path=f"{shown}/{name}/", is_dir=True, size=0) for name in below]
        return sorted(infos, key=lambda info: info["path"])

    def _upload(self, path: str, told: bytes) -> str | None:
        try:
            self._files.write(self._full(path), told.decode("utf-8"))
        except UnicodeDecodeError:
            return "The file is not text in UTF-8; a memory is."
        except PathRefused:
            return str(INVALID_PATH)
        except CandorError as error:
            return str(error)
        return None

    def _download(self, path: str) -> FileDownloadResponse:
        try:
            full = self._full(path)
            file = self._files.read(full)
            if file is None:
                error = IS_DIRECTORY if self._files.list(full) else FILE_NOT_FOUND
                return FileDownloadResponse(path=path, error=error)
        except PathRefused:
            return FileDownloadResponse(path=path, error=INVALID_PATH)
        except CandorError as error:
            return FileDownloadResponse(path=path, error=str(error))
        return FileDownloadResponse(path=path, content=file.text.encode())

    def _file(self, path: str) -> File:
        file = self._files.read(self._full(path))
        if file is None:
            raise _NotFound(path)
        return file

    def _full(self, path: str) -> str:
        """Return the path in the view. Raises PathRefused where it leads out of what the agent sees."""
        within = "/".join(["", *labels_of(path)])
        return f"{self._root}{within}/" if path.endswith("/") else f"{self._root}{within}"

    def _shown(self, file: File) -> str:
        return file.path.removeprefix(self._root)

    def _info(self, file: File) -> FileInfo:
        return FileInfo(
            path=self._shown(file), is_dir=False, size=file.size, modified_at=file.created_at.isoformat()
        )


def _data(file: File) -> FileData:
    at = file.created_at.isoformat()
    return FileData(content=file.text, encoding="utf-8", created_at=at, modified_at=at)


def _name(file: File) -> str:
    return file.path.rpartition("/")[2]
