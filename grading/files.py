"""Files that are there whole or not at all."""

import hashlib
import re
import unicodedata
from pathlib import Path
from urllib.parse import quote

# What means nothing to nbgrader or to an address, nor do letters and their marks.
PLAIN = "_.,@+'’() -&`·!\u200c\u200d"
LENGTH = 150  # bytes, so that there is room for an ending


def file_name(student: str) -> str:
    """The name of a student's files: theirs, and no other student's.

    What may not be in it stands there as in an address, ``%3F`` for a question mark.
    """
    found = "".join(map(_in_a_name, student))
    if len(found.encode()) <= LENGTH:
        return found
    short = found.encode()[: LENGTH - 40].decode(errors="ignore")
    digest = hashlib.sha256(student.encode()).hexdigest()[:32]
    # No other name has such an ending, for "%" itself is written as "%25".
    return re.sub("%.?$", "", short) + f"%-{digest}"


def _in_a_name(letter: str) -> str:
    if letter.isalnum() or unicodedata.category(letter)[0] == "M" or letter in PLAIN:
        return letter
    return quote(letter, safe="")


def write(path: Path, text: str) -> None:
    """Write a text file, or leave what was there if this is interrupted."""
    new = path.with_name(f"{path.name}.new")
    # The encoding of a name that is no text on this system must not stop the run.
    new.write_text(text, encoding="utf-8", errors="replace")
    new.replace(path)
