"""Two games that a reader plays on the page.

The scripts beside this module follow tables: mistake tree, dimensions, predictions
and bounds are computed here, by the package's own learners and theorems.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from olutil._arguments import invalid, table
from olutil.concepts import StandardOptimal
from olutil.dimension import Node, littlestone_dimension, mistake_tree
from olutil.widgets import _html

# A game's table is a part of the page, so it must stay small.
MOST_SPACES = 200


@dataclass(frozen=True)
class PageGame:
    """A game to play on the page, which shows itself as the last value of a cell.

    Attributes
    ----------
    name : str
        What the game is, in a sentence.
    table : mapping
        What the script plays from.
    """

    name: str
    table: Mapping[str, Any]
    _body: str = field(repr=False)
    _script: str = field(repr=False)

    def __repr__(self) -> str:
        return f"A game to play on the page: {self.name}"

    def _repr_html_(self) -> str:
        kind = self.table["game"]
        style = _html.asset("games.css")
        markup = f"""\
<style>{style}</style>
<section class="ol-game" data-game="{kind}" data-rounds="0" data-mistakes="0"
 data-over="false" aria-label="Game: {escape(self.name)}">
{self._body}
<noscript><p>The game needs JavaScript.</p></noscript>
<p class="ol-paper">This is a game: it can be played on the page of the site.</p>
<script type="application/json">{_html.as_json(dict(self.table))}</script>
</section>"""
        return _html.output(markup, self._script)


# ---------------------------------------------------------------- concept classes


def adversary_game(
    C: Any, *, points: Sequence[str] | None = None,
    concepts: Sequence[str] | None = None,
) -> PageGame:  # fmt: skip
    """The reader predicts labels; a mistake tree contradicts every prediction.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class: no concept twice, at least two.
    points, concepts : sequence of str, optional
        What columns and rows are called; otherwise they are numbered from 0.

    Returns
    -------
    PageGame
        The last value of a cell.  The reader errs in each of ``opt(C)`` rounds, and
        is then shown the tree, the path taken and a concept that agrees with it.

    Raises
    ------
    ValueError
        If ``C`` is no such table, or the names do not fit it.

    Examples
    --------
    >>> from olutil.classes import thresholds
    >>> adversary_game(thresholds(3))
    A game to play on the page: predict against the adversary
    """
    C, named = _named_class(C, points, concepts)
    tree = mistake_tree(C)
    opt = littlestone_dimension(C)
    game = named | {"game": "adversary", "opt": opt, "tree": tree}
    body = f"""\
<p><strong>You predict, the adversary answers.</strong>
One of the {len(C)} concepts in the table is right.
You are shown a point: predict its label, and then you are told.
How few mistakes can you get away with?</p>
{_controls(_choices("Your prediction", "01"))}
{_class_and_rounds(named, "You")}
<figure class="ol-tree" hidden>
{_tree_svg(tree, named, opt)}
<figcaption>The adversary's mistake tree: at each point the left edge is the label 0,
the right edge the label 1.  Your path is drawn bold.</figcaption>
</figure>"""
    return PageGame("predict against the adversary", game, body, "adversary.js")


def learner_game(
    C: Any, *, points: Sequence[str] | None = None,
    concepts: Sequence[str] | None = None,
) -> PageGame:  # fmt: skip
    """The reader chooses points and labels; the Standard Optimal Algorithm predicts.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class: no concept twice, at least two, and at most 200 version spaces.
    points, concepts : sequence of str, optional
        What columns and rows are called; otherwise they are numbered from 0.

    Returns
    -------
    PageGame
        The last value of a cell.

    Raises
    ------
    ValueError
        If ``C`` is no such table, or the names do not fit it.

    Examples
    --------
    >>> from olutil.classes import thresholds
    >>> learner_game(thresholds(3))
    A game to play on the page: be the adversary of the Standard Optimal Algorithm
    """
    C, named = _named_class(C, points, concepts)
    spaces = dict(_version_spaces(C))
    opt = littlestone_dimension(C)
    times = f"{opt} {'time' if opt == 1 else 'times'}"
    game = named | {"game": "learner", "opt": opt, "spaces": spaces}
    buttons = "".join(
        f'<button type="button" data-point="{i}">{escape(name)}</button>'
        for i, name in enumerate(named["points"])
    )
    choices = f'<div role="group" aria-label="Point"><span>Point</span> {buttons}</div>'
    body = f"""\
<p><strong>You are the adversary of the Standard Optimal Algorithm.</strong>
Choose a point, see its prediction, then choose the label.
Some concept in the table must agree with all your labels.
Can you make it err more than {times}?</p>
{_controls(choices, _choices("Label", "01"))}
{_class_and_rounds(named, "Learner", "Dimension")}"""
    name = "be the adversary of the Standard Optimal Algorithm"
    return PageGame(name, game, body, "adversary.js")


def _named_class(C: Any, points: Any, concepts: Any) -> tuple[np.ndarray, dict]:
    """The class, checked, and what a script needs: its names and its rows."""
    C = table("C", C)
    if len(C) < 2 or len(np.unique(C, axis=0)) < len(C):
        raise invalid("C", "two or more concepts, none of them twice", C.tolist())
    names = {}
    for argument, given, size in (
        ("points", points, C.shape[1]),
        ("concepts", concepts, len(C)),
    ):
        given = list(map(str, range(size) if given is None else given))
        if len(set(given)) != size:
            raise invalid(argument, f"{size} different names", given)
        names[argument] = given
    return C, names | {"rows": [_digits(row) for row in C]}


def _version_spaces(C: np.ndarray) -> Iterator[tuple[str, list]]:
    """Each version space that labels can leave, with its dimension and the predictions.

    A version space is a string of 0s and 1s, one for each concept; the predictions are
    such a string too, with one for each point.
    """
    learner = StandardOptimal(C)
    todo, seen = [learner.alive], set()
    while todo:
        alive = todo.pop()
        if not alive.any() or _digits(alive) in seen:
            continue
        seen.add(_digits(alive))
        if len(seen) > MOST_SPACES:
            raise invalid("C", f"at most {MOST_SPACES} version spaces", "more")
        learner.alive = alive
        says = [learner.predict(x) for x in range(C.shape[1])]
        yield _digits(alive), [littlestone_dimension(C[alive]), _digits(says)]
        todo += [alive & (column == label) for column in C.T for label in (0, 1)]


def _digits(row: Any) -> str:
    return "".join(str(int(entry)) for entry in row)


def _controls(*groups: str) -> str:
    """A line that says whose turn it is, and the buttons; the script shows them."""
    return f"""\
<div class="ol-controls" hidden>
<p class="ol-turn" aria-live="polite"></p>
{"".join(groups)}
<button type="button" data-again>Start again</button>
</div>"""


def _choices(what: str, words: Sequence[str]) -> str:
    buttons = "".join(
        f'<button type="button" data-label="{label}">{word}</button>'
        for label, word in enumerate(words)
    )
    return f'<div role="group" aria-label="{what}"><span>{what}</span> {buttons}</div>'


def _class_and_rounds(named: Mapping[str, list], predicts: str, *more: str) -> str:
    """The class as a table, and an empty table for the rounds.

    Its columns name who predicts, and what ``more`` a round has.
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in named["points"])
    rows = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="ol-{entry}">{entry}</td>' for entry in row)
        + '<td class="ol-mark">✓</td></tr>'
        for name, row in zip(named["concepts"], named["rows"], strict=True)
    )
    told = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Point", predicts, "Label", "Mistakes", *more)
    )
    return f"""\
<div class="ol-board">
<table class="ol-concepts"><caption>The concepts, ✓ if all labels agree</caption>
<thead><tr><th scope="col">Point</th>{head}<td></td></tr></thead>
<tbody>
{rows}
</tbody></table>
<table class="ol-rounds"><caption>The rounds</caption>
<thead><tr>{told}</tr></thead>
<tbody></tbody></table>
</div>"""


def _tree_svg(tree: Node | int, named: Mapping[str, list], depth: int) -> str:
    """The tree as SVG; each part is marked with the labels that lead to it."""
    wide, high = 46 * 2**depth, 62

    def parts(node: Node | int, path: str, above: tuple[float, float]) -> Iterator[str]:
        # Paths of one length stand side by side, at equal distances, in their order.
        x = wide * (int(path or "0", 2) + 0.5) / 2 ** len(path)
        y = 18 + high * len(path)
        yield f'<g data-path="{path}">'
        if path:
            yield f'<path d="M{above[0]:g} {above[1] + 14:g}L{x:g} {y - 14:g}"/>'
            side = -9 if path[-1] == "0" else 9
            middle = (above[0] + x) / 2 + side, (above[1] + y) / 2 - 2
            yield f'<text x="{middle[0]:g}" y="{middle[1]:g}">{path[-1]}</text>'
        if not isinstance(node, Node):
            name = escape(named["concepts"][node])
            yield f'<text x="{x:g}" y="{y + 2:g}">{name}</text></g>'
            return
        name = escape(named["points"][node.point])
        yield f'<circle cx="{x:g}" cy="{y:g}" r="14"/>'
        yield f'<text x="{x:g}" y="{y + 4:g}">{name}</text></g>'
        yield from parts(node.zero, path + "0", (x, y))
        yield from parts(node.one, path + "1", (x, y))

    inside = "\n".join(parts(tree, "", (0, 0)))
    return (
        f'<svg viewBox="0 0 {wide} {high * depth + 30}" role="img" '
        f'aria-label="A complete mistake tree of depth {depth}.">\n{inside}\n</svg>'
    )
