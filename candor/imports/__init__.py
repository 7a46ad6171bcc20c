"""
What other memories and chats export, read as turns: `candor import`. Reading is pure but for the file.

A turn keeps the words, the speaker's role and the original clock. What another memory made of talk is no
person's word: it comes as a tool's, kept word for word. A line that cannot be read is told by its place.
"""

from candor.imports.archives import read_cogx, read_letta, read_zep
from candor.imports.chats import read_chatgpt, read_claude
from candor.imports.hindsight import read_hindsight
from candor.imports.ledger import Ledger
from candor.imports.lines import read_jsonl
from candor.imports.memories import read_mcp_memory, read_mem0
from candor.imports.turns import Reader, Turn, Unread, Unreadable

FORMATS: dict[str, Reader] = {
    "jsonl": read_jsonl,
    "chatgpt": read_chatgpt,
    "claude": read_claude,
    "mem0": read_mem0,
    "mcp-memory": read_mcp_memory,
    "cogx": read_cogx,
    "zep": read_zep,
    "letta": read_letta,
    "hindsight": read_hindsight,
}
"""Formats of turns by their names. Each reader raises Unreadable where the file as a whole is none."""

__all__ = ["FORMATS", "Ledger", "Reader", "Turn", "Unread", "Unreadable"]
