"""Keep what was fitted to an embedding space in files, and find it again (SPEC W-13, K-10)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, get_args

from memories.calibration.relevance import NoRelevance, Relevance, Scale
from memories.calibration.shipped import CALIBRATIONS, RELEVANCES
from memories.calibration.table import Calibration, NoCalibration, Pairing
from security.patterns import bounded

_fitted: Final[dict[tuple[str, str], Calibration]] = {}
_relevances: Final[dict[str, Relevance]] = {}

RELEVANCE: Final = "relevance"
"""What stands in a file's name in place of a pairing."""


class BadTable(ValueError):
    """A file in the folder of similarity tables holds none. Fit it with `manage.py calibrate_embedder`."""


def get_calibration(space: str, pairing: Pairing) -> Calibration:
    """Return the table of an embedding space: a fitted one before the shipped one. Raises NoCalibration."""
    table = _fitted.get((space, pairing)) or CALIBRATIONS.get((space, pairing))
    if table is None:
        raise NoCalibration(NoCalibration.__doc__)
    return table


def get_relevance(space: str) -> Relevance:
    """Return what relevance is in an embedding space: as fitted, else as shipped. Raises NoRelevance."""
    found = _relevances.get(space) or RELEVANCES.get(space)
    if found is None:
        raise NoRelevance(NoRelevance.__doc__)
    return found


def use_folder(folder: Path | None) -> None:
    """
    Let what was fitted and lies in this folder be found, and nothing else; None: what is shipped only.

    Read once, when the service starts. Raises BadTable; FileNotFoundError when there is no such folder.
    """
    if folder is not None and not folder.is_dir():
        raise FileNotFoundError(f"No folder of similarity tables at {folder}.")
    paths = [] if folder is None else sorted(folder.glob("*.json"))
    of_relevance = [path for path in paths if path.name.endswith(f".{RELEVANCE}.json")]
    tables = [read_table(path) for path in paths if path not in of_relevance]
    relevances = [read_relevance(path) for path in of_relevance]
    _fitted.clear()
    _fitted.update({(table.space, table.pairing): table for table in tables})
    _relevances.clear()
    _relevances.update({one.space: one for one in relevances})


def table_name(space: str, pairing: str) -> str:
    """Return the file name of a table: what of the space's name a file name bears, and the pairing."""
    return f"{bounded(r'[^A-Za-z0-9._-]+').sub('-', space)}.{pairing}.json"


def write_table(table: Calibration, path: Path, **about: Any) -> None:
    """Write a table as JSON, with what it was fitted on beside it; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**asdict(table), **about}, ensure_ascii=False, indent=2) + "\n")


def read_table(path: Path) -> Calibration:
    """Return the table in a file. Raises BadTable."""
    try:
        found = json.loads(path.read_text())
        knots = tuple((float(cosine), float(similarity)) for cosine, similarity in found["knots"])
        if found["pairing"] not in get_args(Pairing):
            raise ValueError(f"«{found['pairing']}» is no pairing.")
        return Calibration(space=str(found["space"]), pairing=found["pairing"], knots=knots)
    except (ValueError, KeyError, TypeError) as wrong:
        raise BadTable(f"{path} holds no similarity table: {wrong!r}.") from None


def relevance_name(space: str) -> str:
    """Return the file name of a space's measure of relevance."""
    return table_name(space, RELEVANCE)


def write_relevance(relevance: Relevance, path: Path, **about: Any) -> None:
    """Write a measure of relevance as JSON, with what it was fitted on; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**asdict(relevance), **about}, ensure_ascii=False, indent=2) + "\n")


def read_relevance(path: Path) -> Relevance:
    """Return the measure of relevance in a file. Raises BadTable."""
    try:
        found = json.loads(path.read_text())
        scales = {
            means: Scale(
                intercept=float(one["intercept"]),
                weights={str(sign): float(weight) for sign, weight in one["weights"].items()},
            )
            for means, one in found["scales"].items()
        }
        return Relevance(
            space=str(found["space"]),
            floor=float(found["floor"]),
            background=float(found["background"]),
            scales=scales,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise BadTable(f"{path} holds no measure of relevance: {wrong!r}.") from None
