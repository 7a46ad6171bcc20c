"""Ask again where something that was to be shown was forgotten meanwhile."""

from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError
from psycopg.errors import ForeignKeyViolation

Answered = TypeVar("Answered")


def again_where_forgotten(ask: Callable[[], Answered]) -> Answered:
    """
    Return what is answered; asked once more when it cannot be recorded, since a row of it is gone.

    What is recorded refers to each memory that is shown. One that was forgotten after it was found lets that
    fail, and nobody is shown its text; asked again it is not found. Call it outside of a transaction.
    """
    try:
        return ask()
    except IntegrityError as gone:
        if not isinstance(gone.__cause__, ForeignKeyViolation):
            raise
        return ask()
