"""`manage.py fit_reader`: fit the local reader on its labelled rows, and write it with its card."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from memories.candidates import searched_text
from memories.embedders import Embedder, get_embedder
from memories.extraction.reader import FILE, SPACE
from memories.extraction.reader.card import write_card
from memories.extraction.reader.fitting import (
    FOLDER,
    FOLDINGS,
    Labelled,
    Plain,
    Sample,
    find_threshold,
    fit,
    is_shown_bare,
    make_sample,
    measure,
    read_rows,
)
from memories.networks import BadRows
from memories.reconciliation.arbiters.fitting import FOLDER as PAIRS
from memories.reconciliation.arbiters.fitting import MOUTHS, read_pairs
from memories.reconciliation.arbiters.fitting import Labelled as Pair


class Command(BaseCommand):
    """Fit the local reader, measure it on languages and domains left out, write the file and the card."""

    help = "Fit the local reader (is it courtesy, how is it said, of what kind is it) on its labelled rows."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--rows", type=Path, default=FOLDER, metavar="FOLDER", help="*.jsonl of rows")
        parser.add_argument(
            "--pairs", type=Path, default=PAIRS, metavar="FOLDER", help="*.jsonl of the arbiter's pairs"
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--to", type=Path, default=FILE, metavar="FILE", help="where the weights go")
        parser.add_argument("--card", type=Path, metavar="FILE", help="default: CARD.md beside the weights")

    def handle(
        self, *, rows: Path, pairs: Path, seed: int, to: Path, card: Path | None, **_options: Any
    ) -> None:
        """Fit and write. Raises CommandError when the rows cannot be read or the embedder is another."""
        embedder = get_embedder()
        if embedder.space != SPACE:
            raise CommandError(f"The reader is fitted in {SPACE}, the embedder here is {embedder.space}.")
        try:
            labelled, plain = read_rows(rows), read_pairs(pairs)
        except BadRows as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(labelled)} rows, {len(plain)} plain statements. Embedding …")
        sample = _embed(labelled, plain, embedder)
        measured = {}
        for left_out, folds in FOLDINGS.items():
            self.stdout.write(f"Measuring, {left_out} left out …")
            measured[left_out] = measure(sample, folds(sample), seed=seed)
        thresholds = (
            find_threshold(sample, (one.both["class"] for one in measured.values())),
            find_threshold(sample, (one.signs["class"] for one in measured.values())),
        )
        self.stdout.write("Fitting on all …")
        with to.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **fit(sample, seed=seed).arrays(thresholds))
        told = write_card(labelled, sample, measured, thresholds, seed=seed, size=to.stat().st_size)
        (card or to.with_name("CARD.md")).write_text(told, encoding="utf-8")
        self.stdout.write(told)


def _embed(rows: Sequence[Labelled], pairs: Sequence[Pair], embedder: Embedder) -> Sample:
    """Return the rows, as they are searched for and bare, and the earlier statements of the pairs."""
    roles = {mouth: role for role, mouth in MOUTHS.items()}
    firsts = [pair.first for pair in pairs]
    return make_sample(
        rows,
        embedder.embed_passages(
            [searched_text(one.text, speaker=one.speaker, said_at=one.said_at) for one in rows]
        ),
        embedder.embed_passages([one.text for one in rows if is_shown_bare(one)]),
        [
            Plain(lang=pair.lang, domain=pair.domain, role=roles[pair.first.mouth], text=pair.first.text)
            for pair in pairs
        ],
        embedder.embed_passages(
            [searched_text(one.text, speaker=one.speaker, said_at=one.at) for one in firsts]
        ),
    )
