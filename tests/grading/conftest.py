"""The fixtures of the course side, and what became of the hostile submissions."""

from classroom import both, classroom, postgres, quick  # noqa: F401


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
