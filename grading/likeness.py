"""Answers that are strangely alike: a hint for a person to look at, never a mark.

Two answers are compared by the runs of words that they share, with all names and
comments of code left out, so that renaming hides nothing.  What stands in the released
notebook, or in more than half of all answers, is no sign of anything.
"""

import html
import keyword
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from nbformat import NotebookNode

from grading import report
from grading.cells import answers, by_question, has_checks
from grading.feedback import straight
from grading.records import without_controls

RUN = {True: 12, False: 6}  # words of code, and of prose, that make a sign
LEAST = 20  # signs of an answer that is long enough to say anything
ALIKE = 0.6  # of the shorter answer's signs, from which on a pair is shown
MOST = 50  # pairs that are shown
COMMENT = re.compile(r"#[^\n]*")
WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Pair:
    """Two students' answers to a question, and the lines that they share.

    ``share`` is how much of the shorter one stands in the other, and ``usual`` the same
    for the median of all pairs, if there are several.
    """

    question: str
    students: tuple[str, str]
    texts: tuple[str, str]
    lines: tuple[frozenset[int], frozenset[int]]
    share: float
    usual: float | None


Signs = dict[int, set[int]]  # of each run of words its hash, and the lines it is on


def signs(text: str, *, code: bool) -> Signs:
    """The runs of words of a text, whatever that is."""
    words: list[tuple[str, int]] = []
    for number, line in enumerate(text.splitlines()):
        for word in WORD.findall(COMMENT.sub("", line) if code else line.casefold()):
            plain = code and word.isidentifier() and not keyword.iskeyword(word)
            words.append(("name" if plain else word, number))
    found: Signs = {}
    for at in range(len(words) - RUN[code] + 1):
        run = words[at : at + RUN[code]]
        key = hash(tuple(word for word, _ in run))
        found.setdefault(key, set()).update(line for _, line in run)
    return found


def pairs(
    question: str, answers: dict[str, str], released: str, *, code: bool
) -> Iterator[Pair]:
    """The pairs of a question's answers that are strangely alike.

    Parameters
    ----------
    question : str
    answers : dict
        By student.
    released : str
        What the students were given, which is nobody's.
    code : bool
        Whether the answers are code, or else prose.
    """
    given = signs(released, code=code).keys()
    own = {s: signs(text, code=code) for s, text in answers.items()}
    often = Counter(sign for found in own.values() for sign in found)
    common = {sign for sign, count in often.items() if count > max(3, len(own) / 2)}
    own = {
        student: {sign: at for sign, at in found.items() if sign not in common | given}
        for student, found in own.items()
    }
    own = {student: found for student, found in own.items() if len(found) >= LEAST}
    shares = {
        (a, b): len(own[a].keys() & own[b].keys()) / min(len(own[a]), len(own[b]))
        for a, b in combinations(sorted(own), 2)
    }
    usual = median(shares.values()) if len(shares) > 1 else None
    for (a, b), share in shares.items():
        if share >= ALIKE:
            both = own[a].keys() & own[b].keys()
            lines = tuple(frozenset().union(*(own[s][k] for k in both)) for s in (a, b))
            yield Pair(question, (a, b), (answers[a], answers[b]), lines, share, usual)


def of_class(released: NotebookNode, handed_in: dict[str, NotebookNode]) -> list[Pair]:
    """The pairs of a class, in the order in which a person should look at them.

    Short programs for one task are all alike.  So each question's first pair comes
    before any question's second.

    Parameters
    ----------
    released : NotebookNode
    handed_in : dict
        By student, the released notebook with the student's answers.
    """
    given = "\n".join(cell.source for cell in released.cells)
    texts = {student: answers(notebook) for student, notebook in handed_in.items()}
    ranked: list[tuple[int, Pair]] = []
    for question, cells in by_question(released).items():
        own = {s: "\n".join(found.get(question, [])) for s, found in texts.items()}
        alike = pairs(question, own, given, code=has_checks(cells[-1]))
        ranked += enumerate(sorted(alike, key=lambda pair: -pair.share))
    ranked.sort(key=lambda one: (one[0], -one[1].share))
    return [pair for _, pair in ranked]


STYLE = """<style>
p { max-width: 46rem; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.two > * { min-width: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.5rem 0.7rem;
  border: 1px solid #bbb; }
mark { background: #ffe9a8; color: inherit; }
@media (max-width: 50rem) { .two { grid-template-columns: 1fr; } }
@media (prefers-color-scheme: dark) { mark { background: #5a4a10; } }
</style>"""


def page(name: str, found: list[Pair]) -> str:
    """The pairs side by side, for the teacher alone."""
    parts = [
        f"{STYLE}<h1>{_e(name)}: answers that are alike</h1>",
        "<p>For you alone. That two answers share much is a reason to look at them, "
        "and proves nothing: both may come from the lecture, or from work that you "
        "allowed. It has no effect on any mark. Lines that share a run of words are "
        "marked; names and comments in code are not compared, and neither is what "
        "stands in the set or in most answers.</p>",
        f"<p>{min(len(found), MOST)} of {len(found)} pairs are shown, the most alike "
        "of every question first.</p>",
        *map(_section, found[:MOST]),
    ]
    return report.page(f"{name}: answers that are alike", "".join(parts))


def _section(pair: Pair) -> str:
    sides = "".join(
        f"<section><h3>{_e(student)}</h3><pre>{_marked(text, lines)}</pre></section>"
        for student, text, lines in zip(
            pair.students, pair.texts, pair.lines, strict=True
        )
    )
    usual = ""
    if pair.usual is not None:
        usual = f"; in the median pair of this question it is {100 * pair.usual:.0f} %"
    return (
        f"<h2>{_e(pair.question)}: {_e(' and '.join(pair.students))}</h2>"
        f"<p>{100 * pair.share:.0f} % of the shorter answer stands in the other{usual}."
        f"</p><div class=two>{sides}</div>"
    )


def _marked(text: str, lines: frozenset[int]) -> str:
    return "\n".join(
        f"<mark>{_e(line)}</mark>" if number in lines else _e(line)
        for number, line in enumerate(text.splitlines())
    )


def _e(text: str) -> str:
    return html.escape(straight(without_controls(text).strip("\n")))
