"""`manage.py judge_pairs`: say of pairs of texts whether connect would take them for the same."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memories.comparison import judge_same
from memories.embedders import BadPairs, embed_pairs, get_embedder, read_pairs


class Command(BaseCommand):
    """Judge pairs of texts with the default embedder and the judge that connect uses; nothing is stored."""

    help = "Print for each pair {a, b} of a file what connect makes of it, one JSON object a line."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", type=Path, help="JSON lines {a, b}")

    def handle(self, *_: Any, **options: Any) -> None:
        """Judge, and print in the file's order."""
        try:
            pairs = read_pairs(options["file"], labelled=False)
        except (BadPairs, OSError) as wrong:
            raise CommandError(str(wrong)) from None
        embedder = get_embedder()
        cosines = embed_pairs(pairs, embedder=embedder, pairing="passage-passage", progress=lambda *_: None)
        similarities = embedder.calibration("passage-passage").similarity(cosines)
        for pair, cosine, similarity in zip(pairs, cosines, similarities, strict=True):
            alike = judge_same(pair.a, pair.b, similarity=float(similarity))
            told = {
                "cosine": round(float(cosine), 5),
                "similarity": round(float(similarity), 4),
                "score": round(alike.score, 5),
                "verdict": alike.verdict,
                "differing": sorted(alike.differing),
            }
            self.stdout.write(json.dumps(told))
