"""
How often the frequent words of a tenant with a shelf of its own occur, counted ahead (docs/decisions/0016).

What a question's words weigh rests on how many memories have them. To count a word that every tenth of
100 000 memories has takes 1.5 ms, each time it is asked. What is kept grows old by a tenth of the tenant's
size at most, which moves a word's weight by less than 0.1; rarer words are counted when they are asked.
"""

from typing import Final

from memories.vectors.vector_spaces import HOMES
from tenants.scope import unit_of_work

FREQUENT: Final = 1_000
"""Memories that have a word from which its number is kept. Ours: fewer are counted in 0.1 ms."""


def count_frequent_terms() -> None:
    """Count the tenant's frequent words anew; takes about a second for 100 000 memories."""
    with unit_of_work():
        HOMES.run("count_terms", least=FREQUENT)


def is_miscounted() -> bool:
    """Tell whether the tenant has grown or shrunk by more than a tenth since its words were counted."""
    with unit_of_work():
        return bool(HOMES.run("find_miscounted"))
