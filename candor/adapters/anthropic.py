"""
Claude's memory tool, kept by Candor. Needs the client and Anthropic's SDK: `pip install 'candor[anthropic]'`.

    from anthropic import Anthropic
    from candor import Candor
    from candor.adapters.anthropic import CandorMemoryTool

    runner = Anthropic().beta.messages.tool_runner(
        model="claude-sonnet-5-5", max_tokens=1_000, tools=[CandorMemoryTool(Candor())],
        messages=[{"role": "user", "content": "I eat no fish, remember that."}],
    )

A file under /memories is a memory that the agent writes (`candor.adapters.files`). The tool answers word for
word as `BetaLocalFilesystemMemoryTool` does. What a gate refuses is told to the model, with the gate and why;
so is an outage, that it is not taken for an empty memory.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Final, TypeVar

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from candor.adapters import files
from candor.adapters.files import ABSENT, File, FileProblem, PathRefused, PreconditionFailed
from candor.client import AsyncCandor, Candor
from candor.errors import CandorError, Refused
from candor.wire.sending import Manner, Procedure

T = TypeVar("T")

ROOT: Final = "/memories"

SHOWN_DEEP: Final = 2
"""Levels of a directory that a view shows. Anthropic's."""

MOST_LINES: Final = 999_999
WIDTH: Final = len(str(MOST_LINES))
"""Anthropic's numbering of lines."""

AROUND: Final = 2
"""Lines shown before and behind a changed one. Anthropic's."""


class CandorMemoryTool(BetaAbstractMemoryTool):
    """
    The memory tool for `Anthropic`.

    root: the directory that the model sees as /memories, so that several tools share one memory or do not.
    """

    def __init__(
        self,
        client: Candor | None = None,
        *,
        root: str = ROOT,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client or Candor()
        self._commands = Commands(root)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file with its lines' numbers, or what lies in a directory."""
        return self._do(self._commands.view, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file where there is none."""
        return self._do(self._commands.create, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace what a file says once."""
        return self._do(self._commands.str_replace, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines behind a line."""
        return self._do(self._commands.insert, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Archive a file, or all in a directory."""
        return self._do(self._commands.delete, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a directory."""
        return self._do(self._commands.rename, command)

    def clear_all_memory(self) -> str:
        """Archive all files."""
        return self._do(self._commands.clear, None)

    def _do(self, build: Callable[[Manner, Any], Procedure[str]], command: Any) -> str:
        return self._client._run(_told_to_the_model(build(self._client._manner, command)))


class AsyncCandorMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same, for `AsyncAnthropic`."""

    def __init__(
        self,
        client: AsyncCandor | None = None,
        *,
        root: str = ROOT,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client or AsyncCandor()
        self._commands = Commands(root)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file with its lines' numbers, or what lies in a directory."""
        return await self._do(self._commands.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file where there is none."""
        return await self._do(self._commands.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace what a file says once."""
        return await self._do(self._commands.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines behind a line."""
        return await self._do(self._commands.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Archive a file, or all in a directory."""
        return await self._do(self._commands.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a directory."""
        return await self._do(self._commands.rename, command)

    async def clear_all_memory(self) -> str:
        """Archive all files."""
        return await self._do(self._commands.clear, None)

    async def _do(self, build: Callable[[Manner, Any], Procedure[str]], command: Any) -> str:
        return await self._client._run(_told_to_the_model(build(self._client._manner, command)))


class Commands:
    """What the tool's commands do and say, as procedures."""

    def __init__(self, root: str) -> None:
        self._root = "/" + "/".join(files.labels_of(root))

    def view(self, manner: Manner, command: Any) -> Procedure[str]:
        """Show a file with its lines' numbers, or what lies in a directory."""
        path = self._inside(command.path)
        file = yield from files.read(manner, path)
        if file is not None:
            return _numbered(command.path, file.text, command.view_range)
        found = yield from files.list_files(manner, path)
        if not found and path != self._root:
            raise _missing(command.path)
        return _directory(command.path.rstrip("/"), [(one.path[len(path) + 1 :], one.size) for one in found])

    def create(self, manner: Manner, command: Any) -> Procedure[str]:
        """Make a file where there is none."""
        path = self._inside(command.path)
        if (yield from files.list_files(manner, path)) or path == self._root:
            raise ToolError(f"File {command.path} already exists")
        yield from self._write(manner, path, command.file_text, ABSENT)
        return f"File created successfully at: {command.path}"

    def str_replace(self, manner: Manner, command: Any) -> Procedure[str]:
        """Replace what a file says once."""
        file = yield from self._existing(manner, command.path)
        text, old = file.text, command.old_str
        where = _places(text, old) if old else []
        if not where:
            raise ToolError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
            )
        if text.count(old) > 1:
            lines = ", ".join(str(text[:place].count("\n") + 1) for place in where)
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        new = text.replace(old, command.new_str)
        yield from self._write(manner, file.path, new, file.sha256)
        changed = text[: where[0]].count("\n")
        shown = new.split("\n")[max(0, changed - AROUND) : changed + AROUND + 1]
        snippet = _lines(shown, max(0, changed - AROUND) + 1)
        return (
            f"The memory file has been edited. Here is the snippet showing the change "
            f"(with line numbers):\n{snippet}"
        )

    def insert(self, manner: Manner, command: Any) -> Procedure[str]:
        """Insert lines behind a line."""
        file = yield from self._existing(manner, command.path)
        lines = file.text.split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {command.insert_line}. "
                f"It should be within the range [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        text = "\n".join(lines)
        yield from self._write(manner, file.path, text if text.endswith("\n") else text + "\n", file.sha256)
        return f"The file {command.path} has been edited."

    def delete(self, manner: Manner, command: Any) -> Procedure[str]:
        """Archive a file, or all in a directory."""
        path = self._inside(command.path)
        if path == self._root:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        if not (yield from files.delete(manner, path)):
            raise ToolError(f"The path {command.path} does not exist")
        return f"Successfully deleted {command.path}"

    def rename(self, manner: Manner, command: Any) -> Procedure[str]:
        """Move a file or a directory."""
        old, new = self._inside(command.old_path), self._inside(command.new_path)
        if old == self._root:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")
        if new == self._root or (yield from files.list_files(manner, new)):
            raise ToolError(f"The destination {command.new_path} already exists")
        if not (yield from files.list_files(manner, old)):
            raise ToolError(f"The path {command.old_path} does not exist")
        yield from self._nothing_is_no_directory(manner, new)
        yield from files.rename(manner, old, new)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self, manner: Manner, _: None) -> Procedure[str]:
        """Archive all files."""
        yield from files.delete(manner, self._root)
        return "All memory cleared"

    def _inside(self, path: str) -> str:
        """Return the view's path of the model's. Raises ToolError where it leads out of /memories."""
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            raise ToolError(f"Path must start with {ROOT}, got: {path}")
        try:
            labels = files.labels_of(path[len(ROOT) :] or "/")
        except PathRefused as error:
            raise ToolError(f"Path {path} would escape {ROOT} directory") from error
        return "/".join((self._root, *labels))

    def _existing(self, manner: Manner, path: str) -> Procedure[File]:
        inside = self._inside(path)
        file = yield from files.read(manner, inside)
        if file is not None:
            return file
        if inside == self._root or (yield from files.list_files(manner, inside)):
            raise ToolError(f"The path {path} is not a file.")
        raise _missing(path)

    def _write(self, manner: Manner, path: str, text: str, expected: str) -> Procedure[None]:
        yield from self._nothing_is_no_directory(manner, path)
        yield from files.write(manner, path, text, expected=expected)

    def _nothing_is_no_directory(self, manner: Manner, path: str) -> Procedure[None]:
        """Raise ToolError where a name on the path's way is a file."""
        file = yield from files.in_the_way(manner, self._root, path)
        if file is not None:
            shown = ROOT + file[len(self._root) :]
            raise ToolError(f"The path {shown} is a file, and can hold no other.")


def _told_to_the_model(procedure: Procedure[T]) -> Generator[Any, Any, T]:
    """Carry it out; what went wrong becomes a sentence for the model."""
    try:
        return (yield from procedure)
    except PreconditionFailed as error:
        raise ToolError(
            "The file was changed by somebody else meanwhile. View it again, then edit."
        ) from error
    except FileProblem as error:
        raise ToolError(str(error)) from error
    except Refused as error:
        raise ToolError(f"This was not kept. The gate {error.gate} refused it: {error}") from error
    except CandorError as error:
        raise ToolError(
            f"The memory cannot be asked now ({error}). That says nothing about what it holds."
        ) from error


def _missing(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")


def _places(text: str, part: str) -> list[int]:
    places, start = [], text.find(part)
    while start >= 0:
        places.append(start)
        start = text.find(part, start + 1)
    return places


def _numbered(path: str, text: str, view_range: Sequence[int] | None) -> str:
    lines, first = text.split("\n"), 1
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0])
        lines = lines[first - 1 : len(lines) if view_range[1] == -1 else view_range[1]]
    return f"Here's the content of {path} with line numbers:\n{_lines(lines, first)}"


def _lines(lines: Iterable[str], first: int) -> str:
    return "\n".join(f"{str(number).rjust(WIDTH)}\t{line}" for number, line in enumerate(lines, first))


def _directory(path: str, found: Sequence[tuple[str, int]]) -> str:
    """Tell a directory by the paths and sizes of its files: two levels, by name, without what is hidden."""
    sizes: dict[tuple[str, ...], int] = {}
    seen = [(name.split("/"), size) for name, size in found]
    seen = [(labels, size) for labels, size in seen if not any(one.startswith(".") for one in labels)]
    for labels, size in seen:
        for deep in range(1, min(len(labels), SHOWN_DEEP) + 1):
            place = (*labels[:deep], "") if deep < len(labels) else tuple(labels)
            sizes[place] = sizes.get(place, 0) + size
    whole = sum(size for _, size in seen)
    told = [f"{_size(sizes[place])}\t{path}/{'/'.join(place)}" for place in sorted(sizes)]
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, f"{_size(whole)}\t{path}", *told])


def _size(count: int) -> str:
    """Return a number of bytes as Anthropic's own tool tells it."""
    power = max(0, min((count.bit_length() - 1) // 10, 3))
    size = count / 1024**power
    return f"{int(size)}{'BKMG'[power]}" if size == int(size) else f"{size:.1f}{'BKMG'[power]}"
