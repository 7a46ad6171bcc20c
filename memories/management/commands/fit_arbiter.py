"""`manage.py fit_arbiter`: fit the local arbiter on its labelled pairs, and write it with its card."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from memories.embedders import get_embedder
from memories.networks import BadRows
from memories.reconciliation.arbiters import FILE, SPACE
from memories.reconciliation.arbiters.card import write_card
from memories.reconciliation.arbiters.fitting import (
    FOLDER,
    TALKS,
    fit,
    make_sample,
    measure,
    read_pairs,
    read_talks,
)


class Command(BaseCommand):
    """Fit the local arbiter, measure it on domains it did not see, write the file and the card."""

    help = "Fit the local arbiter (what a later statement does to an earlier one) on its labelled pairs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--pairs", type=Path, default=FOLDER, metavar="FOLDER", help="*.jsonl of pairs")
        parser.add_argument("--talks", type=Path, default=TALKS, metavar="FOLDER", help="*.jsonl of talks")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--to", type=Path, default=FILE, metavar="FILE", help="where the weights go")
        parser.add_argument("--card", type=Path, metavar="FILE", help="default: CARD.md beside the weights")

    def handle(
        self, *, pairs: Path, talks: Path, seed: int, to: Path, card: Path | None, **_options: Any
    ) -> None:
        """Fit and write. Raises CommandError when the pairs cannot be read or the embedder is another."""
        embedder = get_embedder()
        if embedder.space != SPACE:
            raise CommandError(f"The arbiter is fitted in {SPACE}, the embedder here is {embedder.space}.")
        try:
            labelled, talked = read_pairs(pairs), read_talks(talks)
        except BadRows as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(labelled)} pairs and {len(talked)} talks. Embedding …")
        calibration = embedder.calibration("passage-passage")
        sample = make_sample(labelled, talked, embedder=embedder, calibration=calibration)
        self.stdout.write("Fitting on all …")
        with to.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **fit(sample, seed=seed).arrays())
        self.stdout.write("Measuring on domains left out …")
        both, signs = measure(sample, seed=seed)
        told = write_card(labelled, sample, both, signs, seed=seed, talks=len(talked), size=to.stat().st_size)
        (card or to.with_name("CARD.md")).write_text(told, encoding="utf-8")
        self.stdout.write(told)
