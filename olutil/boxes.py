"""The book's boxes: where the title and the text of each statement stand.

A box is a directive of sphinx-proof, other than a proof, right below its target::

    (kak-thm2.2)=
    :::{prf:theorem} Mistake bound of Halving (Theorem 2.2 of Kakade)
    For every finite nonempty class $\\mathcal{C}$, ...
    :::

Nothing else of Markdown is known here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

TARGET = re.compile(r"^\(([\w.+-]+)\)=\s*$", re.MULTILINE)
_OPENING = re.compile(r"^\s*(`{3,}|:{3,})\{prf:(?!proof\})(\w+)\}(.*)$")
_OPTION = re.compile(r"^:[\w-]+:")


@dataclass(frozen=True)
class Box:
    """One statement as the book prints it.

    Attributes
    ----------
    id : str
        The target above the box, such as ``kak-thm2.2``.
    kind : str
        ``theorem``, ``definition``, ``remark``, ...
    title : str
        What it says, in a few words, with the lecture's own number where it has one.
    text : str
        The statement in Markdown with LaTeX.
    page : str
        The file that states it.
    """

    id: str
    kind: str
    title: str
    text: str
    page: str

    @property
    def lecture(self) -> str:
        """The lecture's key: the id up to its first hyphen."""
        return self.id.split("-", 1)[0]


def boxes(text: str, page: str) -> Iterator[Box]:
    """The boxes of a text, in its order; a box in a proof is one of them.

    Parameters
    ----------
    text : str
        A page, or a cell of a notebook, in Markdown.
    page : str
        The name of its file.

    Yields
    ------
    Box

    Raises
    ------
    ValueError
        If a box has no target, no title or no text, or is not closed.
    """
    lines = text.splitlines()
    for above, line in enumerate(lines, start=-1):
        opening = _OPENING.match(line)
        if opening is None:
            continue
        fence, kind, title = opening[1], opening[2], opening[3].strip()
        target = TARGET.match(lines[above]) if above >= 0 else None
        if target is None:
            raise ValueError(
                f"{page}: expected a target such as (kak-thm2.2)= right above the "
                f"{kind} {title!r}"
            )
        where = f"{page}: ({target[1]})="
        body = _body(lines[above + 2 :], fence, where)
        if not title or not body:
            raise ValueError(f"{where}: expected a box with a title and a text")
        yield Box(target[1], kind, title, body, page)


def _body(lines: list[str], fence: str, where: str) -> str:
    """The text up to the closing fence, without the directive's options."""
    closing = re.compile(rf"^{fence}{fence[0]}*\s*$")
    for end, line in enumerate(lines):
        if closing.match(line):
            return "\n".join(dropwhile(_OPTION.match, lines[:end])).strip()
    raise ValueError(f"{where}: expected {fence} below the box, which is not closed")
