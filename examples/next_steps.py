"""How a demo ends: what it leaves behind, and what to try next."""

import json
from dataclasses import dataclass
from typing import Any, Final

from bench.rig.accounts import Account, KeyFile
from bench.rig.service import Service
from examples.printing import heading, say

PERSON: Final = "demo"
"""Who looks at the console: an operator of the sample tenant, with a password that nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a demo did."""

    account: Account
    faults: list[str]  #: what went wrong, in words
    question: dict[str, Any]  #: one that is worth asking again, as it is posted


def tell_next(service: Service, keys: KeyFile, done: Done) -> None:
    """Print commands to paste, with the key of the first agent."""
    agent, key = next(iter(done.account.agents.items()))
    api = f"{service.address}/api/v1"
    said = {
        "role": "user",
        "speaker": "Rui",
        "session": "trial",
        "text": "Roost moves to Porto on 1 October 2026.",
    }
    service.manage("create_operator", PERSON, "--tenant", done.account.tenant, "--ceiling", "confidential")
    link = service.manage("console_link", PERSON, "--service", service.address).strip()
    heading(f"What to try next (the keys are kept in {keys.path})")
    say(f"""  export CANDOR_KEY={key}    # the agent {agent}

  curl -s {api}/recall -H "Authorization: Bearer $CANDOR_KEY" \\
    -H 'Content-Type: application/json' -d {_quoted(done.question)}

  curl -s '{api}/captures?wait=10' -H "Authorization: Bearer $CANDOR_KEY" \\
    -H 'Content-Type: application/json' -H 'Idempotency-Key: try-1' \\
    -d {_quoted(said)}

  {api}/docs     every endpoint, to try out in the browser

  {link}
     the console, as the operator «{PERSON}»: this address works once; for another one
     .venv/bin/python manage.py console_link {PERSON} --service {service.address}""")


def _quoted(body: dict[str, Any]) -> str:
    """Return the body as JSON in single quotes, as a shell takes it."""
    return "'" + json.dumps(body, ensure_ascii=False).replace("'", "'\\''") + "'"
