"""
Say whether two near-identical texts differ in what must never be skipped over or merged (SPEC W-11).

Vectors and word overlap hardly see a «not», a figure, a date, a name, or who did it to whom. What is found
here is meant for pairs that they hold for the same; between texts on different matters nearly all differs.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from typing import Final, Literal

from memories.comparison.contrasts import CHINESE_CONTRASTS, CONTRASTS
from memories.comparison.reading import Reading, read_text
from memories.comparison.roles import roles_differ
from memories.comparison.words import ANTONYMS, CHINESE_ANTONYMS, SURNAMES
from memories.language import stem
from security.patterns import bounded

Difference = Literal["polarity", "number", "date", "entity", "role", "modality", "wording"]

_DID: Final = frozenset(("did", "didn't", "has", "have", "had", "been"))
_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non")
_ROWS: Final[dict[str, frozenset[int]]] = {
    word: frozenset(at for at, row in enumerate(CONTRASTS) if word in row)
    for row in CONTRASTS
    for word in row
}


_JOINT: Final = bounded(r"[-_./]")
_PART: Final = bounded(r"[-_./\s]")

LONGEST_COMPARED: Final = 4_000
"""Characters of a text that is compared. Longer ones differ unless equal: nothing is merged unread."""

MOST_PAIRS: Final = 20_000
"""Pairs of equal characters in Chinese texts that are aligned; more repeat themselves and take minutes."""


def differences(a: str, b: str) -> frozenset[Difference]:
    """Return in which respects two near-identical texts differ (English and Chinese), in either order."""
    if a == b:
        return frozenset()
    if max(len(a), len(b)) > LONGEST_COMPARED:
        return frozenset({"wording"})
    left, right = map(read_text, sorted((a, b)))  # alignments depend on which comes first
    tests: tuple[tuple[Difference, bool], ...] = (
        ("polarity", _polarity_differs(left, right)),
        ("number", left.numbers != right.numbers),
        ("date", left.dates != right.dates),
        ("entity", _entities_differ(left, right)),
        ("role", roles_differ(left.sequence, right.sequence, left.text, right.text)),
        ("modality", _modality_differs(left, right)),
        ("wording", _wording_differs(left, right)),
    )
    return frozenset(name for name, differs in tests if differs)


def _polarity_differs(left: Reading, right: Reading) -> bool:
    if left.negated != right.negated:
        return True
    only_left, only_right = set(left.words) - set(right.words), set(right.words) - set(left.words)
    for here, there in ((only_left, only_right), (only_right, only_left)):
        if any(x in here and y in there for x, y in ANTONYMS):
            return True
        if any(prefix + word in there for word in here for prefix in _PREFIXES):
            return True
    return _chinese_swaps(left.chinese, right.chinese, CHINESE_ANTONYMS)


def _chinese_swaps(left: str, right: str, rows: Collection[Sequence[str]]) -> bool:
    """Say whether each text has a word of a row that the other lacks."""
    for row in rows:
        ours = {word for word in row if word in left}
        theirs = {word for word in row if word in right}
        if ours - theirs and theirs - ours:
            return True
    return False


def _modality_differs(left: Reading, right: Reading) -> bool:
    """Say whether only one is a plan, a guess, or no longer so; or in the past: «deploy», «deployed»."""
    if left.modes != right.modes or {left.tense, right.tense} == {"present", "past"}:
        return True
    ours, theirs = set(left.words) - set(right.words), set(right.words) - set(left.words)
    if not _DID.isdisjoint(ours | theirs):
        return False  # «did not time out» is as past as «timed out»
    return any(
        here.endswith("ed") and stem(here) == stem(there) and there in _bases(here)
        for one, other in ((ours - left.timeless, theirs), (theirs - right.timeless, ours))
        for here in one
        for there in other
    )


def _bases(past: str) -> frozenset[str]:
    """Return what a form in -ed may be the past of: «deploy» and «deploys», not the noun «deployment»."""
    root = past[:-2]
    bases = {root, f"{root}e", root[:-1]}
    if root.endswith("i"):
        bases.add(f"{root[:-1]}y")
    return frozenset(f"{base}{ending}" for base in bases for ending in ("", "s", "es"))


def _wording_differs(left: Reading, right: Reading) -> bool:
    """
    Say whether ordinary words that exclude each other stand in each other's place: «red», «blue»; 牛肉, 鸡肉.

    So does a word that narrows: «only admins», «admins». In Chinese only what was changed is looked at:
    single characters stand inside many other words.
    """
    if left.limits != right.limits:
        return True
    ours, theirs = set(left.words) - set(right.words), set(right.words) - set(left.words)
    if any(_ROWS[x] & _ROWS.get(y, frozenset()) for x in ours if x in _ROWS for y in theirs):
        return True
    if not _can_align(left.chinese, right.chinese):
        return left.chinese != right.chinese
    return any(_excludes(here, there, left, right) for here, there in _replaced(left.chinese, right.chinese))


def _excludes(here: str, there: str, left: Reading, right: Reading) -> bool:
    """Say whether two changed runs hold words of one row, neither of them anywhere in the other text."""
    for row in CHINESE_CONTRASTS:
        ours = any(word in here and word not in right.chinese for word in row)
        if ours and any(word in there and word not in left.chinese for word in row):
            return True
    return False


def _can_align(left: str, right: str) -> bool:
    """Say whether aligning two texts takes a bounded time: it grows with their pairs of equal characters."""
    ours, theirs = Counter(left), Counter(right)
    return sum(count * theirs[char] for char, count in ours.items()) <= MOST_PAIRS


def _replaced(left: str, right: str) -> list[tuple[str, str]]:
    """Return the pairs of characters' runs, at most four long, that stand in each other's place."""
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return [
        (left[i1:i2], right[j1:j2])
        for op, i1, i2, j1, j2 in matcher.get_opcodes()
        if op == "replace" and max(i2 - i1, j2 - j1) <= 4
    ]


def _entities_differ(left: Reading, right: Reading) -> bool:
    """Say whether one text has a name that the other lacks, or has another in its place."""
    for here, there in ((left, right), (right, left)):
        if not _has_names(there, here.entities):
            return True
    return _is_swapped(left, right) or _chinese_name_swapped(left.chinese, right.chinese)


def _has_names(reading: Reading, names: Collection[str]) -> bool:
    """Say whether a text has all the names, in whatever case or number, or the parts of hyphenated ones."""
    lowered = reading.text.lower()
    if missing := [name for name in names if name not in lowered]:
        stems = {stem(part) for word in reading.words for part in _JOINT.split(word)}
        return all(stem(part) in stems for name in missing for part in _PART.split(name))
    return True


def _is_swapped(left: Reading, right: Reading) -> bool:
    """
    Say whether the texts differ in one word, written with a capital in both: «Alice prefers tea», «Bob
    prefers tea».

    At the start of a sentence a capital alone tells no name.
    """
    ours, theirs = left.capitals - right.capitals, right.capitals - left.capitals
    rest_differs = {stem(word) for word in left.words} ^ {stem(word) for word in right.words}
    return (
        len(ours) == len(theirs) == 1
        and len(rest_differs) == 2
        and {stem(w) for w in ours | theirs} == rest_differs
    )


def _chinese_name_swapped(left: str, right: str) -> bool:
    """Say whether two Chinese texts differ in one place where both have what looks like a person's name."""
    if not _can_align(left, right):
        return False  # said by `_wording_differs`
    edits = [
        op for op in SequenceMatcher(None, left, right, autojunk=False).get_opcodes() if op[0] != "equal"
    ]
    if len(edits) != 1 or edits[0][0] != "replace":
        return False
    _, i1, i2, j1, j2 = edits[0]
    if i1 and left[i1 - 1] in SURNAMES:  # 张伟, 张娜: the surname is common to both
        i1, j1 = i1 - 1, j1 - 1
    return all(2 <= len(name) <= 3 and name[0] in SURNAMES for name in (left[i1:i2], right[j1:j2]))
