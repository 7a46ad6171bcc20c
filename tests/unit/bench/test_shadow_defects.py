"""The defects that the bench of shadow runs plants still fit the source they are planted into."""

from pathlib import Path

import pytest

from bench.answering.shadow_defects import DEFECTS, Defect, copy_with
from bench.rig.service import PROJECT


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name.replace(" ", "-"))
def test_a_defect_finds_its_place_in_the_source(defect: Defect, tmp_path: Path) -> None:
    tree = copy_with(defect, tmp_path)

    changed = {change.file for change in defect.changes}
    assert all((tree / file).read_text() != (PROJECT / file).read_text() for file in changed)
