"""`manage.py calibrate_embedder`: fit the similarity table of an embedding space from labelled pairs."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, get_args
from zlib import crc32

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memories.calibration import (
    Calibration,
    Floats,
    Pairing,
    Quality,
    fit,
    measure_quality,
    table_name,
    weigh_labels,
    write_table,
)
from memories.embedders import BadPairs, Embedder, Pair, embed_pairs, get_embedder, read_pairs

LEAST_PAIRS: Final = 40
LEAST_OF_A_LABEL: Final = 10
"""Pairs, and pairs of either end of the scale; with fewer, a curve tells of them and not of the model."""

KEPT_ASIDE: Final = 4
"""One pair in so many measures the table and is not in its first fit; the table written is fitted to all."""

_TOLD: Final = """
The file has one pair a line, {"a": text, "b": text, "same": from 0 to 1}: 1 the same meaning, 0 unrelated,
0.5 on the same thing. Give some hundred of each. For query-passage and query-turn «a» is the question, «b»
the text that answers (1) or not (0); a turn is written as it is embedded: X said on 5 March 2026, "…".
"""


class Command(BaseCommand):
    """Fit the similarity table of an embedding space from labelled pairs, show how good it is, write it."""

    help = "Fit the similarity table of an embedder from labelled pairs."
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Keep the lines of the description as they are."""
        return super().create_parser(
            prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, epilog=_TOLD, **kwargs
        )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--pairs", type=Path, required=True, metavar="FILE", help="labelled pairs, JSON lines"
        )
        parser.add_argument("--alias", default="default", help="which of settings.EMBEDDERS")
        parser.add_argument("--space", help="name of the embedding space; default: the embedder's own")
        parser.add_argument("--pairing", choices=get_args(Pairing), default="passage-passage")
        parser.add_argument(
            "--write",
            type=Path,
            metavar="PATH",
            help="file to write, or a folder; default: CANDOR_CALIBRATIONS",
        )
        parser.add_argument("--dry-run", action="store_true", help="fit and show, write nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Fit, show and write."""
        embedder = _find_embedder(options["alias"])
        space, pairing = options["space"] or embedder.space, options["pairing"]
        path = None if options["dry_run"] else _find_path(options["write"], space, pairing)
        pairs = _read(options["pairs"])
        cosines = embed_pairs(pairs, embedder=embedder, pairing=pairing, progress=self._report)
        same = np.array([pair.same for pair in pairs])
        table = _fit(cosines, same, space=space, pairing=pairing)
        quality = _measure(pairs, cosines, same, table)
        self._show(table, quality)
        if path is None:
            self.stdout.write("Nothing written: a dry run.")
            return
        write_table(table, path, pairs=len(pairs), error=round(quality.error, 4))
        self.stdout.write(f"Written to {path}; running services read it when they start.")

    def _report(self, done: int, total: int) -> None:
        if done == total or done * 10 // total > (done - 1) * 10 // total:
            self.stderr.write(f"embedded {done} of {total} texts")

    def _show(self, table: Calibration, quality: Quality) -> None:
        self.stdout.write(f"Similarity table of {table.space}, {table.pairing}:")
        self.stdout.write("  cosine   similarity")
        for cosine, similarity in table.knots:
            self.stdout.write(f"  {cosine:6.4f}   {similarity:.2f}")
        self.stdout.write(
            f"Fitted without them, measured on {quality.pairs} pairs, each label of equal weight:"
        )
        self.stdout.write(f"  expected calibration error {quality.error:.3f}")
        for threshold in quality.thresholds:
            precision = (
                "none reach it" if threshold.precision is None else f"precision {threshold.precision:.3f}"
            )
            self.stdout.write(f"  from {threshold.similarity:.2f}: {threshold.pairs} pairs, {precision}")


def _find_embedder(alias: str) -> Embedder:
    if alias not in settings.EMBEDDERS:
        raise CommandError(
            f"settings.EMBEDDERS has no «{alias}», only {', '.join(sorted(settings.EMBEDDERS))}."
        )
    return get_embedder(alias)


def _find_path(wanted: Path | None, space: str, pairing: Pairing) -> Path:
    """Return where to write; raises CommandError before anything has been embedded."""
    folder = getattr(settings, "CALIBRATIONS", None)
    if wanted is None and not folder:
        raise CommandError("Nowhere to write: give --write PATH, set CANDOR_CALIBRATIONS, or try --dry-run.")
    path = wanted or Path(str(folder))
    return path if path.suffix == ".json" else path / table_name(space, pairing)


def _read(path: Path) -> list[Pair]:
    """Return the pairs; raises CommandError when they cannot be read or are too few to fit."""
    try:
        pairs = read_pairs(path, labelled=True)
    except (BadPairs, OSError) as wrong:
        raise CommandError(str(wrong)) from None
    if len(pairs) < LEAST_PAIRS:
        raise CommandError(
            f"{len(pairs)} pairs are too few: give {LEAST_PAIRS} at least, better some hundred."
        )
    for label, meaning in ((1.0, "the same"), (0.0, "unrelated")):
        count = sum(pair.same == label for pair in pairs)
        if count < LEAST_OF_A_LABEL:
            raise CommandError(
                f"Only {count} pairs are labelled {label:g} ({meaning}): give {LEAST_OF_A_LABEL} at least."
            )
    return pairs


def _fit(cosines: Floats, same: Floats, *, space: str, pairing: Pairing) -> Calibration:
    knots = fit(cosines, same, weights=weigh_labels(same))
    return Calibration(space=space, pairing=pairing, knots=knots)


def _measure(pairs: Sequence[Pair], cosines: Floats, same: Floats, table: Calibration) -> Quality:
    """Measure a table like this one on pairs that it was not fitted to."""
    # Every fourth of each label, in an order that has nothing to do with the file's.
    order = sorted(range(len(pairs)), key=lambda at: (pairs[at].same, _shuffled(pairs[at])))
    aside = np.zeros(len(pairs), dtype=np.bool_)
    aside[order[::KEPT_ASIDE]] = True
    first = _fit(cosines[~aside], same[~aside], space=table.space, pairing=table.pairing)
    return measure_quality(first, cosines[aside], same[aside])


def _shuffled(pair: Pair) -> int:
    return crc32(f"{pair.a}\n{pair.b}".encode("utf-8", "surrogatepass"))
