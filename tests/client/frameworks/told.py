"""What the checks ask of the service. It runs where there is no Django: nothing here may import any of it."""

from candor import AsyncCandor

TOLD = "The Porto depot opens at six in the morning."
ASKED = "When does the Porto depot open?"


async def captured(client: AsyncCandor, person: str, session: str | None = None) -> list[tuple[str, str]]:
    """Wait until all that was said for a person is remembered; return who said what, in its order."""
    more = {} if session is None else {"session": session}
    rows = (await client.for_person(person).list_captures(**more)).results  # type: ignore[arg-type]
    for row in rows:
        await client.for_person(person).wait(row.id, timeout=60)
    return [(row.role, row.text) for row in reversed(rows)]
