"""`python -m bench.whole`: write docs/benchmarks.md anew from what was measured, docs/benchmarks.json."""

import json
import sys
from pathlib import Path
from typing import Final

from bench.whole.page import as_page
from bench.whole.plan import read_plan

DOCS: Final = Path(__file__).parents[2] / "docs"
SOURCE, PAGE = DOCS / "benchmarks.json", DOCS / "benchmarks.md"


def main() -> int:
    """Write the page; return the exit code."""
    PAGE.write_text(as_page(json.loads(SOURCE.read_text()), read_plan()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
