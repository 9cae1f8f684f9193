"""The fixtures of the course side, and what became of the hostile submissions."""

import re
from pathlib import Path

import pytest
from classroom import both, classroom, postgres, quick  # noqa: F401
from xdist.scheduler import LoadScopeScheduling

# What takes long begins first, and what can fill gaps comes last, so that no worker is
# still busy when the others are done.
FIRST = ["test_hostile_pages", "test_command", "test_fair", "test_marking"]
LAST = ["test_hostile"]


class Together(LoadScopeScheduling):
    """Keeps tests on a worker that share what takes long to make.

    They are those of a file; in test_fair those of a problem set; and in test_hostile
    each is alone.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if Path(file).stem in LAST:
            return nodeid
        by_set = re.search(r"\[(\w+)", test) if Path(file).stem == "test_fair" else None
        return f"{file} {by_set[1]}" if by_set else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return Together(config, log)


def pytest_collection_modifyitems(items):
    def place(item):
        name = item.path.stem
        return FIRST.index(name) if name in FIRST else len(FIRST) + (name in LAST)

    items.sort(key=place)


def pytest_terminal_summary(terminalreporter):
    found = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == "hostile"
    ]
    if found:
        terminalreporter.write_line(
            f"{len(found)} hostile submissions tried: {found.count('point')} took a "
            f"point, {found.count('harm')} did harm"
        )
