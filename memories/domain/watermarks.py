"""
What a fact can be checked against without a clock: handles and their fingerprints (SPEC E-07). Pure.

A state is bound when it is written to one thing outside that it speaks of: a file, a part of a repository,
a flag. The thing has to stand in the text, and the client has to have sent its fingerprint along. Neither
alone is enough: a path in a text may be of another machine, a list of fingerprints says nothing of the text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from security.patterns import bounded

Kind = Literal["file", "git", "flag"]

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "file": ("path",), "git": ("ref", "scope"), "flag": ("name",),
}  # fmt: skip
"""The closed set of handles and what each is made of; a fact with none of them has no watermark."""

MOVED: Final[Mapping[str, float]] = {"file": 0.5, "flag": 0.5, "git": 0.8}
"""What is left of the trust in a fact whose handle has moved (SPEC E-07): a whole part of a repository moves
for many reasons, the one file or flag that a fact speaks of for few."""

LONGEST_HANDLE: Final = 300
LONGEST_VALUE: Final = 200
MOST_FINGERPRINTS: Final = 100
"""Characters of one field of a handle, of a fingerprint, and fingerprints in one request. Ours."""

_GLOBAL: Final = frozenset(("", ".", "/", "*", "**", "~", "HEAD"))
"""Names of everything: what is bound to them would be doubted with every move of anything."""

_BEFORE: Final = r"(?<![\w./@-])"
_AFTER: Final = r"(?![\w/@-])(?!\.\w)"
"""Where a name begins and ends in a text: a full stop may follow it, an extension may not."""

_NAMES_GIT: Final = r"(?:branch(?:es)?|tags?|refs?|commits?|releases?|on|at|of|origin/|分支|标签|提交|在)"
_NAMES_FLAG: Final = r"(?:flags?|toggles?|switch(?:es)?|features?|settings?|options?|开关|标志|特性|选项)"
_NEAR: Final = 24
"""Characters between such a word and the name it speaks of."""

_QUOTES: Final = "`'\"«»“”‘’「」"
_UNUSUAL: Final = bounded(r"[-_.:/0-9]|[a-z][A-Z]|^[A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Handle:
    """A typed name of something outside of memory: `file{path}`, `git{ref, scope}`, `flag{name}`."""

    kind: Kind
    name: str  #: path, ref, or the flag's name
    scope: str = ""  #: of git: the part of the repository; else empty

    @property
    def is_global(self) -> bool:
        """Whether it names everything there is, which nothing is bound to."""
        return self.name in _GLOBAL - {"HEAD"} or (self.kind == "git" and self.scope in _GLOBAL)

    @property
    def fields(self) -> dict[str, str]:
        """The handle as clients name it, the other way round than `read_handle`."""
        return {"kind": self.kind, **dict(zip(FIELDS[self.kind], (self.name, self.scope), strict=False))}

    def told(self) -> str:
        """Return the handle in words."""
        return f"{self.scope} on {self.name}" if self.kind == "git" else f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What a handle looks like now; the value is a digest, see `digest`."""

    handle: Handle
    value: str


def read_handle(sent: Mapping[str, Any]) -> Handle:
    """
    Return the handle that {kind, …} names, its path in one spelling. Raises ValueError for any other fields.

    The fields are those of FIELDS for its kind, no fewer and no more, none of them empty.
    """
    kind = sent.get("kind")
    wanted = FIELDS.get(str(kind))
    if wanted is None:
        raise ValueError(f"kind must be one of {', '.join(FIELDS)}")
    if {"kind", *wanted} != set(sent) or not all(isinstance(sent[name], str) for name in wanted):
        raise ValueError(f"a handle of kind {kind} has exactly {' and '.join(wanted)}")
    if kind == "file":
        handle = Handle(kind="file", name=plain_path(sent["path"]))
    elif kind == "git":
        handle = Handle(kind="git", name=sent["ref"].strip(), scope=plain_path(sent["scope"]))
    else:
        handle = Handle(kind="flag", name=sent["name"].strip())
    if handle.is_global:
        raise ValueError("a handle must name one thing, not everything")
    return handle


def handle_of(row: Mapping[str, Any]) -> Handle:
    """Return the handle that a row of watermarks is of, by its columns kind, name and scope."""
    return Handle(kind=row["kind"], name=row["name"], scope=row["scope"])


def plain_path(path: str) -> str:
    """Return a path in one spelling: slashes, none at the end, no «./» before it."""
    plain = bounded(r"/+").sub("/", path.strip().replace("\\", "/"))
    plain = bounded(r"(?:^|(?<=/))\./").sub("", plain)
    return plain.rstrip("/") if plain != "/" else plain


def digest(handle: Handle, value: str) -> str:
    """
    Return what is kept of a fingerprint: a hash over the handle and the value as it was sent.

    What clients send is a hash already, or should be; kept as it came, it might be a secret by mistake.
    """
    return sha256("\0".join((handle.kind, handle.name, handle.scope, value)).encode()).hexdigest()


def read_fingerprints(sent: Iterable[Mapping[str, Any]]) -> tuple[Fingerprint, ...]:
    """
    Return the fingerprints of {handle, value} each, one for each handle.

    Raises ValueError for a handle that is none, or one that was sent with two values.
    """
    found: dict[Handle, str] = {}
    for one in sent:
        handle = read_handle(one["handle"])
        value = digest(handle, one["value"])
        if found.setdefault(handle, value) != value:
            raise ValueError("one handle was sent with two values")
    return tuple(Fingerprint(handle=handle, value=value) for handle, value in found.items())


def to_rows(fingerprints: Iterable[Fingerprint]) -> list[list[str]]:
    """Return fingerprints as a capture keeps them: [kind, name, scope, digest] each."""
    return [[one.handle.kind, one.handle.name, one.handle.scope, one.value] for one in fingerprints]


def from_rows(rows: Iterable[Sequence[str]]) -> tuple[Fingerprint, ...]:
    """Return what `to_rows` wrote down."""
    return tuple(
        Fingerprint(handle=Handle(kind=kind, name=name, scope=scope), value=value)  # type: ignore[arg-type]
        for kind, name, scope, value in rows
    )


def choose_watermark(text: str, fingerprints: Sequence[Fingerprint]) -> Fingerprint | None:
    """
    Return the fingerprint that a text is bound to: of the thing it names first; None: of nothing it names.

    Two things that the same words could mean (`a/app.toml` and `b/app.toml` for «app.toml») are neither.
    """
    placed = [(*place, one) for one in fingerprints if (place := find_place(text, one.handle)) is not None]
    if not placed:
        return None
    begin, length = min((begin, -length) for begin, length, _one in placed)
    first = [one for at, size, one in placed if (at, -size) == (begin, length)]
    return first[0] if len(first) == 1 else None


def is_narrower(handle: Handle, than: Handle) -> bool:
    """
    Tell whether a handle is a part of what the other one watches (SPEC E-09).

    Of a part of a repository: a smaller part of it on the same ref, or one file that lies in it.
    """
    if than.kind != "git" or handle == than:
        return False
    if handle.kind == "git" and handle.name != than.name:
        return False
    path = handle.scope if handle.kind == "git" else handle.name
    return handle.kind != "flag" and (path == than.scope or path.startswith(f"{than.scope}/"))


def find_place(text: str, handle: Handle) -> tuple[int, int] | None:
    """Return where the text names the handle, and in how many characters; None: it does not."""
    if handle.is_global:
        return None
    if handle.kind == "file":
        return _find_path(text, handle.name)
    if handle.kind == "flag":
        return _find_name(text, handle.name, near=_NAMES_FLAG)
    # A ref alone is the whole repository: the text has to name the part of it, too.
    ref = _find_name(text, handle.name, near=_NAMES_GIT)
    return None if ref is None else _find_scope(text, handle.scope)


def _find_path(text: str, path: str) -> tuple[int, int] | None:
    """Return where the path or its end stands; a bare name must look like a file's, or be quoted."""
    parts = path.lstrip("/").split("/")
    for cut in range(len(parts)):
        end = "/".join(parts[cut:])
        written = f"(?:\\.?/)?{re.escape(end)}" if cut == 0 else re.escape(end)
        for found in bounded(_BEFORE + written + _AFTER).finditer(text):
            if "/" in end or _UNUSUAL.search(end) or _is_quoted(text, found):
                return found.start(), found.end() - found.start()
    return None


def _find_scope(text: str, scope: str) -> tuple[int, int] | None:
    """Return where the scope, or a path below it, stands."""
    bare = "/" not in scope and not _UNUSUAL.search(scope)
    for found in bounded(
        _BEFORE + r"(?:\./)?" + re.escape(scope) + r"(?P<below>/[\w./@-]*)?(?![\w@-])"
    ).finditer(text):
        if not bare or found["below"] or _is_quoted(text, found):
            return found.start(), found.end() - found.start()
    return None


def _find_name(text: str, name: str, *, near: str) -> tuple[int, int] | None:
    """Return where the name stands: one that is also a common word needs a word beside it that says what."""
    for found in bounded(_BEFORE + re.escape(name) + _AFTER).finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        after = text[found.end() : found.end() + _NEAR]
        beside = bounded(near + r"[^.!?。！？]*$", re.IGNORECASE).search(before) or bounded(
            r"[^.!?。！？]*?" + near, re.IGNORECASE
        ).match(after)
        if beside or _UNUSUAL.search(name) or _is_quoted(text, found):
            return found.start(), found.end() - found.start()
    return None


def _is_quoted(text: str, found: "re.Match[str]") -> bool:
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    return bool(before and after) and before in _QUOTES and after in _QUOTES


def factor_of(kind: str, *, bound: str, seen: str) -> float:
    """
    Return what is left of the trust in a fact, in (0, 1], by what its handle looked like and looks like now.

    A function of the two alone: the same move told twice, or another move before anybody has looked, takes
    no more; a handle that looks again as it did takes nothing.
    """
    return 1.0 if bound == seen else MOVED[kind]
