"""The fixtures of the course side, and what became of the hostile submissions."""

import pytest
from classroom import both, classroom, postgres, quick  # noqa: F401

# What takes long begins first, and what can fill gaps comes last, so that no worker is
# still busy when the others are done.
FIRST = ["test_hostile_pages", "test_command", "test_fair", "test_marking"]
LAST = ["test_hostile"]


@pytest.hookimpl(tryfirst=True)  # xdist asks for the groups next
def pytest_collection_modifyitems(items):
    """Say which tests stay together on a worker, and in which order all begin.

    Those of a file stay together, since they share what takes long to make; in
    test_fair it is those of a question, and in test_hostile none.
    """

    def place(item):
        name = item.path.stem
        return FIRST.index(name) if name in FIRST else len(FIRST) + (name in LAST)

    items.sort(key=place)
    for item in items:
        group = item.path.stem
        if hasattr(item, "callspec") and "question" in item.callspec.params:
            group = "-".join(item.callspec.params["question"])
        if group not in LAST:
            item.add_marker(pytest.mark.xdist_group(group))


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
