"""`manage.py fit_topics`: find what language, speaker and day do to the built-in embedder's vectors."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from memories.calibration import TOPICS_FILE, Floats, fit_topics
from memories.candidates import searched_text
from memories.embedders import Embedder, get_embedder
from memories.networks import BadRows
from memories.reconciliation.arbiters.fitting import FOLDER, Labelled, read_pairs

OF_A_LANGUAGE: Final = 150
LEAST_OF_A_LANGUAGE: Final = 50
"""Texts of a language that its mean is taken of; of fewer it would tell what they speak of."""

TOLD: Final = 1200
"""Texts that are embedded with and without speaker and day."""


class Command(BaseCommand):
    """Fit what consolidation compares findings by, and write the file."""

    help = "Find what language, speaker and day do to the embedder's vectors, for consolidation by meaning."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--pairs", type=Path, default=FOLDER, metavar="FOLDER", help="*.jsonl of pairs")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--to", type=Path, default=TOPICS_FILE, metavar="FILE", help="where it goes")

    def handle(self, *, pairs: Path, seed: int, to: Path, **_options: Any) -> None:
        """Fit and write. Raises CommandError when the pairs cannot be read."""
        try:
            labelled = read_pairs(pairs)
        except BadRows as error:
            raise CommandError(str(error)) from error
        embedder = get_embedder()
        order = np.random.default_rng(seed).permutation(len(labelled))
        labelled = [labelled[place] for place in order]
        by_language = {
            language: [pair.then.text for pair in labelled if pair.lang == language][:OF_A_LANGUAGE]
            for language in sorted({pair.lang for pair in labelled})
        }
        enough = {name: texts for name, texts in by_language.items() if len(texts) >= LEAST_OF_A_LANGUAGE}
        spoken = [pair for pair in labelled if pair.then.speaker][:TOLD]
        self.stdout.write(f"{len(enough)} languages, {len(spoken)} texts with their speaker. Embedding …")
        fitted = fit_topics(
            embedder.space,
            {name: _embed(embedder, texts) for name, texts in enough.items()},
            bare=_embed(embedder, [pair.then.text for pair in spoken]),
            told=_embed(embedder, [_told(pair) for pair in spoken]),
        )
        with to.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **fitted.arrays())
        self.stdout.write(f"{to}: {len(fitted.directions)} directions, {to.stat().st_size} bytes.")


def _told(pair: Labelled) -> str:
    return searched_text(pair.then.text, speaker=pair.then.speaker, said_at=pair.then.at)


def _embed(embedder: Embedder, texts: Sequence[str]) -> Floats:
    return embedder.embed_passages(texts).astype(np.float64)
