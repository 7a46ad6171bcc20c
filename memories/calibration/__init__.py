"""
Turn a raw cosine into a calibrated similarity: what a number means, whatever the embedding model (SPEC W-13).

A cosine of 0.90 between two passages is next to nothing for one model and a paraphrase for another, so every
threshold of the product is written in calibrated similarity, and each embedding space brings a table.
"""

from memories.calibration.files import (
    BadTable,
    get_calibration,
    read_table,
    table_name,
    use_folder,
    write_table,
)
from memories.calibration.fitting import (
    KNOT_WIDTH,
    LEVELS,
    Quality,
    Threshold,
    fit,
    measure_quality,
    weigh_labels,
)
from memories.calibration.shipped import CALIBRATIONS
from memories.calibration.table import (
    LINK_ABOVE,
    MERGE_FROM,
    SKIP_ABOVE,
    Calibration,
    Floats,
    Knots,
    NoCalibration,
    Pairing,
)

__all__ = [
    "CALIBRATIONS",
    "KNOT_WIDTH",
    "LEVELS",
    "LINK_ABOVE",
    "MERGE_FROM",
    "SKIP_ABOVE",
    "BadTable",
    "Calibration",
    "Floats",
    "Knots",
    "NoCalibration",
    "Pairing",
    "Quality",
    "Threshold",
    "fit",
    "get_calibration",
    "measure_quality",
    "read_table",
    "table_name",
    "use_folder",
    "weigh_labels",
    "write_table",
]
