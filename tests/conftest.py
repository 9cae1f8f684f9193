"""Settings that all tests share."""

from hypothesis import settings

# The same examples every time, and no limit on time that a busy machine would break.
settings.register_profile("book", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("book")

# Programs, not tests: collecting them for doctests would import them.
collect_ignore = ["run_all.py", "mutants.py"]
