"""Words: tokens, tags, names, sentences, scripts, and the one spelling of a key. Pure."""

from memories.language.abbreviations import SMALL_WORDS, Abbreviation, find_abbreviations
from memories.language.cues import Cue, cue
from memories.language.entity_names import (
    CJK,
    LONGEST_NAME,
    Named,
    initial_form,
    is_noise,
    longest_first,
    name_key,
    without_opener,
)
from memories.language.entity_types import ORGANISATION_IS, PERSON_IS, PLACE_IS, infer_type
from memories.language.guesses import claims_task, quoted_guesses, sentences_of, strip_guess, word_as_guess
from memories.language.keys import concept_spelling, entity_spelling, fold_words
from memories.language.names import CAPITALS, find_entities, is_name
from memories.language.pinyin import readings, spells
from memories.language.script import HALF_WIDTH, INVISIBLE, STRAY_JOINER, fold, fold_all
from memories.language.sentences import Sentence, split_sentences
from memories.language.tag_names import TAG_NAMES
from memories.language.tags import canonical_tag, phrases, tag_terms
from memories.language.token_words import CONTENT_STOP_WORDS, STOP_WORDS, word_set
from memories.language.tokens import (
    content_words,
    cut_words,
    date_words,
    find_proper_names,
    keywords,
    stem,
    words,
)

__all__ = [
    "CAPITALS",
    "CJK",
    "CONTENT_STOP_WORDS",
    "HALF_WIDTH",
    "INVISIBLE",
    "LONGEST_NAME",
    "ORGANISATION_IS",
    "PERSON_IS",
    "PLACE_IS",
    "SMALL_WORDS",
    "STOP_WORDS",
    "STRAY_JOINER",
    "TAG_NAMES",
    "Abbreviation",
    "Cue",
    "Named",
    "Sentence",
    "canonical_tag",
    "claims_task",
    "concept_spelling",
    "content_words",
    "cue",
    "cut_words",
    "date_words",
    "entity_spelling",
    "find_abbreviations",
    "find_entities",
    "find_proper_names",
    "fold",
    "fold_all",
    "fold_words",
    "infer_type",
    "initial_form",
    "is_name",
    "is_noise",
    "keywords",
    "longest_first",
    "name_key",
    "phrases",
    "quoted_guesses",
    "readings",
    "sentences_of",
    "spells",
    "split_sentences",
    "stem",
    "strip_guess",
    "tag_terms",
    "without_opener",
    "word_as_guess",
    "word_set",
    "words",
]
