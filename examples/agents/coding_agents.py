"""Two coding agents: what the first one learned the hard way, the second one knows before it begins."""

from candor import Candor
from examples.agents.model import Model, choose_model
from examples.agents.staff import agents

LEARNED = (
    "The payment tests hang when two of them share a database connection: "
    "each has to close its connection in teardown."
)
TASK = "Why do the payment tests hang, and what has each to do?"


def work(first: Candor, second: Candor, model: Model) -> str:
    """Let the first agent learn and share it, and return what the second says of the task."""
    session = "fix-payments"
    first.capture("pytest: 214 passed, 2 hung in test_payments.py", "tool", session=session, shared=True)
    learned = first.capture(LEARNED, "assistant", session=session, shared=True)
    first.wait(learned)

    context = second.context(TASK, session="payments-again")
    answer = model(context.text, TASK)
    if not context.nothing_known:
        # What was of use is said once; it ranks by that for both of them from now on.
        best = second.recall(TASK, k=1, session="payments-again").results[0]
        second.report_uses(session="payments-again", helpful=[best.id])
    return answer


def main() -> None:
    """Run it, and print what is said."""
    with Candor() as admin, agents(admin, "rust", "pine") as (rust, pine):
        print(f"pine is asked: {TASK}")
        print(f"pine: {work(rust, pine, choose_model())}")
        [told] = pine.recall(TASK, k=1).results
        print(f"It has that from another agent: {told.provenance}, trust {told.trust:.2f}.")


if __name__ == "__main__":
    main()
