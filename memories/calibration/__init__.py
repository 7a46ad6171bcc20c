"""
Turn a raw cosine into a calibrated similarity: what a number means, whatever the embedding model (SPEC W-13).

A cosine of 0.90 between two passages is next to nothing for one model and a paraphrase for another, so every
threshold of the product is written in calibrated similarity, and each embedding space brings a table.
"""

from memories.calibration.files import (
    BadTable,
    get_calibration,
    get_relevance,
    read_table,
    relevance_name,
    table_name,
    use_folder,
    write_relevance,
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
from memories.calibration.fitting_relevance import LOST, AskedOnce, Separation, fit_relevance
from memories.calibration.fitting_topics import fit_topics
from memories.calibration.relevance import (
    KNOWN_HERE,
    MEANS,
    SIGNS,
    Means,
    NoRelevance,
    Relevance,
    Scale,
    Sign,
)
from memories.calibration.shipped import CALIBRATIONS, RELEVANCES
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
from memories.calibration.topics import FILE as TOPICS_FILE
from memories.calibration.topics import SAME_TOPIC, Topics, find_topics

__all__ = [
    "CALIBRATIONS",
    "KNOT_WIDTH",
    "KNOWN_HERE",
    "LEVELS",
    "LINK_ABOVE",
    "LOST",
    "MEANS",
    "MERGE_FROM",
    "RELEVANCES",
    "SAME_TOPIC",
    "SIGNS",
    "SKIP_ABOVE",
    "TOPICS_FILE",
    "AskedOnce",
    "BadTable",
    "Calibration",
    "Floats",
    "Knots",
    "Means",
    "NoCalibration",
    "NoRelevance",
    "Pairing",
    "Quality",
    "Relevance",
    "Scale",
    "Separation",
    "Sign",
    "Threshold",
    "Topics",
    "find_topics",
    "fit",
    "fit_relevance",
    "fit_topics",
    "get_calibration",
    "get_relevance",
    "measure_quality",
    "read_table",
    "relevance_name",
    "table_name",
    "use_folder",
    "weigh_labels",
    "write_relevance",
    "write_table",
]
