"""A support desk: one agent, many end users, and none of them sees what another said."""

from candor import Candor
from examples.agents.model import Model, choose_model
from examples.agents.staff import agents

SAID = {
    "rui": "My order 4411 came with a broken hinge, and I am allergic to nickel.",
    "ann": "My order 5120 has not come yet; please call me before you deliver.",
}
ASKED = "What do you know of my order?"


def serve(desk: Candor, person: str, asked: str, model: Model) -> str:
    """Answer a user from what they said, and keep the talk."""
    client = desk.for_person(person)
    session = f"chat with {person}"
    context = client.context(asked, session=session)
    answer = model("" if context.nothing_known else context.text, asked)
    client.capture(asked, "user", session=session)
    client.wait(client.capture(answer, "assistant", session=session))
    return answer


def main() -> None:
    """Run it, and print what is said."""
    model = choose_model()
    with Candor() as admin, agents(admin, "desk") as (desk,):
        for person, text in SAID.items():
            client = desk.for_person(person)
            client.wait(client.capture(text, "user", session=f"chat with {person}"))
        for person in (*SAID, "zoe"):
            print(f"{person}: {ASKED}")
            print(f"desk: {serve(desk, person, ASKED, model)}")

        plan = admin.forget_person("rui", reason="asked for it")
        admin.forget_person("rui", reason="asked for it", hash=plan.hash)
        print("rui is forgotten, and asks again.")
        print(f"desk: {serve(desk, 'rui', ASKED, model)}")


if __name__ == "__main__":
    main()
