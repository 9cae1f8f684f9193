"""A student's page: what it says, and that it says no more than it knows."""

import random
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_report import HOSTILE, Active
from tiny import PARTLY, RIGHT, answered, hand_in

from grading import feedback, records, report
from grading.answers import harmless
from grading.feedback import page, rendered
from grading.marks import Marks


def words(text: str) -> str:
    """A page's words, as a reader sees them."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def graded(quick, student: str = "ann") -> str:
    quick.run()
    return words((quick.out / "feedback" / f"{student}.html").read_text())


def test_an_unmarked_proof_is_not_yet_marked(quick):
    hand_in(quick.handed_in, "ann")
    said = graded(quick)
    assert "ann : 4 / 4 points so far; 3 points are not yet marked." in said
    assert said.count("not yet marked, of 3") == 2, "in the index, and at the question"
    quick.mark("ann", 2)
    said = graded(quick)
    assert "ann : 6 / 7 points." in said and "not yet" not in said
    hand_in(quick.handed_in, "ann", RIGHT | {"proof": "Because of this."})
    said = graded(quick)
    assert "2 / 3, to be looked at again" in said
    assert "ann : 6 / 7 points, some to be looked at again." in said


def test_an_empty_answer_is_not_answered(classroom):
    hand_in(classroom.handed_in, "ann", {"square-answer": RIGHT["square-answer"]})
    said = graded(classroom)
    assert "NotImplementedError" not in said and "your code here" not in said
    assert "proof (0 / 3) Your answer Not answered." in said
    assert "1/1" not in said and said.count("Not answered.") == 4, "and in each check"
    hand_in(
        classroom.handed_in,
        "ann",
        {"double-answer": "def double(x):\n    raise NotImplementedError('of mine')"},
    )
    assert "Your code raised NotImplementedError: of mine" in graded(classroom)


def test_a_comment_of_the_instructor_is_shown(quick):
    hand_in(quick.handed_in, "ann")
    quick.run()
    with quick.gradebook() as gradebook:
        comment = gradebook.find_comment("proof", "tiny", "tiny", "ann")
        comment.manual_comment = "Say why $x < y$."
        gradebook.db.commit()
    assert re.search(r"Comment Say why x &lt; y \.", graded(quick))


def test_remarks_on_the_file_are_shown_and_go_with_their_cause(quick):
    text = answered(PARTLY)
    (quick.handed_in / "ann_1_5_tiny.ipynb").write_text(text)
    added = '"cells": [{"cell_type": "code", "metadata": {}, "source": "import re"},'
    (quick.handed_in / "ann_1_9_tiny-1.ipynb").write_text(
        text.replace('"cells": [', added, 1)
    )
    said = graded(quick, "ann 1")
    assert "ann_1_9_tiny-1.ipynb counts; left out: ann_1_5_tiny.ipynb." in said
    assert "1 cell of code outside of the answers, run before the next one" in said
    (quick.handed_in / "ann_1_9_tiny-1.ipynb").unlink()
    assert "1 to grade" in quick.run(), "the code that ran is not the same"
    assert "left out" not in graded(quick, "ann 1")
    assert "outside" not in graded(quick, "ann 1")


# --- The page by itself -------------------------------------------------------


def about(name: str, **kind: object) -> dict:
    return {"nbgrader": {"grade_id": name, "grade": False, "solution": False} | kind}


VERDICT = [
    new_output("stream", name="stdout", text="line 1: AssertionError: twice\n"),
    new_output("stream", name="stdout", text="✗ 0/2  doubles\n"),
    new_output("execute_result", data={"text/plain": "0.0"}),
]


def notebook(title: str = "## Question 1: *twice* $x^2$ (2\u00a0points)", **texts: str):
    return new_notebook(
        cells=[
            new_markdown_cell("# A set\n\nOf one question."),
            new_code_cell("import math", metadata=about("setup")),
            new_markdown_cell(f"{title}\n\nSee [here](there.ipynb)."),
            new_code_cell("GIVEN = 1", metadata=about("given")),
            new_code_cell(
                texts.get("code", "x = 1"),
                metadata=about("one-answer", solution=True),
                outputs=[new_output("display_data", data={"image/png": "aGVsbG8="})],
            ),
            new_code_cell(
                "assert x", metadata=about("one", grade=True), outputs=VERDICT
            ),
            new_markdown_cell(
                texts.get("proof", "So."),
                metadata=about("two", grade=True, solution=True),
            ),
        ]
    )


MARKS = Marks({"one": 0.0, "two": None}, {"one": 2.0, "two": 3.0}, ("two",))


def test_questions_have_their_names_and_what_was_asked():
    text = page("tiny", "ann", notebook(), MARKS, ["A remark"])
    said = words(text)
    assert "A set ann : 0 / 2 points so far; 3 points are not yet marked." in said
    assert "A remark." in said and "Of one question." not in said
    title = r"Question 1: <em>twice</em> <math[^>]*>.*?</math>"
    assert re.search(rf'<a href="#one">{title}</a>', text)
    assert re.search(rf'<h2 id="one">{title} <span class=points>\(0 / 2\)', text)
    assert '<a href="#two">two</a>' in text, "a question without a heading has its name"
    assert "See here." in said and "GIVEN = 1" in said and "import math" not in said
    for shown in ("AssertionError: twice", "✗ 0/2 doubles", "x = 1"):
        assert shown in said
    assert 'src="data:image/png;base64,aGVsbG8="' in text and "assert x" not in said


def test_the_title_is_a_heading_of_the_set_or_its_name():
    """Not what stands first, and not what a student has written."""
    cells = notebook(proof="# A proof").cells
    for before, title in (
        ([new_code_cell("import numpy"), new_markdown_cell("# Week *1*\n\nx")], None),
        ([], "week1"),
    ):
        text = page(
            "week1", "ann", new_notebook(cells=[*before, *cells[1:]]), MARKS, []
        )
        assert f"<h1>{title or 'Week *1*'}</h1>" in text


def test_every_link_leads_to_a_place_in_the_page():
    text = page(
        "tiny", "ann", notebook(proof="[x](http://127.0.0.1) <http://y.org>"), MARKS, []
    )
    links = re.findall(r'href="([^"]*)"', text)
    assert links and all(f'id="{link[1:]}"' in text for link in links)
    assert not re.findall(r"src=(?!\"data:image/png)", text)


@pytest.mark.parametrize("points", ["(2 points)", "(1 point)", "(12\u00a0points)", ""])
def test_the_points_of_a_heading_are_not_told_twice(points):
    text = page("tiny", "ann", notebook(f"## Question 1: twice {points}"), MARKS, [])
    assert '<a href="#one">Question 1: twice</a>' in text


def test_nothing_of_a_student_is_active():
    """Not even if it were not cleaned before."""
    text = f"{HOSTILE} ![x](http://127.0.0.1/x) [y](javascript:alert(1))\n\n{HOSTILE}"
    text += "\n\n```html\n<script>\n```\n\n```mermaid\n<script>\n```\n"
    found = page(
        HOSTILE, HOSTILE, notebook(HOSTILE, code=HOSTILE, proof=text), MARKS, [HOSTILE]
    )
    assert not Active(found).found
    assert set(re.findall(r"<a href=(..)", found)) == {'"#'}
    assert Active(found).policy.startswith("default-src 'none'")
    assert "<img src=x" not in found and "http-equiv=refresh" not in found


def test_markdown_and_formulas():
    text = rendered(
        "A **b** `c` $\\frac12$\n\n$$x_1$$\n\n| a | b |\n| - | - |\n| 1 | 2 |"
    )
    for part in ("<strong>b", "<code>c", "<mfrac>", '<math display="block">', "<td>1"):
        assert part in text
    aligned = rendered("\\begin{align}a &= b\\end{align}")
    assert "<mtable" in aligned and "\\begin" not in aligned


def test_a_page_is_small_and_needs_no_file():
    text = page("tiny", "ann", notebook(), MARKS, [])
    assert len(text) < 10_000 and "link" not in re.findall(r"<(\w+)", text)
    assert feedback.STYLE in text


def test_what_turns_the_direction_of_writing_is_written_out(quick):
    code = RIGHT["double-answer"] + "# \u202e\u2066 eurt nruter"
    hand_in(
        quick.handed_in, "ann", RIGHT | {"double-answer": code, "proof": "a\u202eb"}
    )
    quick.run()
    page = (quick.out / "feedback" / "ann.html").read_text()
    assert "# [U+202E][U+2066] eurt" in page and "a[U+202E]b" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)


# --- Whatever a student writes -------------------------------------------------

PIECES = [
    "> ", "- ", "1. ", "    ", "\t", "# ", "```", "~~~", "`", "|", "|-|\n", "---\n",
    "[", "](", ")", "![", "[^1]", "<", "</", ">", "<!--", "&", "&#x", ";", "\\", "$",
    "$$", "\\(", "\\begin{a}", "\\end{a}", "\\frac", "{", "}", "^", "_", "*", "**", "=",
    "@SUM(", "\"", "'", ",", "\n", "\n\n", "\r", "\0", "\x1b[2J", "\ud800", "\u202e",
    "\u2028", "\ufeff", "é", "李", "ने", "😀", "a", "b1", "http://", "javascript:", "://",
]  # fmt: skip


def test_every_text_of_10_000_is_shown_and_harms_no_table():
    """Random ones, and repeated ones, on which parsers fail most."""
    rng = random.Random(3)
    for _ in range(10_000):
        some = "".join(rng.choices(PIECES, k=rng.randint(1, 12)))
        text = (some * rng.choice([1] * 19 + [60]))[:600]
        answer = new_markdown_cell(harmless(text.encode("utf-8", "replace").decode()))
        answer.metadata["nbgrader"] = {
            "grade": True, "solution": True, "grade_id": "proof", "points": 3,
        }  # fmt: skip
        marks = Marks({"proof": None}, {"proof": 3.0}, comments={"proof": text})
        shown = page("tiny", text, new_notebook(cells=[answer]), marks, [text])
        shown.encode("utf-8", "replace")
        assert "<script" not in shown and "Your answer" in shown
        assert "\n" not in report.cell(text)
        assert "\x1b" not in records.without_controls(text)
