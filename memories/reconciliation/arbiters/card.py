"""Write the local arbiter's card: what it was fitted on, its figures by language and relation, its limits."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from memories.networks import Floats
from memories.networks.training import area
from memories.reconciliation.arbiters.fitting import DIRECTIONS, FOLDS, TURN_WEIGHT, Labelled, Sample, changed
from memories.reconciliation.arbiters.local import RELATIONS, SPACE
from memories.reconciliation.arbiters.verdicts import CHANGES, UPDATES, Relation

_TEXT = """# The local arbiter

Written by `make arbiter`; docs/arbiter.md tells what it is for and how its words are used.

- **What it is**: two small networks over {signs} signs of a pair and five comparisons of both vectors along
  {directions} directions of `{space}`; the same over the signs alone for other spaces. {size} kB, numpy only.
- **Fitted on**: {count} pairs of statements in {languages} languages, written for it (`pairs/`, CC0), with
  the nearest statements of other pairs as unrelated ones, and {talks} talks (`talks/`, CC0), each turn with
  the nearest before it. Seed {seed}.
- **Measured on**: the same, each pair by a fit that saw nothing of its language and domain together, each
  talk by one that did not see it ({folds} folds). What ships is fitted on all of them.
- **Limits**: it knows no more of a language than the embedder. It was not fitted on long texts (the first
  1 200 characters are read), on code, or on statements of one turn. Its chances are not those of your talk:
  pairs in which something changes are more frequent in its data than anywhere. An attack can be worded as an
  update, so nothing of weak trust rises by its word.

Area under the ROC curve: *changed* tells «replaces», «ends», «corrects» from the rest, *again* tells «same».
"""


SHOWN: Final = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Confidences of which the card tells."""


def write_card(
    pairs: Sequence[Labelled],
    sample: Sample,
    both: Floats,
    signs: Floats,
    *,
    seed: int,
    talks: int,
    size: int,
) -> str:
    """
    Return the card as Markdown.

    sample: what was fitted on, the pairs first. both, signs: its chances, held out, shape (n, 8). size: in
    bytes.
    """
    head = _TEXT.format(
        signs=sample.signs.shape[1],
        directions=DIRECTIONS,
        space=SPACE,
        size=size // 1024,
        count=len(pairs),
        languages=len({pair.lang for pair in pairs}),
        talks=talks,
        seed=seed,
        folds=FOLDS,
    )
    labelled = both[: len(pairs)]
    by_language = _table(pairs, labelled, signs[: len(pairs)], "Language", lambda pair: pair.lang)
    return f"{head}\n{by_language}\n{_relations(pairs, labelled)}\n{_confidences(sample, both, len(pairs))}"


def _confidences(sample: Sample, both: Floats, labelled: int) -> str:
    """Return how many pairs are taken for updates from which confidence on: rightly, and by mistake."""
    places = [RELATIONS.index(one) for one in UPDATES]
    said, meant = both[:, places].sum(axis=1), sample.wanted[:, places].sum(axis=1) > 0.5
    of_pairs = np.arange(len(said)) < labelled
    of_turns = ~of_pairs & (sample.weights == TURN_WEIGHT)
    kinds = {
        "updates of the pairs": of_pairs & meant,
        "other pairs": of_pairs & ~meant,
        "near statements of other pairs": ~of_pairs & ~of_turns,
        "updates in talks": of_turns & meant,
        "other turns of talks": of_turns & ~meant,
    }
    lines = [
        "| taken for an update (%), from a confidence of | " + " | ".join(f"{at:.2f}" for at in SHOWN) + " |",
        "| --- " * (len(SHOWN) + 1) + "|",
    ]
    for name, rows in kinds.items():
        shares = " | ".join(f"{100 * float((said[rows] >= at).mean()):.1f}" for at in SHOWN)
        lines.append(f"| {name} ({rows.sum()}) | {shares} |")
    return "\n".join(lines) + "\n"


def _table(
    pairs: Sequence[Labelled], both: Floats, signs: Floats, name: str, key: Callable[[Labelled], str]
) -> str:
    lines = [
        f"| {name} | pairs | right word | changed | again | changed, signs alone |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    keys = np.array([key(pair) for pair in pairs])
    for one in ["all", *sorted(set(keys.tolist()))]:
        rows = np.ones(len(pairs), dtype=np.bool_) if one == "all" else keys == one
        truth = np.array([RELATIONS.index(pair.relation) for pair in pairs])[rows]
        outdated = np.isin(truth, [RELATIONS.index(change) for change in CHANGES])
        again = truth == RELATIONS.index(Relation.SAME)
        figures = (
            float((both[rows].argmax(axis=1) == truth).mean()),
            area(changed(both[rows]), outdated),
            area(both[rows][:, RELATIONS.index(Relation.SAME)], again),
            area(changed(signs[rows]), outdated),
        )
        lines.append(f"| {one} | {rows.sum()} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |")
    return "\n".join(lines) + "\n"


def _relations(pairs: Sequence[Labelled], both: Floats) -> str:
    """Return how often each relation is taken for which, in hundredths of its pairs."""
    said = both.argmax(axis=1)
    lines = [
        "| is \\ taken for (%) | pairs | " + " | ".join(RELATIONS) + " |",
        "| --- " * (len(RELATIONS) + 2) + "|",
    ]
    for relation in RELATIONS:
        rows = np.array([pair.relation is relation for pair in pairs])
        shares = [f"{100 * float((said[rows] == at).mean()):.0f}" for at in range(len(RELATIONS))]
        lines.append(f"| {relation} | {rows.sum()} | " + " | ".join(shares) + " |")
    return "\n".join(lines) + "\n"
