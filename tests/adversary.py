"""
Texts that make slow code slow, and every compiled pattern of the house to feed them to.

The shapes are repeats: of blanks, signs, digits and words, and, for each pattern, of what it repeats itself.
"""

import ast
import importlib
import pkgutil
import random
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

PACKAGES: Final = ("tenants", "security", "memories", "recall", "evolution", "config")

UNITS: Final = (
    "\n", " ", "\t", "\u3000", "\r\n", " \n", ".", "…", "!", "?\n", ",", "，", "、", "-", "_", "/", "\\", "=",
    "a", "A", "年", "的", "一", "1", "9,", "1.", "1-", "$1", '"', "'", "(", "[", "{", "<b ",
    "a.", "a-", "a'", "Ab ",
    "A. ", "a\n", "and ", "I ", "the ", "key ", "\u200b", "e\u0301", "a\u0336", "%41", "\\u0041",
    "三月", "aA1", "        a", "a        ", "  a",
)  # fmt: skip
"""What is repeated."""

Shape = tuple[str, str]  #: what stands first, and what is repeated behind it


def fill(shape: Shape, length: int) -> str:
    """Return a text of this length in this shape, with an end that fits nothing."""
    first, unit = shape
    return (first + unit * (length // len(unit) + 1))[: length - 1] + "\x01"


def shapes_for(pattern: "re.Pattern[Any]", *, most: int = 14) -> list[Shape]:
    """Return repeats made for this pattern: a beginning it takes, then what its repeats are made of."""
    chance = random.Random(18)
    tree = tree_of(pattern)
    found: list[Shape] = []
    for first, unit in _repeats(tree, ""):
        found += [(first, unit), ("", first + unit)]
    found += [("", text) for _ in range(3) if (text := _sample(tree, chance))]
    distinct = [shape for shape in dict.fromkeys(found) if shape[1]]
    return distinct if len(distinct) <= most else chance.sample(distinct, most)


def tree_of(pattern: "re.Pattern[Any]") -> Any:
    """Return a pattern as the engine parses it."""
    if isinstance(pattern.pattern, str):
        return parser.parse(pattern.pattern, pattern.flags)
    return parser.parse(pattern.pattern.decode("latin-1"), pattern.flags & ~re.UNICODE)


def possessive_groups(tree: Any) -> Iterator[str]:
    """Yield what a parsed pattern repeats possessively, if it is more than one character or class."""
    for kind, value in tree:
        if kind is sre.POSSESSIVE_REPEAT and [place[0] in _ONE_PLACE for place in value[2]] != [True]:
            yield str(value[2])[:80]
        yield from _groups_inside(value)


def _groups_inside(value: Any) -> Iterator[str]:
    if isinstance(value, parser.SubPattern):
        yield from possessive_groups(value)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _groups_inside(one)


_ONE_PLACE: Final = (sre.IN, sre.LITERAL, sre.NOT_LITERAL, sre.ANY)


def _repeats(tree: Any, first: str) -> Iterator[Shape]:
    for kind, value in tree:
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            if value[1] > 8 and (unit := _sample(value[2])):
                yield first, unit
            yield from _repeats(value[2], first)
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, first)
        elif kind is sre.SUBPATTERN:
            yield from _repeats(value[-1], first)
        elif kind is sre.ATOMIC_GROUP:
            yield from _repeats(value, first)
        first += _sample([(kind, value)])


def _sample(tree: Any, chance: random.Random | None = None) -> str:
    """Return a text that a piece of pattern takes, near enough."""
    made = ""
    for kind, value in tree:
        if kind is sre.LITERAL:
            made += chr(value)
        elif kind in (sre.ANY, sre.NOT_LITERAL):
            made += "a"
        elif kind is sre.IN:
            made += _member(value, chance)
        elif kind is sre.BRANCH:
            made += _sample(chance.choice(value[1]) if chance else value[1][0], chance)
        elif kind is sre.SUBPATTERN:
            made += _sample(value[-1], chance)
        elif kind is sre.ATOMIC_GROUP:
            made += _sample(value, chance)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            times = max(value[0], 1) if chance and chance.random() < 0.6 else value[0]
            made += "".join(_sample(value[2], chance) for _ in range(min(times, 30)))
    return made


def _member(options: Any, chance: random.Random | None) -> str:
    """Return a character of a class."""
    if options[0][0] is sre.NEGATE:
        return "a"
    kind, value = chance.choice(options) if chance else options[0]
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.RANGE:
        return chr(value[0])
    return {"SPACE": " ", "DIGIT": "1"}.get(str(value).rsplit("_", 1)[-1], "a")


def house_modules() -> list[ModuleType]:
    """Return every module of the house that can be imported without running a program."""
    found = []
    for package in PACKAGES:
        root = importlib.import_module(package)
        names = [one.name for one in pkgutil.walk_packages(root.__path__, f"{package}.")]
        left_out = (".migrations", ".settings", "__main__", ".wsgi", ".celery")
        found += [
            root,
            *(importlib.import_module(name) for name in names if not any(x in name for x in left_out)),
        ]
    return found


def house_patterns() -> dict[str, "re.Pattern[Any]"]:
    """Return each distinct pattern by where it is found first: in a module's names, or written in a call."""
    found: dict[tuple[Any, int], tuple[str, re.Pattern[Any]]] = {}
    for module in house_modules():
        seen: set[int] = set()
        for name, value in list(vars(module).items()):
            if not name.startswith("__"):
                for place, pattern in _walk(value, f"{module.__name__}:{name}", seen, 0):
                    found.setdefault((pattern.pattern, pattern.flags), (place, pattern))
        for place, pattern in _written_in_calls(module):
            found.setdefault((pattern.pattern, pattern.flags), (place, pattern))
    return dict(found.values())


def _walk(value: Any, place: str, seen: set[int], depth: int) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    if isinstance(value, re.Pattern):
        yield place, value
        return
    if depth > 8 or id(value) in seen or isinstance(value, str | bytes | int | float | ModuleType | None):
        return
    seen.add(id(value))
    for name, below in _parts(value):
        yield from _walk(below, f"{place}{name}", seen, depth + 1)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, below in list(value.items()):
            yield f"[{str(key)[:20]}]", below
    elif isinstance(value, list | tuple | set | frozenset):
        for at, below in enumerate(value):
            yield f"[{at}]", below
    elif isinstance(value, FunctionType):
        for at, cell in enumerate(value.__closure__ or ()):
            yield f".closure[{at}]", _content(cell)
        for at, below in enumerate(value.__defaults__ or ()):
            yield f".default[{at}]", below
    elif (value if isinstance(value, type) else type(value)).__module__.partition(".")[0] in PACKAGES:
        for name, below in list(getattr(value, "__dict__", {}).items()):
            yield f".{name}", below
        for name in getattr(type(value), "__slots__", ()):
            yield f".{name}", getattr(value, name, None)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _written_in_calls(module: ModuleType) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """Yield the patterns that are written out where they are compiled, inside functions."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "bounded" and node.args:
            wanted = ast.Expression(ast.Call(node.func, node.args, node.keywords))
            try:
                code = compile(ast.fix_missing_locations(wanted), module.__name__, "eval")
                yield f"{module.__name__}:{node.lineno}", eval(code, vars(module))
            except NameError:  # made of what only the call knows: every repeat of it is bounded
                continue


def cpu(work: Callable[[], object], *, tries: int = 3) -> float:
    """Return the least CPU seconds of this thread that the work took in so many tries."""
    best = float("inf")
    for _ in range(tries):
        begun = time.thread_time()
        work()
        best = min(best, time.thread_time() - begun)
        if best > 1:
            break
    return best
