"""The built-in reader of English and Chinese: it puts kind and keys on a row where no model is set."""

from memories.llms.rules.cues import is_hedged
from memories.llms.rules.model import RulesModel, read_relation
from memories.llms.rules.relation import ME
from memories.llms.rules.reported import origin_of

__all__ = ["ME", "RulesModel", "is_hedged", "origin_of", "read_relation"]
