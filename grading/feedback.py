"""A student's feedback page: what was handed in, what points it got, and why.

Much of a page is the student's text, and instructors open it too.  So it is made of
text and pictures only: no script, no HTML from the notebook, no link that leads out.
"""

import html
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from grading.cells import grade_id, is_answer, is_graded, is_students
from grading.formulas import mathml
from grading.lateness import in_words
from grading.marks import Marks

UNANSWERED = "No response."  # nbgrader's comment on an answer that is the released one
TITLE = re.compile(r"^#\s+(?P<text>.+?)\s*$", re.M)
TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # of the direction of writing
HEADING = re.compile(r"^#{2,6}\s+(?P<text>.+?)(?:\s*\(\d+\s+points?\))?\s*$", re.M)

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem; color: #222; background: #fff; }
h2 { margin-top: 2.5rem; border-top: 1px solid #bbb; padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1rem 0 0.2rem; }
pre, table { background: #f4f4f4; padding: 0.5rem 0.7rem; overflow-x: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
td, th { padding: 0.1rem 0.7rem; text-align: left; }
img { max-width: 100%; }
.formula { display: block; margin: 0.7rem 0; overflow-x: auto; overflow-y: hidden; }
summary { cursor: pointer; }
.points { font-weight: normal; white-space: nowrap; }
.note { border-left: 4px solid #c56a00; padding-left: 0.7rem; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b; }
  pre, table { background: #2a2a2a; } a { color: #7cc4ff; } }
"""


class Inert(IPythonRenderer):
    """Markdown as HTML without anything active, formulas as MathML."""

    def __init__(self) -> None:
        super().__init__(escape=True, exclude_anchor_links=True)

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        return f"<span class=formula>{mathml(body, block=True)}</span>"

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Its text alone: where the page is read, the link may lead nowhere."""
        return text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Its description alone."""
        return html.escape(text)

    def block_code(self, code: str, info: str | None = None) -> str:
        """Code in any language, without colors."""
        return f"<pre>{_e(code)}</pre>"


def rendered(markdown: str) -> str:
    """Markdown, which anybody may have written, as HTML that does nothing.

    What no renderer gets through, such as quotes in lists a hundred deep, is shown as
    it was written.
    """
    try:
        return MarkdownWithMath(renderer=Inert()).render(straight(markdown))
    except Exception:
        return f"<pre>{_e(markdown)}</pre>"


def can_be_rendered(markdown: str) -> bool:
    """Whether Markdown can be shown as such, here and where it is marked by hand.

    There the renderer is called by others, deep in their calls: so it may use less than
    half of the calls in calls that Python allows.
    """
    allowed = sys.getrecursionlimit()
    sys.setrecursionlimit(min(allowed, len(inspect.stack(0)) + allowed // 3))
    try:
        MarkdownWithMath(renderer=Inert()).render(markdown)
        return True
    except Exception:
        return False
    finally:
        sys.setrecursionlimit(allowed)


def page(
    name: str,
    student: str,
    notebook: NotebookNode,
    marks: Marks,
    remarks: Sequence[str],
) -> str:
    """A feedback page.

    Parameters
    ----------
    name : str
        Of the problem set, for a page whose notebook has no title.
    student : str
    notebook : NotebookNode
        As it was graded, with its outputs and those of the checks.
    marks : Marks
    remarks : sequence of str
        On the submission as a whole.

    Returns
    -------
    str
        A page that needs no other file, and no network.
    """
    questions = list(_questions(notebook.cells))
    titles = (
        found["text"]
        for cell in notebook.cells
        if cell.cell_type == "markdown" and not is_answer(cell)
        if (found := TITLE.search(cell.source))
    )
    title = next(titles, name)
    index = "".join(
        f'<tr><th><a href="#{_e(question.name)}">{question.title}</a>'
        f"<td>{marks.in_words(question.name)}</tr>"
        for question in questions
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src data:; style-src 'unsafe-inline'\">"
        f"<title>{_e(student)}: {_e(title)}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{_e(title)}</h1>"
        f"<p><b>{_e(student)}</b>: {marks.total_in_words()}.</p>{_late(marks)}"
        f"{''.join(f'<p class=note>{_e(remark)}.</p>' for remark in remarks)}"
        f"<table>{index}</table>"
        f"{''.join(_section(question, marks) for question in questions)}"
        "</main></body></html>\n"
    )


def _late(marks: Marks) -> str:
    if not marks.seconds_late:
        return ""
    late = f"Handed in {in_words(marks.seconds_late)} late"
    if marks.penalty:
        late += f": {marks.penalty:.4g} is taken off, which leaves {marks.counting:.4g}"
    return f"<p class=note>{late}.</p>"


def _e(value: object) -> str:
    return html.escape(straight(str(value)))


def straight(text: str) -> str:
    """Text with the signs written out that would turn what follows them around."""
    return TURNS.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


@dataclass
class Question:
    """A question's cells: what is asked, the answers, and what is graded."""

    name: str
    title: str
    asked: list[NotebookNode]
    answers: list[NotebookNode]
    graded: NotebookNode


def _questions(cells: list[NotebookNode]) -> Iterator[Question]:
    asked: list[NotebookNode] = []
    answers: list[NotebookNode] = []
    for cell in cells:
        if is_students(cell):
            answers.append(cell)
        if is_graded(cell):
            name = grade_id(cell)
            yield Question(name, _title(asked) or _e(name), asked, answers, cell)
            asked, answers = [], []
        elif not is_students(cell):
            if cell.cell_type == "markdown" and HEADING.match(cell.source):
                asked = []  # what stands above it belongs to no question
            asked.append(cell)


def _title(asked: list[NotebookNode]) -> str:
    for cell in asked:
        if cell.cell_type == "markdown" and (found := HEADING.match(cell.source)):
            return re.sub(r"</?p>", "", rendered(found["text"])).strip()
    return ""


def _section(question: Question, marks: Marks) -> str:
    parts = [
        f'<h2 id="{_e(question.name)}">{question.title} '
        f"<span class=points>({marks.in_words(question.name)})</span></h2>"
    ]
    asked = "".join(map(_asked, question.asked))
    if asked:
        parts.append(f"<details><summary>The question</summary>{asked}</details>")
    comments = [marks.comments.get(grade_id(cell), "") for cell in question.answers]
    parts += map(_answer, question.answers, comments)
    if not is_answer(question.graded):
        answered = set(comments) != {UNANSWERED}
        parts.append(_checked(question.graded, answered=answered))
    parts += [
        f"<h3>{_e(grader)}{f' ({_e(worth)})' if worth else ''}</h3>{rendered(comment)}"
        for grader, worth, comment in marks.said.get(question.name, [])
    ]
    return "".join(parts)


def _asked(cell: NotebookNode) -> str:
    if cell.cell_type == "code":
        return f"<pre>{_e(cell.source)}</pre>"
    found = HEADING.match(cell.source)
    return rendered(cell.source[found.end() :] if found else cell.source)


def _answer(cell: NotebookNode, comment: str) -> str:
    if comment == UNANSWERED:
        return "<h3>Your answer</h3><p>Not answered.</p>"
    text = (
        rendered(cell.source)
        if cell.cell_type == "markdown"
        else f"<pre>{_e(cell.source)}</pre>"
    )
    remark = f"<h3>Comment</h3>{rendered(comment)}" if comment else ""
    outputs = "".join(map(_output, cell.get("outputs", [])))
    shown = f"<h3>What it shows</h3>{outputs}" if outputs else ""
    return f"<h3>Your answer</h3>{text}{shown}{remark}"


def _checked(cell: NotebookNode, *, answered: bool) -> str:
    *shown, verdict = [o for o in cell.outputs if o.output_type != "execute_result"]
    outputs = "".join(map(_output, shown)) if answered else ""
    visible = f"<h3>From the visible checks</h3>{outputs}" if outputs else ""
    return f"{visible}<h3>From the hidden checks</h3>{_output(verdict)}"


def _output(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return f"<pre>{_e(output.text.rstrip())}</pre>"
    picture = output.data.get("image/png", "")
    return f'<img alt="a picture" src="data:image/png;base64,{_e(picture)}">'
