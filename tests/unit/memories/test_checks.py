"""What is refused at start-up of the chosen language models."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from memories.checks import check_language_models

ROOT = Path(__file__).resolve().parents[3]
ANTHROPIC = "memories.llms.anthropic.AnthropicModel"
OPENAI = "memories.llms.openai.OpenAIModel"
RULES = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}


def found(settings: Settings, backend: str, **options: Any) -> list[str | None]:
    settings.LLMS = {"default": {"BACKEND": backend, "OPTIONS": options}, "fallback": RULES}
    return [message.id for message in check_language_models()]


@pytest.mark.parametrize(
    ("backend", "options"),
    [
        (RULES["BACKEND"], {}),
        (ANTHROPIC, {"api_key": "k", "effort": "max", "timeout": 30.0, "deadline_seconds": 72.0}),
        (ANTHROPIC, {"api_key": "k", "base_url": "https://proxy.example.org"}),
        (OPENAI, {"api_key": "k", "effort": "minimal"}),
        (OPENAI, {"api_key": "", "base_url": "http://localhost:11434/v1"}),
        (OPENAI, {"api_key": "", "base_url": "http://ollama:11434/v1"}),
        (OPENAI, {"api_key": "", "base_url": "http://[fd00::7]:8000/v1"}),
    ],
)
def test_a_sound_choice_is_passed(settings: Settings, backend: str, options: dict[str, Any]) -> None:
    assert found(settings, backend, **options) == []


@pytest.mark.parametrize(
    ("backend", "options", "ids"),
    [
        ("memories.llms.nobody.NoModel", {}, ["candor.E020"]),
        ("memories.llms.base.Turn", {}, ["candor.E020"]),
        (ANTHROPIC, {"api_key": ""}, ["candor.E022"]),
        (ANTHROPIC, {"api_key": "", "base_url": "https://proxy.example.org"}, ["candor.E022"]),
        (OPENAI, {"api_key": "", "base_url": None}, ["candor.E022"]),
        (OPENAI, {"base_url": "localhost:11434/v1"}, ["candor.E023"]),
        (OPENAI, {"base_url": "http://[::1/v1"}, ["candor.E023"]),
        (OPENAI, {"base_url": "http://models.example.org/v1"}, ["candor.W020"]),
        (ANTHROPIC, {"api_key": "k", "effort": "none"}, ["candor.E024"]),
        (ANTHROPIC, {"api_key": "k", "deadline_seconds": 120.0}, ["candor.E025"]),
        (ANTHROPIC, {"api_key": "k", "deadline_seconds": 60.0, "timeout": 61.0}, ["candor.W021"]),
    ],
)
def test_an_unsound_choice_is_named(
    settings: Settings, backend: str, options: dict[str, Any], ids: list[str]
) -> None:
    settings.CAPTURE_LEASE_SECONDS = 120

    assert found(settings, backend, **options) == ids


def test_without_a_fallback_nobody_would_stand_in(settings: Settings) -> None:
    settings.LLMS = {"default": RULES}

    assert [message.id for message in check_language_models()] == ["candor.E021"]


CHOICES: list[tuple[dict[str, str], str]] = [
    ({}, "rules.RulesModel"),
    ({"ANTHROPIC_API_KEY": "k"}, "anthropic.AnthropicModel"),
    ({"OPENAI_API_KEY": "k"}, "openai.OpenAIModel"),
    ({"OPENAI_BASE_URL": "http://localhost:11434/v1"}, "openai.OpenAIModel"),
    ({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}, "anthropic.AnthropicModel"),
    ({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "CANDOR_LLM": "openai"}, "openai.OpenAIModel"),
    ({"ANTHROPIC_API_KEY": "k", "CANDOR_LLM": "rules"}, "rules.RulesModel"),
    ({"CANDOR_LLM": "gpt"}, "CANDOR_LLM must be one of anthropic, openai, rules; it is 'gpt'"),
]


def test_the_environment_chooses_the_model_and_a_name_nobody_knows_is_refused() -> None:
    names = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CANDOR_LLM")
    plain = {name: value for name, value in os.environ.items() if name not in names}
    code = (
        "import importlib, json, os, sys\n"
        "for given in json.loads(sys.argv[1]):\n"
        f"    [os.environ.pop(name, None) for name in {names}]\n"
        "    os.environ.update(given)\n"
        "    sys.modules.pop('config.settings.models', None)\n"
        "    try:\n"
        "        chosen = importlib.import_module('config.settings.models').LLMS\n"
        "        assert chosen['fallback']['BACKEND'] == 'memories.llms.rules.RulesModel'\n"
        "        print(chosen['default']['BACKEND'].removeprefix('memories.llms.'))\n"
        "    except ValueError as refused:\n"
        "        print(refused)\n"
    )
    given = json.dumps([environment for environment, _ in CHOICES])

    ran = subprocess.run(
        [sys.executable, "-c", code, given], cwd=ROOT, env=plain, capture_output=True, text=True, check=True
    )

    assert ran.stdout.splitlines() == [expected for _, expected in CHOICES]
