"""What a language model is asked to do: the standing part of the prompt, and the shape of the answer."""

from dataclasses import dataclass
from typing import Any, Final

from memories.llms.prompts.prompt import system_prompt
from memories.llms.prompts.schema import ANSWER_SCHEMA, STATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task for a model over a network; the same for every request, so that caches hit."""

    name: str  #: letters and dashes; leads requests to the same cache
    answer: str  #: what the answer is called
    system: str
    schema: dict[str, Any]  #: JSON Schema; what strict modes do not take is told in words


EXTRACTION: Final = Task(
    name="extract", answer="notes", system=system_prompt(states=STATES), schema=ANSWER_SCHEMA
)
"""Draw notes out of a turn (SPEC W-08)."""
