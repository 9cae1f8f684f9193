"""Names of students and of files, as people and systems write them."""

import re
from collections.abc import Collection
from pathlib import Path

# What no person's name has.  All else is shown as it is written, in whatever script.
NO_NAME = re.compile(r'[<>:"/\\|*=]|^[+@.-]|\.\.|^\s|\s$')
# Unseen, and part of how names are spelled: joiners and marks of direction, but not
# what turns all that follows around.
UNSEEN = "\u200c\u200d\u200e\u200f\u061c\u00ad\ufeff\u200b\u2060"
# What is added to a name that is taken: "-1", " (1)", "-Copy1", " copy 2", " - Copy".
RENAMED = re.compile(
    r"(?i)(?: ?\(\d{1,3}\)|[ _-]\d{1,3}|[ _–-]+(copy|kopie|copie|copia) ?\d{0,3})$"
)


def notebook(file: str) -> str:
    """The name of a notebook without the ending that a browser has put after it.

    Some save what they download as ``tiny.ipynb.txt`` or ``tiny.ipynb.json``.
    """
    return re.sub(r"(?i)(?<=\.ipynb)\.(txt|json)$", "", file)


def is_notebook(file: str) -> bool:
    """Whether a file is one, by its name."""
    return notebook(file).lower().endswith(".ipynb")


def set_of(file: str, sets: Collection[str]) -> str | None:
    """The one of the ``sets`` after which a file is named, numbered anew or not."""
    stem = Path(file).stem
    while stem not in sets:
        shorter = RENAMED.sub("", stem)
        if shorter == stem:
            return None
        stem = shorter
    return stem


def odd(name: str) -> str:
    """What a name has that no person's name has, if anything."""
    if found := NO_NAME.search(name):
        return repr(found[0])
    if any(not c.isprintable() and c not in UNSEEN for c in name):
        return "characters that cannot be shown"
    return "" if name else "no letter"


def shown(name: str) -> str:
    """A name that can be shown, whatever it was."""
    seen = (c if c.isprintable() or c in UNSEEN else "?" for c in name)
    return "".join(seen)[:100].strip() or "?"
