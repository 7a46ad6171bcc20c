"""Settings of a worker whose embedder is behind a local server, at the port that the environment names."""

import os

from config.settings import *  # noqa: F403

EMBEDDERS = {
    "default": {
        "BACKEND": "tests.integration.memories.spaces.CalibratedEmbedder",
        "OPTIONS": {
            "model": "hashed",
            "dimensions": 96,
            "base_url": os.environ["TEST_EMBEDDER_URL"],
            "timeout": 5.0,
        },
    }
}
