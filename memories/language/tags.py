"""Tags in one spelling, and as terms of the postings."""

from collections.abc import Iterable
from itertools import pairwise

from memories.language.tag_names import TAG_NAMES

TAG_MARK = "#"
"""Begins a tag's term in the postings. No word of a text begins so; tags add nothing to its length."""


def canonical_tag(tag: str) -> str:
    """
    Return the tag in its one spelling: lower case, single blanks, no mark before it.

    A technical short form and what it stands for are one tag: «JSON Web Token» is jwt, «k8s» kubernetes.
    """
    plain = " ".join(tag.casefold().removeprefix(TAG_MARK).split())
    return TAG_NAMES.get(plain) or TAG_NAMES.get(plain.replace("-", " ").replace("_", " "), plain)


def tag_terms(tags: Iterable[str]) -> list[str]:
    """Return the postings' terms of these tags, each once, in order."""
    return list(dict.fromkeys(TAG_MARK + name for tag in tags if (name := canonical_tag(tag))))


def phrases(words: list[str]) -> list[str]:
    """Return the words and each two and three that stand together: what in a question may be a tag's name."""
    runs = zip(words, words[1:], words[2:], strict=False)
    return [*words, *map(" ".join, pairwise(words)), *map(" ".join, runs)]
