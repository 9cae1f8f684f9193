"""Files that are there whole or not at all."""

from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a text file, or leave what was there if this is interrupted."""
    new = path.with_name(f"{path.name}.new")
    # The encoding of a name that is no text on this system must not stop the run.
    new.write_text(text, encoding="utf-8", errors="replace")
    new.replace(path)
