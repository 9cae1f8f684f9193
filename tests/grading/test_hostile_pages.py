"""What people open after a run has nothing active in it, whatever was handed in."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import nbformat
import nbgrader.server_extensions.formgrader as formgrader
import pytest
import trial
from bs4 import BeautifulSoup
from hostile_pages import LINKS, NAMES, SCRIPTS, SUBMISSIONS
from nbconvert.exporters import HTMLExporter
from traitlets.config import Config

from grading.answers import harmless

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None and "CI" not in os.environ,
    reason="needs bubblewrap; never skipped where CI is set",
)
ACTIVE_TAGS = (
    "script iframe object embed form base applet frame svg math link audio video input "
    "style details noscript"
).split()
ADDRESSES = ("href", "src", "srcset", "action", "formaction", "data", "xlink:href")
MACROS = re.compile(
    r"\\(href|url|require|style|class|cssId|data|unicode|mmlToken|bbox|enclose|html\w)"
)


MATH = re.compile(r"math|m[a-z]+")
MATH_NAMES = (
    "accent display displaystyle fence form largeop linethickness mathvariant maxsize "
    "minsize movablelimits scriptlevel stretchy width"
).split()
MATH_VALUES = re.compile(r"[a-z]{0,8}|\d?(\.\d+)?(em|ex)?")


def inert_formula(math) -> bool:
    """Whether MathML has neither foreign elements nor what loads or leads away."""

    def inert(name: str, value: str) -> bool:
        if name == "style":
            return bool(re.fullmatch(r"text-align: \w+", value))
        return name in MATH_NAMES and bool(MATH_VALUES.fullmatch(value))

    return all(
        MATH.fullmatch(tag.name) and all(map(inert, tag.attrs, tag.attrs.values()))
        for tag in [math, *math.find_all(True)]
    )


def active(page: str) -> Counter:
    """What of a page could run, load or send something."""
    found: Counter = Counter()
    soup = BeautifulSoup(page, "html.parser")
    for math in filter(inert_formula, soup.find_all("math")):
        math.decompose()
    for tag in soup.find_all(True):
        name = tag.name.lower()
        if name in ACTIVE_TAGS:
            found[str(tag)[:300]] += 1
        if name == "meta" and "refresh" in str(tag.get("http-equiv", "")).lower():
            found[str(tag)] += 1
        for attribute, value in tag.attrs.items():
            value = re.sub(r"[\x00-\x20]", "", str(value)).lower()
            if attribute.lower().startswith("on") or attribute.lower() == "srcdoc":
                found[f"{name} {attribute}={value}"] += 1
            elif attribute.lower() in ADDRESSES and re.match(
                r"(javascript|vbscript|data:text|data:image/svg)", value
            ):
                found[f"{name} {attribute}={value}"] += 1
            elif attribute == "src" and not value.startswith("data:image/png"):
                found[f"{name} {attribute}={value}"] += 1
            elif attribute == "style" and re.search(r"url|position|@import", value):
                found[f"{name} {attribute}={value}"] += 1
    return found


def formulas(page: str) -> list[str]:
    """Macros in text that MathJax would typeset: it leaves code alone."""
    soup = BeautifulSoup(page, "html.parser")
    for tag in soup.find_all(["pre", "code", "script", "style", "textarea"]):
        tag.decompose()
    return MACROS.findall(soup.get_text())


def starts_a_formula(value: str) -> bool:
    """Whether a spreadsheet would compute this cell of a CSV."""
    try:
        float(value)
    except ValueError:
        return value.lstrip("\ufeff\0 \t\r\n")[:1] in tuple("=+-@＝＋－＠")
    return False


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """One run over all of them: its folder, grades.csv by student, what it printed."""
    top = tmp_path_factory.mktemp("course")
    for folder in ("handed-in", "source", "checks"):
        (top / folder).mkdir()
    nbformat.write(trial.source(), top / "source" / "trial.ipynb")
    (top / "checks" / "trial.py").write_text(trial.CHECKS, encoding="utf-8")
    answers = {student: answers for student, (answers, _) in SUBMISSIONS.items()}
    for student in [*answers, *NAMES]:
        text = json.dumps(trial.handed_in(answers.get(student, trial.HONEST)))
        (top / "handed-in" / f"{student}.ipynb").write_text(text)
    command = [sys.executable, "-m", "grading", "trial", "--jobs", "2"]
    for option, name in {
        "submissions": "handed-in",
        "exercises": "",
        "out": "out",
    }.items():
        command += [f"--{option}", str(top / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    with (top / "out" / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return top / "out", rows, done.stdout


def test_points_are_what_was_earned(graded, record_property):
    """Neither a hostile submission's nor an honest neighbor's points are changed."""
    _, rows, _ = graded
    for student, (_, points) in SUBMISSIONS.items():
        took = float(rows[student]["total"]) > points
        record_property("hostile", "point" if took else "nothing")
        assert float(rows[student]["total"]) == points, rows[student]
    others = [row for student, row in rows.items() if student not in SUBMISSIONS]
    assert len(others) == len(NAMES)
    assert not any(row["total"] for row in others)


def exported(notebook: Path) -> str:
    """The page of the formgrader for marking by hand."""
    config = Config()
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [
        str(Path(formgrader.__file__).parent / "templates")
    ]
    names = (
        "assignment_id notebook_id submission_id base_url student last_name first_name "
        "notebook_path"
    ).split()
    resources = {**dict.fromkeys(names, "x"), "index": 0, "total": 1}
    exporter = HTMLExporter(config=config)
    return exporter.from_filename(str(notebook), resources=resources)[0]


@pytest.mark.parametrize("student", SUBMISSIONS)
def test_pages_are_as_inert_as_an_honest_students(graded, student):
    out, _, _ = graded

    def pages(name):
        yield exported(out / "course" / "autograded" / name / "trial" / "trial.ipynb")
        yield (out / "feedback" / f"{name}.html").read_text(encoding="utf-8")

    for mine, honest in zip(pages(student), pages("honest-first"), strict=True):
        assert not active(mine) - active(honest)
        assert not formulas(mine)
        assert len(mine) < len(honest) + 200_000
        assert trial.TOKEN not in mine
    feedback = (out / "feedback" / f"{student}.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in feedback
    assert "<script" not in feedback.lower()


def test_the_summary_is_inert(graded):
    page = (graded[0] / "summary.html").read_text(encoding="utf-8")
    assert {tag.split()[0] for tag in active(page)} == {"<style>"}
    assert "default-src 'none'" in page


def test_no_table_computes(graded):
    tables = [*graded[0].glob("*.csv"), *(graded[0] / "exports").glob("*.csv")]
    assert len(tables) >= 3
    for table in tables:
        with table.open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if starts_a_formula(cell)]
        assert not [cell for cell in cells if re.search(r"[\0\x1b\r\n]", cell)]


def test_what_is_said_on_the_terminal_moves_nothing(graded):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", graded[2])


# --- Each detector can fail ---------------------------------------------------


@pytest.mark.parametrize("text", [SCRIPTS, LINKS])
def test_detector_of_active_parts(text):
    from nbconvert.filters import markdown2html

    assert len(active(markdown2html(text))) >= 2
    assert not active(markdown2html(harmless(text)))


def test_detector_of_formulas_that_are_not_inert():
    for formula in (
        "<math href='x'><mi>x</mi></math>", "<math><script>x</script></math>",
        "<math><mi style='background:url(x)'>x</mi></math>", "<math><a>x</a></math>",
        "<math><mtext><img src=x></mtext></math>", "<math><mi onclick=f>x</math>",
    ):  # fmt: skip
        assert active(formula), formula
    assert not active("<math display='inline'><mi mathvariant='normal'>x</mi></math>")


def test_detector_of_macros():
    assert formulas(r"<p>$\href{javascript:x}{y}$</p>")
    assert not formulas(r"<pre>$\href{javascript:x}{y}$</pre>")


def test_detector_of_formulas():
    assert starts_a_formula("=1+1") and starts_a_formula(" @x")
    assert not starts_a_formula("-3.5") and not starts_a_formula("'=1")
