"""Which embedder and which language model answer, chosen by alias."""

from typing import Any

from config.settings.environment import number, text

EMBEDDERS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "memories.embedders.local.LocalEmbedder", "OPTIONS": {}},
}

ANTHROPIC_API_KEY = text("ANTHROPIC_API_KEY")
_RULES: dict[str, Any] = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
_ANTHROPIC: dict[str, Any] = {
    "BACKEND": "memories.llms.anthropic.AnthropicModel",
    "OPTIONS": {
        "api_key": ANTHROPIC_API_KEY,
        "model": text("CANDOR_LLM_MODEL", "claude-haiku-5-5"),
        "base_url": text("ANTHROPIC_BASE_URL") or None,
        "timeout": float(number("CANDOR_LLM_TIMEOUT_SECONDS", 60, least=1, most=600)),
    },
}
#: The built-in rules answer when no key is set, and stand in when the provider is out.
LLMS: dict[str, dict[str, Any]] = {"default": _ANTHROPIC if ANTHROPIC_API_KEY else _RULES, "fallback": _RULES}
