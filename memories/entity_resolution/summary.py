"""
Say in short what a text says, by the sentences that speak for it (SPEC M-11). Pure; no model is asked.

A sentence speaks for a text as far as its words are the text's own frequent words (SumBasic: Nenkova and
Vanderwende, MSR-TR-2005-101): its score is the mean probability of its words, and the words of a chosen
sentence count less for the next, so that two sentences do not say the same.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from memories.language import split_sentences, words

OF_A_PASSAGE, OF_A_DOCUMENT = 2, 3
"""The most sentences a summary has (SPEC M-11)."""

LONGEST_SUMMARY: Final = 600
"""Characters of a summary. A longer sentence is left out as long as there is another."""

FEWEST_WORDS: Final = 4
"""Words under which a sentence is a heading or a remark, and speaks for nothing."""


def summarise(text: str, *, most: int) -> str:
    """Return at most `most` sentences of the text, in its order; the whole text when it has no more."""
    sentences = [sentence.text for sentence in split_sentences(text)]
    if len(sentences) <= most and len(text.strip()) <= LONGEST_SUMMARY:
        return text.strip()
    return _join([sentences[place] for place in sorted(_choose(sentences, most))])


def _choose(sentences: Sequence[str], most: int) -> list[int]:
    terms = [words(sentence) for sentence in sentences]
    counts = Counter(term for own in terms for term in own)
    total = max(counts.total(), 1)
    probability = {term: count / total for term, count in counts.items()}
    fit = [place for place, own in enumerate(terms) if len(own) >= FEWEST_WORDS] or list(range(len(terms)))
    chosen: list[int] = []
    room = LONGEST_SUMMARY
    while fit and len(chosen) < most:
        best = max(fit, key=lambda place: (_mean(terms[place], probability), -place))
        fit.remove(best)
        if len(sentences[best]) > room and (chosen or fit):
            continue
        chosen.append(best)
        room -= len(sentences[best])
        for term in set(terms[best]):
            probability[term] **= 2
    return chosen


def _mean(own: Sequence[str], probability: dict[str, float]) -> float:
    return sum(probability[term] for term in own) / max(len(own), 1)


def _join(chosen: Sequence[str]) -> str:
    """Return the sentences as one text; one that is too long for a summary by itself is cut."""
    glued = ""
    for sentence in chosen:
        blank = "" if not glued or glued[-1] in "。！？；" else " "
        glued += blank + sentence
    return glued if len(glued) <= LONGEST_SUMMARY else glued[: LONGEST_SUMMARY - 1].rstrip() + "…"
