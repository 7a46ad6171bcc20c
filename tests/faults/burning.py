"""Settings of a worker whose model burns CPU over some texts, and whose captures may take little of it."""

from config.settings import *  # noqa: F403

EMBEDDERS = {"default": {"BACKEND": "memories.embedders.fake.FakeEmbedder", "OPTIONS": {}}}
LLMS = {
    "default": {"BACKEND": "tests.faults.burning_model.BurningModel", "OPTIONS": {}},
    "fallback": {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}},
}
CAPTURE_CPU_SECONDS = 1
CAPTURE_MAX_ATTEMPTS = 2
