"""What a language model is told, and the schema that its answer is held to (SPEC K-07)."""

from memories.llms.prompts.prompt import retry_prompt, turn_prompt
from memories.llms.prompts.schema import WrongAnswer, parse_answer, strict_schema
from memories.llms.prompts.task import EXTRACTION, Task

__all__ = [
    "EXTRACTION",
    "Task",
    "WrongAnswer",
    "parse_answer",
    "retry_prompt",
    "strict_schema",
    "turn_prompt",
]
