"""What the client adds to a call, by the bench that is quoted."""

from pathlib import Path

import pytest

from bench.cost.overhead import measure
from bench.rig.harness import Run


@pytest.mark.spec("I-02")
def test_the_client_adds_less_than_a_millisecond_to_a_call(tmp_path: Path) -> None:
    figures = measure(Run(data=tmp_path, seed=1, quick=True))

    assert figures["calls"] == 200
    assert figures["holds"], figures
