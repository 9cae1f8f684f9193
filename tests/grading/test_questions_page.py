"""The page on writing a question, followed to the letter."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import tiny
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grading import release
from grading.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "teaching" / "questions.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"^    (EXERCISES=\S+) \S+ (-m pytest .*)$", re.M)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def mine(tmp_path_factory) -> Path:
    """The folder that the page describes, with the answers of its step 5."""
    folder = tmp_path_factory.mktemp("week1") / "mine"
    given, answer, visible, hidden, answers = blocks("python")
    mine, theirs = map(json.loads, blocks("json"))
    title = re.search(r"`(# Week 1)`", PAGE)[1]
    heading = re.search(r"`(## Question 1: .*?)`", PAGE)[1]
    notebook = new_notebook(
        cells=[
            new_markdown_cell(title),
            new_code_cell(given, metadata=tiny.about("setup", locked=True)),
            new_markdown_cell(heading),
            new_code_cell(answer.rstrip(), metadata=mine),
            new_code_cell(visible.rstrip(), metadata=theirs),
        ]
    )
    for name, content in {
        "source/week1.ipynb": nbformat.writes(notebook),
        "checks/week1.py": hidden,
        "answers/week1.py": answers,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def test_there_are_six_steps():
    assert re.findall(r"^## (\d)\. ", PAGE, re.M) == list("123456")
    assert re.search(r"^# How to add a question in six steps$", PAGE, re.M)


def test_the_solution_passes_the_visible_checks(mine):
    names: dict = {}
    for cell in nbformat.read(mine / "source" / "week1.ipynb", 4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)


def test_the_answers_get_what_they_should(mine):
    """By the page's own command; each answer is tried in the sandbox."""
    setting, arguments = COMMAND.search(PAGE).groups()
    assert setting == "EXERCISES=../mine"
    done = subprocess.run(
        [sys.executable, *arguments.split(), "-q", "-p", "no:cacheprovider"],
        cwd=ROOT, env={**os.environ, "EXERCISES": str(mine)},
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 5


def test_it_is_released_and_graded(mine, capsys):
    release.main(["--sources", str(mine / "source")])
    given = nbformat.read(mine / "week1.ipynb", 4)
    assert "balance" not in nbformat.writes(given)
    solved = nbformat.read(mine / "source" / "week1.ipynb", 4)
    handed_in = mine.parent / "handed-in"
    for student, notebook in (("ann", solved), ("bob", given)):
        (handed_in / student).mkdir(parents=True)
        nbformat.write(notebook, handed_in / student / "week1.ipynb")
    out = mine.parent / "graded"
    arguments = ["week1", "--submissions", handed_in, "--exercises", mine]
    assert main([*map(str, arguments), "--out", str(out), "--jobs", "1"]) == 0
    with (out / "grades.csv").open(newline="", encoding="utf-8") as file:
        totals = {row["student"]: row["total"] for row in csv.DictReader(file)}
    assert totals == {"ann": "3", "bob": "0"}
    page = (out / "feedback" / "bob.html").read_text(encoding="utf-8")
    assert "<h1>Week 1</h1>" in page
    assert "Question 1: follow the majority" in page and "Not answered." in page
