"""Makes the agents of an example: each has a key of its own, and may do no more than it needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from candor import Candor, models

SCOPES: list[models.Scope] = ["capture", "write", "recall", "feedback", "read", "share"]


@contextmanager
def agents(admin: Candor, *names: str) -> Iterator[list[Candor]]:
    """Make new agents, and give a client for each."""
    with new_keys(admin, *names) as keys:
        clients = [Candor(key=key) for key in keys]
        yield clients
        for client in clients:
            client.close()


@contextmanager
def new_keys(admin: Candor, *names: str) -> Iterator[list[str]]:
    """
    Make new agents in a project of their own, give a key for each, and revoke the keys at the end.

    Each may say what a user said, and mark what it measured: no agent is believed that before it is granted.
    """
    run = uuid4().hex[:6]
    project = admin.create_project(f"example-{run}", "An example").slug
    made = []
    for name in names:
        agent = admin.create_agent(f"{name}-{run}", name, project=project).slug
        key = admin.create_key(name, SCOPES, agent=agent, project=project, relays_users=True, measures=True)
        made.append(key)
    try:
        yield [one.key for one in made]
    finally:
        for one in made:
            admin.revoke_key(one.id)
