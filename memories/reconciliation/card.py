"""Write the local arbiter's card: what it was fitted on, its figures by language and relation, its limits."""

from collections.abc import Callable, Sequence

import numpy as np

from memories.reconciliation.fitting import FOLDS, Labelled, area, changed
from memories.reconciliation.local import RELATIONS, SPACE
from memories.reconciliation.network import Floats
from memories.reconciliation.verdicts import CHANGES, Relation

_TEXT = """# The local arbiter

Written by `make arbiter`; docs/arbiter.md tells what it is for and how its words are used.

- **What it is**: two small networks over {signs} signs of a pair and five comparisons of both vectors along
  {directions} directions of `{space}`; the same over the signs alone for other spaces. {size} kB, numpy only.
- **Fitted on**: {count} pairs of statements in {languages} languages, written by hand for it (`pairs/`, CC0),
  with the nearest statements of other pairs as unrelated ones. Seed {seed}.
- **Measured on**: the same pairs, each by a fit that saw nothing of its language and domain together
  ({folds} folds). What ships is fitted on all of them.
- **Limits**: it knows no more of a language than the embedder. It was not fitted on long texts (the first
  1 200 characters are read), on code, or on statements of one turn. Its chances are not those of your talk:
  pairs in which something changes are more frequent in its data than anywhere. An attack can be worded as an
  update, so nothing of weak trust rises by its word.

Area under the ROC curve: *changed* tells «replaces», «ends», «corrects» from the rest, *again* tells «same».
"""


def write_card(
    pairs: Sequence[Labelled],
    both: Floats,
    signs: Floats,
    *,
    seed: int,
    inputs: int,
    directions: int,
    size: int,
) -> str:
    """
    Return the card as Markdown.

    both, signs: chances of each pair, held out, shape (n, 8). inputs: signs of a pair. size: in bytes.
    """
    head = _TEXT.format(
        signs=inputs,
        directions=directions,
        space=SPACE,
        size=size // 1024,
        count=len(pairs),
        languages=len({pair.lang for pair in pairs}),
        seed=seed,
        folds=FOLDS,
    )
    by_language = _table(pairs, both, signs, "Language", lambda pair: pair.lang)
    return f"{head}\n{by_language}\n{_relations(pairs, both)}"


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
