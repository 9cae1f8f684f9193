"""A notebook that was handed in: of each cell its kind, its name and its text."""

import json
import re

import nbformat
from nbformat import NotebookNode

from grading.answers import CELLS
from grading.archives import WHOLE, File, Opener, Unreadable

SIZE = 5 << 20  # characters of a notebook without what its cells have shown


def read(file: File, opener: Opener) -> NotebookNode:
    """The notebook in a file.

    Raises
    ------
    Unreadable
    """
    if file.refused:
        raise Unreadable(file.refused)
    if file.size > WHOLE:
        raise Unreadable(f"has {file.size:,} bytes; at most {WHOLE:,} are read")
    try:
        return parse(opener(file))
    except Unreadable:
        raise
    except Exception as error:
        # Whatever a broken file or archive raises, only this file is not read.
        raise Unreadable(f"cannot be read ({type(error).__name__})") from None


def parse(data: bytes) -> NotebookNode:
    """A notebook, or the reason why these bytes are none.

    Raises
    ------
    Unreadable
    """
    if not data:
        raise Unreadable("is empty")
    if len(data) > WHOLE:
        raise Unreadable(f"has more than {WHOLE:,} bytes")
    try:
        text = data.decode(json.detect_encoding(data))  # UTF-8, UTF-16 or UTF-32
        if len(text) > SIZE:
            text = without_outputs(text)
        plain = json.loads(text.rstrip("\0"))  # with which some disks fill up a file
    except Unreadable:
        raise
    except UnicodeDecodeError:
        raise Unreadable("is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
            raise Unreadable("is a web page, saved in place of a notebook") from None
        raise Unreadable(f"is not JSON ({str(error)[:80]})") from None
    cells = plain.get("cells") if isinstance(plain, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Unreadable("is JSON, but no notebook of format 4")
    if len(cells) > CELLS:
        raise Unreadable(f"has {len(cells):,} cells; at most {CELLS} are read")
    return nbformat.from_dict({"cells": [_bare(cell) for cell in cells]})


TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}]', re.S)
TOKENS = 5_000_000


def without_outputs(text: str) -> str:
    """A notebook's JSON without what its cells have shown, and other large parts.

    Only the brackets and the strings are looked at, so that the parts that are dropped
    take no memory.

    Raises
    ------
    Unreadable
        If it still is too large.
    """
    kept, start, depth, drop = [], 0, 0, None
    key = None
    for count, token in enumerate(TOKEN.finditer(text)):
        if count > TOKENS:
            break
        first = text[token.start()]
        if first in "{[":
            depth += 1
            if drop is None and (depth, key) in LARGE:
                drop = depth
                kept.append(text[start : token.start()])
        elif first in "]}":
            if drop == depth:
                drop, start = None, token.end()
                kept.append("null")
            depth -= 1
        key = token[0] if first == '"' and len(token[0]) < 20 else None
    else:
        kept.append(text[start:])
        if sum(map(len, kept)) <= SIZE:
            return "".join(kept)
    raise Unreadable(f"has more than {SIZE:,} characters without its outputs")


# At which depth of brackets stands what is dropped, and after which key.
LARGE = {(4, '"outputs"'), (4, '"attachments"'), (2, '"metadata"')}


def _bare(cell: dict) -> dict:
    """A cell's kind, its name and its text: nothing else is ever used."""
    about = cell.get("metadata")
    about = about.get("nbgrader") if isinstance(about, dict) else None
    name = about.get("grade_id") if isinstance(about, dict) else None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return {
        "code": cell.get("cell_type") == "code",
        "grade_id": name if isinstance(name, str) else None,
        "source": source if isinstance(source, str) else "",
    }
