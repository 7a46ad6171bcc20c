"""
Print which rules of SPEC have a test: each id of docs/spec.toml with the tests that carry it as a mark.

Run by `make spec`. Tests are collected and not run, so no server is started. Exits 1 when a mark names an id
that the list does not hold, or when the tests cannot be collected.
"""

import argparse
import os
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

SPEC = Path(__file__).resolve().parent.parent / "docs" / "spec.toml"
NOWHERE = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nowhere",
    "OWNER_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nowhere",
    "BROKER_URL": "redis://127.0.0.1:1/0",
}
"""Addresses that settings can be read with; collecting connects to none of them."""

Proofs = Mapping[str, set[str]]


class Collector:
    """A pytest plugin that gathers the `spec` marks of all collected tests."""

    def __init__(self) -> None:
        self.proofs: defaultdict[str, set[str]] = defaultdict(set)
        self.broken: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("spec"):
                for rule in mark.args:
                    self.proofs[rule].add(item.nodeid.partition("[")[0])


def read_rules(path: Path = SPEC) -> dict[str, str]:
    """Return each rule's line by its id, in the order of the list."""
    return {rule: entry["line"] for rule, entry in tomllib.loads(path.read_text("utf-8")).items()}


def collect_proofs() -> Proofs:
    """Collect the tests without running them. Raises RuntimeError if pytest cannot."""
    for name, nowhere in NOWHERE.items():
        os.environ.setdefault(name, nowhere)
    collector = Collector()
    options = ["--collect-only", "-p", "no:terminal", "-p", "no:cacheprovider", "--strict-markers"]
    code = pytest.main(["-o", "addopts=", *options], plugins=[collector])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError("\n".join(["The tests cannot be collected. Mend these first:", *collector.broken]))
    return collector.proofs


def find_unknown(rules: Mapping[str, str], proofs: Proofs) -> list[str]:
    """Say of each id that is marked but not listed which tests name it."""
    return [
        f"Unknown id {rule}, named by {', '.join(sorted(proofs[rule]))}."
        for rule in sorted(set(proofs) - set(rules))
    ]


def write_report(rules: Mapping[str, str], proofs: Proofs) -> str:
    """Return the report: rules with their tests, rules without, unknown ids, totals."""
    lines: list[str] = []
    for rule, line in rules.items():
        lines += [f"{rule}  {line}", *(f"      {test}" for test in sorted(proofs.get(rule, ())))]
    without = [rule for rule in rules if not proofs.get(rule)]
    lines += ["", f"Without a test: {', '.join(without) or 'none'}.", *find_unknown(rules, proofs)]
    tests = {test for named in proofs.values() for test in named}
    lines += [
        f"{len(rules) - len(without)} of {len(rules)} rules have a test; {len(tests)} tests name a rule."
    ]
    return "\n".join(lines)


def main() -> int:
    """Print the report, or with --check only what is wrong; return the exit code."""
    parser = argparse.ArgumentParser(description="List the rules with the tests that prove each.")
    parser.add_argument("--check", action="store_true", help="print only what is wrong")
    check = parser.parse_args().check
    rules = read_rules()
    try:
        proofs = collect_proofs()
    except RuntimeError as problem:
        print(problem, file=sys.stderr)
        return 1
    unknown = find_unknown(rules, proofs)
    for line in unknown if check else [write_report(rules, proofs)]:
        print(line)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
