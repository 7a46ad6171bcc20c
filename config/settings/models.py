"""Which embedder, which language model and which screening judges answer, chosen by alias."""

from typing import Any

from config.settings.environment import flag, number, text
from config.settings.work import CAPTURE_LEASE_SECONDS

EMBEDDERS: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "memories.embedders.local.LocalEmbedder",
        # Long texts in a process of their own, which gives way to this one: `candor up` has it for the web.
        "OPTIONS": {"apart": flag("CANDOR_EMBED_LONG_APART", default=False)},
    },
}

#: Seconds that vectors over a network may take, tries and pauses included, of the lease that a worker has.
EMBEDDING_DEADLINE_SECONDS = CAPTURE_LEASE_SECONDS * 0.2
#: A second embedder, alias «remote», behind an API like OpenAI's (docs/scale.md); unset: none.
EMBEDDING_MODEL = text("CANDOR_EMBEDDING_MODEL")
if EMBEDDING_MODEL:
    EMBEDDERS["remote"] = {
        "BACKEND": "memories.embedders.openai.OpenAIEmbedder",
        "OPTIONS": {
            "model": EMBEDDING_MODEL,
            "dimensions": number("CANDOR_EMBEDDING_DIMENSIONS", 384, least=1, most=1_024),
            "version": text("CANDOR_EMBEDDING_VERSION", "1"),
            "base_url": text("CANDOR_EMBEDDING_BASE_URL") or None,
            "api_key": text("CANDOR_EMBEDDING_API_KEY"),
            "shortens": flag("CANDOR_EMBEDDING_SHORTENS", default=False),
            "timeout": min(30.0, EMBEDDING_DEADLINE_SECONDS),
            "deadline_seconds": EMBEDDING_DEADLINE_SECONDS,
        },
    }

#: Folder of similarity tables that `calibrate_embedder` wrote; unset: the shipped ones (docs/calibration.md).
CALIBRATIONS = text("CANDOR_CALIBRATIONS")

#: Judges of what may become memory: a detector's name → the path of what takes its place (docs/screening.md).
DETECTORS: dict[str, str] = {}

ANTHROPIC_API_KEY = text("ANTHROPIC_API_KEY")
OPENAI_API_KEY = text("OPENAI_API_KEY")
#: Where an OpenAI-compatible API is, to its version: `http://localhost:11434/v1`.
OPENAI_BASE_URL = text("OPENAI_BASE_URL")

#: The language model by name; unset, the first provider that has what it needs, else the built-in rules.
_FOUND = "anthropic" if ANTHROPIC_API_KEY else "openai" if OPENAI_API_KEY or OPENAI_BASE_URL else "rules"
LLM = text("CANDOR_LLM", _FOUND)
LLM_BACKENDS = {
    "anthropic": "memories.llms.anthropic.AnthropicModel",
    "openai": "memories.llms.openai.OpenAIModel",
    "rules": "memories.llms.rules.RulesModel",
}
#: Seconds one request may take, from connecting to the last byte.
LLM_TIMEOUT_SECONDS = float(number("CANDOR_LLM_TIMEOUT_SECONDS", 30, least=1, most=600))
#: Seconds one turn may take, tries and pauses included. Past the lease the worker would be ended before the
#: rules could stand in, so that a provider that hangs would end captures as `dead`.
LLM_DEADLINE_SECONDS = CAPTURE_LEASE_SECONDS * 0.6


def _options(name: str) -> dict[str, Any]:
    """Return what the backend of this name is made with; what is not set is left to the backend."""
    own = {
        "anthropic": {"api_key": ANTHROPIC_API_KEY, "base_url": text("ANTHROPIC_BASE_URL") or None},
        "openai": {"api_key": OPENAI_API_KEY, "base_url": OPENAI_BASE_URL or None},
    }
    if name not in own:
        return {}
    wished = {"model": text("CANDOR_LLM_MODEL"), "effort": text("CANDOR_LLM_EFFORT")}
    times = {"timeout": LLM_TIMEOUT_SECONDS, "deadline_seconds": LLM_DEADLINE_SECONDS}
    return own[name] | times | {option: value for option, value in wished.items() if value}


if LLM not in LLM_BACKENDS:
    # Here and not in a check, which workers do not run: nobody should think that a model answers.
    raise ValueError(f"CANDOR_LLM must be one of {', '.join(LLM_BACKENDS)}; it is {LLM!r}")

#: The fallback stands in when the first one is out.
LLMS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": LLM_BACKENDS[LLM], "OPTIONS": _options(LLM)},
    "fallback": {"BACKEND": LLM_BACKENDS["rules"], "OPTIONS": {}},
}

#: How a decision model is asked: `decisions` (OpenAI's), `systemone`; unset: none is.
DECIDER = text("CANDOR_DECIDER")
DECIDER_BACKENDS = {
    "decisions": "memories.deciders.decisions.DecisionsModel",
    "systemone": "memories.deciders.systemone.SystemOneModel",
}
#: Where it is, to its version: `http://localhost:8080/v1`; unset with `decisions`: OpenAI's own address.
DECIDER_BASE_URL = text("CANDOR_DECIDER_BASE_URL")
#: Its key; unset with `decisions` at OpenAI's own address: OPENAI_API_KEY.
DECIDER_API_KEY = text("CANDOR_DECIDER_API_KEY")
DECIDER_MODEL = text("CANDOR_DECIDER_MODEL")
#: Seconds one request to it may take, from connecting to the last byte, and all tries of one answer.
DECIDER_TIMEOUT_SECONDS = float(number("CANDOR_DECIDER_TIMEOUT_SECONDS", 5, least=1, most=60))
DECIDER_DEADLINE_SECONDS = CAPTURE_LEASE_SECONDS * 0.1


def _decider() -> dict[str, Any]:
    """Return how the decision model that is set is made."""
    at_openai = DECIDER == "decisions" and not DECIDER_BASE_URL
    wished = {"model": DECIDER_MODEL, "base_url": DECIDER_BASE_URL}
    return {
        "api_key": DECIDER_API_KEY or (OPENAI_API_KEY if at_openai else ""),
        "timeout": min(DECIDER_TIMEOUT_SECONDS, DECIDER_DEADLINE_SECONDS),
        "deadline_seconds": DECIDER_DEADLINE_SECONDS,
    } | {option: value for option, value in wished.items() if value}


if DECIDER and DECIDER not in DECIDER_BACKENDS:
    raise ValueError(f"CANDOR_DECIDER must be one of {', '.join(DECIDER_BACKENDS)}; it is {DECIDER!r}")

#: Decision models, asked of what the arbiters of the house are not sure of; empty: none.
DECIDERS: dict[str, dict[str, Any]] = (
    {"default": {"BACKEND": DECIDER_BACKENDS[DECIDER], "OPTIONS": _decider()}} if DECIDER else {}
)

#: Tokens a day that a tenant's language and decision models may take together, if nothing else is set for it
#: (`manage.py model_budget`); then the rules and the arbiters of the house do it alone.
MODEL_TOKENS_A_DAY = number("CANDOR_MODEL_TOKENS_A_DAY", 20_000_000, least=0, most=10**15)
