"""From a submission to the notebook that is graded.

Only the text of the student's own cells is taken, and put into the released notebook.
Tags, ids, points, outputs, attachments, the kernel, and what a student has made of the
set's own cells have no effect.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Set
from copy import deepcopy
from dataclasses import dataclass
from textwrap import indent
from types import MappingProxyType

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from grading.cells import grade_id, has_checks, is_answer, plain, signs
from grading.feedback import can_be_rendered

CELLS = 500  # in a submission
ANSWER_LENGTH = 20_000  # characters; the time to parse Markdown grows with the square
PICTURE = re.compile(r"!\[[^\]\n]*\]\(|<img\b", re.IGNORECASE)  # in a text

# What Markdown or a browser could take for a tag, an entity, a picture or a script.
# Each is cut in two by a blank, which formulas do not mind.
ACTIVE = [
    # A browser takes tabs and the like out of an address before it reads it.
    (re.compile(r"[^\S\n]|[\x00-\x08\x0e-\x1f\x7f-\x9f]"), " "),
    (re.compile(r"<(?=[a-zA-Z/!?])"), "< "),
    (re.compile(r"&(?=#?\w+;)"), "& "),
    (re.compile(r"!(?=\[)"), "! "),
    (re.compile(r"(?i)\b(javascript|vbscript|data)(?=\\?:)"), r"\1 "),
    # And of TeX, what MathJax turns into links and styles.
    (
        re.compile(
            r"\\(?=(href|url|require|style|class|cssId|data|unicode|mmlToken|bbox"
            r"|enclose|html[A-Z]\w*)(?![a-zA-Z]))"
        ),
        r"\\ ",
    ),
]


class Unusable(ValueError):
    """A submission that cannot be graded; its text says why."""


@dataclass
class Piece:
    """A student's cell; ``inside`` is false for code further up than the answer."""

    text: str
    named: bool = False
    inside: bool = True


def fill(
    released: NotebookNode,
    submitted: NotebookNode,
    others: Mapping[str, Set[str]] = MappingProxyType({}),
) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers.

    An answer is every cell that has its name, and code that stands between it and the
    next cell of the set: a split or doubled answer is run piece by piece, in order, as
    it was in the student's notebook.  Other code of the student's is run before the
    next answer.  Cells that have lost their names are known by their texts.

    Parameters
    ----------
    released : NotebookNode
    submitted : NotebookNode
        As `notebooks.parse` gives it: of each cell its kind, its name and its text.
    others : mapping
        The course's other problem sets, and the `cells.signs` of each.

    Returns
    -------
    (NotebookNode, list of str)
        And what was odd about the submission, in words that its student may read.

    Raises
    ------
    Unusable
        If it has too many cells, not half of the answers' cells, or more of another
        set's cells than of this one's: the sets of a course share some names.
    """
    if len(submitted.cells) > CELLS:
        raise Unusable(f"has {len(submitted.cells)} cells; at most {CELLS} are read")
    if (likely := set_of(submitted, {"": signs(released), **others})) in others:
        raise Unusable(f"has the cells of another problem set, {likely}")
    pieces, unread = _pieces(released, submitted.cells)
    wanted = [n for n, cell in enumerate(released.cells) if is_answer(cell)]
    _must_have_half(wanted, pieces)
    notes: list[str] = []
    filled = deepcopy(released)
    filled.cells = []
    for place, cell in enumerate(deepcopy(released.cells)):
        found = pieces.get(place, [])
        if is_answer(cell):
            filled.cells += _answered(cell, found, notes)
        else:
            filled.cells.append(cell)
    return filled, [*notes, *_on_places(pieces, unread)]


def answered(released: NotebookNode, submitted: NotebookNode) -> int:
    """How many answers a submission has that are not as they were released."""
    pieces, _ = _pieces(released, submitted.cells[:CELLS])
    return sum(
        any(
            p.inside and plain(p.text) not in ("", plain(released.cells[place].source))
            for p in found
        )
        for place, found in pieces.items()
    )


def set_of(submitted: NotebookNode, sets: Mapping[str, Set[str]]) -> str | None:
    """The set of which a notebook has the most cells; of two the first, or none."""
    signs = [cell["grade_id"] or plain(cell["source"]) for cell in submitted.cells]
    shared = {name: len(known.intersection(signs)) for name, known in sets.items()}
    likely = max(shared, key=shared.get, default=None)
    return likely if likely is not None and shared[likely] else None


def _must_have_half(wanted: list[int], pieces: Mapping[int, list[Piece]]) -> None:
    found = sum(any(p.inside for p in pieces.get(place, [])) for place in wanted)
    if 2 * found < len(wanted):
        raise Unusable(
            f"has {found} of the {len(wanted)} cells for answers, by their names or by "
            "the texts around them: is it the right notebook?"
        )


# --- Which answer a cell belongs to ------------------------------------------


def _pieces(
    released: NotebookNode, cells: list[NotebookNode]
) -> tuple[dict[int, list[Piece]], int]:
    """By the place of an answer, the cells that belong to it; and how many to none."""
    found: dict[int, list[Piece]] = defaultdict(list)
    places = _places(released, cells)
    unread = 0
    for at, (cell, place) in enumerate(zip(cells, places, strict=True)):
        text = cell["source"]
        known = None if place is None else released.cells[place]
        if known is not None and is_answer(known):
            found[place].append(Piece(text, named=cell["grade_id"] is not None))
        elif known is None and text.strip():
            above = next((p for p in reversed(places[:at]) if p is not None), -1)
            below = next((p for p in places[at:] if p is not None), len(released.cells))
            whose, inside = _whose(released, cell["code"], above, below)
            if whose is not None:
                found[whose].append(Piece(text, inside=inside))
            unread += whose is None and cell["code"]
        elif known is not None and _was_changed(cell, known):
            whose, _ = _whose(released, True, place, place + 1)
            if whose is not None:
                found[whose].append(Piece(text, inside=False))
            unread += whose is None
    return found, unread


def _places(released: NotebookNode, cells: list[NotebookNode]) -> list[int | None]:
    """For each cell the place of the released one that it is, by name or by text."""
    names = {grade_id(cell): n for n, cell in enumerate(released.cells)}
    texts: dict[str, list[int]] = defaultdict(list)
    for place, cell in enumerate(released.cells):
        texts[plain(cell.source)].append(place)
    found: list[int | None] = []
    last = -1
    for cell in cells:
        place = names.get(cell["grade_id"]) if cell["grade_id"] else None
        if place is None and (text := plain(cell["source"])):
            same = texts.get(text, [])
            place = next((n for n in same if n > last), same[-1] if same else None)
        found.append(place)
        last = last if place is None else place
    return found


def _whose(
    released: NotebookNode, code: bool, above: int, below: int
) -> tuple[int | None, bool]:
    """The answer of a cell between two that are known, and whether it is inside."""
    if (above, below) == (-1, len(released.cells)):
        return None, False  # a notebook of which no cell is known
    answers = [
        place
        for place, cell in enumerate(released.cells)
        if is_answer(cell) and (cell.cell_type == "code") == code
    ]
    inside = [n for n in (above, below) if n in answers]
    inside += [n for n in answers if above < n < below]
    if inside:
        return inside[0], True
    return next((n for n in answers if code and n > above), None), False


def _was_changed(cell: NotebookNode, known: NotebookNode) -> bool:
    """Whether a student has changed given code.

    In the cells of visible checks people print and try things out; that is no answer.
    """
    if not cell["code"] or has_checks(known):
        return False
    return plain(cell["source"]) not in ("", plain(known.source))


# --- An answer from its pieces ------------------------------------------------


def _answered(
    cell: NotebookNode, pieces: list[Piece], notes: list[str]
) -> list[NotebookNode]:
    """A released answer's cell with its text, and the student's cells around it."""
    name = grade_id(cell)
    own = [piece for piece in pieces if piece.inside]
    if not own:
        notes.append(f"{name} is missing; the released text is graded")
    if length := _cut(pieces):
        notes.append(
            f"{name} has {length:,} characters; the first {ANSWER_LENGTH:,} are graded"
        )
    own = _without_stub(own, cell.source)
    if len(own) > 1:
        how = "run in order" if cell.cell_type == "code" else "joined"
        notes.append(f"{name} is in {len(own)} cells, which are {how}")
    if cell.cell_type == "markdown":
        if own:
            text = "\n\n".join(piece.text for piece in own)
            cell.source = harmless(text)
            if PICTURE.search(text):
                notes.append(f"{name} has a picture, which only the file shows")
        return [cell]
    stub = Piece(cell.source)
    kept = [p for p in pieces if not p.inside or any(p is o for o in own)]
    main = next((p for p in own if p.named), None) or next(
        (p for p in own if _defined(p.text) & _defined(stub.text)), None
    )
    if main is None:
        main = own[0] if own else stub
        kept += [] if own else [stub]
    cell.source = main.text
    return [
        cell if piece is main else _added(cell, piece, n)
        for n, piece in enumerate(kept)
    ]


def _cut(pieces: list[Piece]) -> int:
    """Cut an answer to what is graded of it; how long it was, if it was too long."""
    length = sum(len(piece.text) for piece in pieces)
    room = ANSWER_LENGTH
    for piece in pieces:
        # Lone surrogates can be in JSON but in no file.
        text = piece.text[:room].encode("utf-8", "replace").decode()
        room -= len(text)
        piece.text = text.replace("\0", "")
    return length if length > ANSWER_LENGTH else 0


def _without_stub(own: list[Piece], stub: str) -> list[Piece]:
    """Without the released text where the answer stands in another cell beside it."""
    rest = [p for p in own if p.text.strip() and plain(p.text) != plain(stub)]
    given = set().union(*(_defined(piece.text) for piece in rest))
    if rest and _defined(stub) <= given:
        return rest
    return [p for p in own if p.text.strip()] or own[:1]


def _defined(code: str) -> set[str]:
    """What a cell defines, as far as its lines say it."""
    found = re.findall(r"(?m)^(?:def|class) +(\w+)|^(\w+) *=[^=]", code)
    return {name for names in found for name in names if name}


def _added(cell: NotebookNode, piece: Piece, number: int) -> NotebookNode:
    return new_code_cell(
        piece.text,
        id=f"added-{number}-{cell.get('id', '')}"[:64],
        metadata={"grading": {"part_of": grade_id(cell)}},
    )


def _on_places(pieces: Mapping[int, list[Piece]], unread: int) -> list[str]:
    """Notes on cells that are not where the set has them."""
    lost = sum(
        not any(piece.named for piece in found) and any(p.inside for p in found)
        for found in pieces.values()
    )
    outside = sum(not p.inside for found in pieces.values() for p in found)
    notes = {
        "{} found by the texts around: the cell has lost its name": (lost, "answer"),
        "{} outside of the answers, run before the next one": (outside, "cell of code"),
        "{} below the last answer, not run": (unread, "cell of code"),
    }
    return [note.format(_counted(*count)) for note, count in notes.items() if count[0]]


def _counted(number: int, what: str) -> str:
    first, *rest = what.split(" ", 1)
    return " ".join([str(number), f"{first}s" if number > 1 else first, *rest])


def harmless(markdown: str) -> str:
    """A written answer that can run nothing in the page where it is marked."""
    for pattern, instead in ACTIVE:
        markdown = pattern.sub(instead, markdown)
    # As a block of code, which every renderer gets through.
    return markdown if can_be_rendered(markdown) else indent(markdown, "    ")
