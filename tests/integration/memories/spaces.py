"""Two embedding spaces of different dimensions: the fake one, and one behind a local server."""

from typing import Any

from memories.calibration import Calibration, Pairing
from memories.embedders.openai import OpenAIEmbedder
from memories.models import Embedding
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.wire.embeddings_server import EmbeddingsServer

OLD, NEW = "fake-words", "hashed@1:96"


class CalibratedEmbedder(OpenAIEmbedder):
    """A remote embedder with tables of its own."""

    def calibration(self, pairing: Pairing) -> Calibration:
        return Calibration(space=self.space, pairing=pairing, knots=((0.0, 0.0), (1.0, 1.0)))


def embedders(server: EmbeddingsServer) -> dict[str, dict[str, Any]]:
    """Return settings.EMBEDDERS with the fake embedder as default and the server's as «next»."""
    options = {"model": "hashed", "dimensions": server.dimensions, "base_url": server.base_url}
    return {
        "default": {"BACKEND": "memories.embedders.fake.FakeEmbedder", "OPTIONS": {}},
        "next": {"BACKEND": "tests.integration.memories.spaces.CalibratedEmbedder", "OPTIONS": options},
    }


def placed(tenant: Viewer) -> dict[tuple[str, int], int]:
    """Return (space, shelf) → how many vectors the tenant has there."""
    with tenant_scope(tenant), unit_of_work():
        found: dict[tuple[str, int], int] = {}
        for place in Embedding.objects.values_list("space", "shelf"):
            found[place] = found.get(place, 0) + 1
        return found
