"""What a language model is told, and the schema that its answer is held to (SPEC K-07)."""

from memories.llms.prompts.prompt import number_notes, retry_prompt, turn_prompt
from memories.llms.prompts.schema import WrongAnswer, parse_answer, read_object, strict_schema
from memories.llms.prompts.task import EXTRACTION, Task

__all__ = [
    "EXTRACTION",
    "Task",
    "WrongAnswer",
    "number_notes",
    "parse_answer",
    "read_object",
    "retry_prompt",
    "strict_schema",
    "turn_prompt",
]
