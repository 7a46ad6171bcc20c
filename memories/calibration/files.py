"""Keep fitted similarity tables in files, and find the table of an embedding space (SPEC W-13)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, get_args

from memories.calibration.shipped import CALIBRATIONS
from memories.calibration.table import Calibration, NoCalibration, Pairing
from security.patterns import bounded

_fitted: Final[dict[tuple[str, str], Calibration]] = {}


class BadTable(ValueError):
    """A file in the folder of similarity tables holds none. Fit it with `manage.py calibrate_embedder`."""


def get_calibration(space: str, pairing: Pairing) -> Calibration:
    """Return the table of an embedding space: a fitted one before the shipped one. Raises NoCalibration."""
    table = _fitted.get((space, pairing)) or CALIBRATIONS.get((space, pairing))
    if table is None:
        raise NoCalibration(NoCalibration.__doc__)
    return table


def use_folder(folder: Path | None) -> None:
    """
    Let `get_calibration` find the fitted tables of this folder, and no others; None: the shipped ones only.

    Read once, when the service starts. Raises BadTable; FileNotFoundError when there is no such folder.
    """
    if folder is not None and not folder.is_dir():
        raise FileNotFoundError(f"No folder of similarity tables at {folder}.")
    tables = [] if folder is None else [read_table(path) for path in sorted(folder.glob("*.json"))]
    _fitted.clear()
    _fitted.update({(table.space, table.pairing): table for table in tables})


def table_name(space: str, pairing: Pairing) -> str:
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
