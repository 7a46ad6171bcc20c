"""A research agent: it reads documents, decides for a reason, and is told when the reason no longer holds."""

from candor import Candor
from examples.agents.model import Model, choose_model
from examples.agents.staff import agents

SOURCE = "reports/batteries.md"
FIRST = """# Batteries

In the field test of 2026 the LFP pack lost 4 % of its capacity in 1000 cycles, the NMC pack 11 %. Both packs
were charged at 20 degrees and held at 50 % overnight.
"""
LATER = """# Batteries

The field test of 2026 was repeated in winter. The LFP pack lost 19 % of its capacity in 1000 cycles, the NMC
pack 12 %. Both packs were charged at minus 5 degrees.
"""
ASKED = "How much capacity does the LFP pack lose in 1000 cycles?"
DECIDED = "We decided to buy the LFP pack, because it lost less than the NMC pack in the field test."


def read(agent: Candor, text: str, when: str) -> None:
    """Give the agent a version of the report, and wait until it is read."""
    document = agent.create_document("Batteries", text, source=SOURCE, occurred_at=when, shared=True)
    agent.wait_document(document)


def answer(agent: Candor, model: Model) -> str:
    """Answer from what is known now."""
    context = agent.context(ASKED)
    return model(context.text, ASKED)


def main() -> None:
    """Run it, and print what is said."""
    model = choose_model()
    with Candor() as admin, agents(admin, "reader") as (reader,):
        read(reader, FIRST, "2026-06-01T09:00:00Z")
        print(f"reader is asked: {ASKED}")
        print(f"reader: {answer(reader, model)}")
        reader.wait(reader.capture(DECIDED, "user", session="buying", shared=True))

        read(reader, LATER, "2026-12-01T09:00:00Z")
        print("The report has a new version.")
        print(f"reader: {answer(reader, model)}")
        [told] = reader.recall("Which pack do we buy, and why?", k=1).results
        print(f"The decision is known as it was taken: {told.content}")


if __name__ == "__main__":
    main()
