"""A fleet that learns from outcomes: of two habits the one that works comes first, and nobody said which."""

from candor import Candor
from examples.agents.staff import agents

HABITS = (
    "To speed up the nightly import, split the file into parts of ten thousand rows.",
    "To speed up the nightly import, drop the index first and build it again afterwards.",
)
TASK = "How do we speed up the nightly import?"
RUNS = 6


def first_habit(agent: Candor, session: str) -> tuple[str, str, str]:
    """Return the habit that is told first for the task, its id, and the recall that told it."""
    answer = agent.recall(TASK, k=2, session=session)
    best = answer.results[0]
    return best.content, str(best.id), str(answer.recall_id)


def main() -> None:
    """Run it, and print what is said."""
    with Candor() as admin, agents(admin, "importer") as (importer,):
        for place, habit in enumerate(HABITS):
            importer.wait(importer.capture(habit, "user", session=f"habits {place}", shared=True))
        before, _, _ = first_habit(importer, "before")
        works = next(habit for habit in HABITS if habit != before)
        print(f"Told first: {before}")

        for run in range(RUNS):
            session = f"night {run}"
            answer = importer.recall(TASK, k=2, session=session)
            helped = [row.id for row in answer.results if row.content == works]
            failed = [row.id for row in answer.results if row.content == before]
            # The task says how it went, by a key of no agent: an agent's own praise would count a quarter.
            admin.report_uses(recall=answer.recall_id, helpful=helped, unhelpful=failed)
        after, _, _ = first_habit(importer, "after")
        print(f"After {RUNS} nights: {after}")


if __name__ == "__main__":
    main()
