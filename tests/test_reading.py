"""What the pages ask of a reader: the main line stays light.

`python book/_tools/reading.py` prints the table of all pages.
"""

import json

import pytest
import reading

PAGES = {
    path.relative_to(reading.BOOK).with_suffix("").as_posix(): path
    for path in reading.pages()
}
LIMITS = {
    "code": 250, "density": 40, "longest": 15, "checking": 1, "drawing": 0,
    "repaired": 4, "included": 0, "minutes": 40, "pencil": 60,
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_the_main_line_is_light(name):
    page = reading.measure(PAGES[name])
    found = {measure: getattr(page, measure) for measure in LIMITS}
    assert {key: n for key, n in found.items() if n > LIMITS[key]} == {}


def page_of(tmp_path, *cells):
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return reading.measure(path)


def code(source, *tags, outputs=()):
    metadata = {"tags": list(tags)}
    outputs = [{"data": data} for data in outputs]
    return {
        "cell_type": "code", "source": source, "metadata": metadata, "outputs": outputs
    }  # fmt: skip


def text(source):
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def test_what_is_folded_does_not_count(tmp_path):
    page = page_of(
        tmp_path,
        text("Two words and $x$.\n\n:::{dropdown} A proof\nmany more words\n:::"),
        text("```{prf:theorem} A title (Theorem 1)\nIt holds.\n```"),
        code("a = 1\nb = 2", outputs=[{"text/plain": "3\n4"}]),
        code("check(1)", "hide-input", outputs=[{"image/svg+xml": "..."}]),
        code("plt.plot()", "hide-cell", outputs=[{"text/plain": "5"}]),
        text("```{solution-start} ex\n```"),
        code("c = 3", outputs=[{"text/plain": "6"}]),
        text("```{solution-end}\n```"),
    )
    assert (page.words, page.formulas, page.pictures) == (10, 1, 1)
    assert (page.code, page.output, page.longest) == (2, 2, 2)
    assert (page.checking, page.drawing) == (0, 0)


def test_what_is_shown_counts(tmp_path):
    page = page_of(
        tmp_path,
        code("_ = check(1)", outputs=[{"text/html": "<p>", "text/plain": "x"}]),
        code("explore(draw)", outputs=[{"text/html": "<figure class='ol-player'>"}]),
        text(":::{admonition} Repaired\nNo.\n:::\n\n```{literalinclude} x.py\n```"),
    )
    assert (page.checking, page.drawing, page.pictures) == (1, 1, 1)
    assert (page.output, page.repaired, page.included) == (1, 1, 1)


def test_the_minutes_follow_the_rule():
    page = reading.Page(words=2000, formulas=100, code=20, output=20, pictures=3)
    assert page.minutes == 17  # 10 + 5 + 1 + 1
    assert page.pencil == 27  # 20 + 5 + 1 + 1
