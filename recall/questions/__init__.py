"""Questions: what is asked, by whom, of which time and of what, made ready for a search (SPEC R-18)."""

from recall.questions.answer_type import OURS
from recall.questions.conversation import FollowUp, find_known_names, understand_follow_up
from recall.questions.follow_ups import AskedBefore
from recall.questions.identity import names_of
from recall.questions.next_questions import predict_next
from recall.questions.question import Prepared, Question, prepare
from recall.questions.question_record import as_asked, asked_for
from recall.questions.temporal_query import When, parameters_of, says_nothing
from recall.questions.time_ranges import Range
from recall.questions.vectors import drop_vectors, keep_vector, kept_vector
from recall.questions.where import EVERYTHING, Where, own_metadata

__all__ = [
    "EVERYTHING",
    "OURS",
    "AskedBefore",
    "FollowUp",
    "Prepared",
    "Question",
    "Range",
    "When",
    "Where",
    "as_asked",
    "asked_for",
    "drop_vectors",
    "find_known_names",
    "keep_vector",
    "kept_vector",
    "names_of",
    "own_metadata",
    "parameters_of",
    "predict_next",
    "prepare",
    "says_nothing",
    "understand_follow_up",
]
