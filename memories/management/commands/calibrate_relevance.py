"""`manage.py calibrate_relevance`: fit the relevance of an embedding space, and its floor (SPEC K-10)."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memories.calibration import (
    LOST,
    SIGNS,
    AskedOnce,
    Means,
    Relevance,
    Separation,
    fit_relevance,
    relevance_name,
    write_relevance,
)
from memories.embedders import get_embedder

LEAST: Final = 100
"""Questions of either kind; with fewer, a floor that two in a hundred may cost tells of two questions."""

PART: Final = "fit"
"""The part of a bench's questions that is fitted on; a line without a part is, too."""

_TOLD: Final = """
The file has one question a line: {"answerable": 1 or 0, "rows": [{"similarity": …, "margin": …, "words": …,
"word_margin": …, "agreed": …, "known": …, "named": …, "tag": …}, …]}. Rows are the first results of a recall
with `explain` and `min_relevance: 0`; their signs are its `relevance_…`. A question counts as answerable when
its answer stands among them; "size" is how many memories its store has, where those are fewer than twenty.
`make bench-nothing-known` writes such a file to bench/out/nothing-known-asked.jsonl.
"""


class Command(BaseCommand):
    """Fit the relevance of an embedding space, show what its floor does to questions kept aside, write it."""

    help = "Fit the relevance of an embedder's results, and its floor."
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Keep the lines of the description as they are."""
        return super().create_parser(
            prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, epilog=_TOLD, **kwargs
        )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--asked", type=Path, required=True, metavar="FILE", help="questions, JSON lines")
        parser.add_argument("--alias", default="default", help="which of settings.EMBEDDERS")
        parser.add_argument("--space", help="name of the embedding space; default: the embedder's own")
        parser.add_argument(
            "--lost", type=float, default=LOST, help=f"share of answers the floor may cost, {LOST}"
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="of the parts that are kept aside by turns, 1"
        )
        parser.add_argument(
            "--write", type=Path, metavar="PATH", help="file or folder; default: CANDOR_CALIBRATIONS"
        )
        parser.add_argument("--dry-run", action="store_true", help="fit and show, write nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Fit, show and write."""
        space = options["space"] or _space_of(options["alias"])
        path = None if options["dry_run"] else _find_path(options["write"], space)
        asked = _read(options["asked"])
        relevance, told = fit_relevance(asked, space=space, seed=options["seed"], lost=options["lost"])
        self._show(relevance, told)
        if path is None:
            self.stdout.write("Nothing written: a dry run.")
            return
        write_relevance(relevance, path, questions=len(asked), lost=options["lost"], seed=options["seed"])
        self.stdout.write(f"Written to {path}; running services read it when they start.")

    def _show(self, relevance: Relevance, told: Mapping[Means, Separation]) -> None:
        self.stdout.write(
            f"Relevance in {relevance.space}, floor {relevance.floor:g}, background {relevance.background:g}:"
        )
        for means, scale in relevance.scales.items():
            weights = ", ".join(f"{sign} {weight:g}" for sign, weight in scale.weights.items())
            self.stdout.write(f"  {means}: {scale.intercept:g}; {weights}")
        self.stdout.write("Of questions that the scale was not fitted to, the floor holds back:")
        for means, one in told.items():
            self.stdout.write(
                f"  {means}: {one.lost:.3f} of those with an answer, {one.held:.3f} of those without, "
                f"{one.questions} questions"
            )


def _space_of(alias: str) -> str:
    if alias not in settings.EMBEDDERS:
        raise CommandError(
            f"settings.EMBEDDERS has no «{alias}», only {', '.join(sorted(settings.EMBEDDERS))}."
        )
    return get_embedder(alias).space


def _find_path(wanted: Path | None, space: str) -> Path:
    folder = getattr(settings, "CALIBRATIONS", None)
    if wanted is None and not folder:
        raise CommandError("Nowhere to write: give --write PATH, set CANDOR_CALIBRATIONS, or try --dry-run.")
    path = wanted or Path(str(folder))
    return path if path.suffix == ".json" else path / relevance_name(space)


def _read(path: Path) -> list[AskedOnce]:
    """Return the questions; raises CommandError when they cannot be read or are too few to fit."""
    try:
        with path.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
        asked = [_question(row) for row in rows if row.get("part", PART) == PART and row["rows"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise CommandError(f"{path} holds no questions: {wrong!r}.") from None
    for answerable in (True, False):
        count = sum(one.answerable is answerable for one in asked)
        if count < LEAST:
            kind = "with" if answerable else "without"
            raise CommandError(f"Only {count} questions {kind} an answer: give {LEAST} at least.")
    return asked


def _question(line: Mapping[str, Any]) -> AskedOnce:
    rows: list[dict[str, float]] = [{sign: float(row[sign]) for sign in SIGNS} for row in line["rows"]]
    return AskedOnce(answerable=bool(line["answerable"]), rows=rows, of_few=line.get("size") is not None)
