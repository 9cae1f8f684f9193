"""The comparison itself: what it accepts, what it refuses, and what it says."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from olutil import BoundViolated, check, ledger, refute
from olutil.theorems import _registry, bound, theorem
from olutil.verify import MIME, ClaimHolds, Record, VacuousCheck


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    """A registry of toy statements, so that no lecture matters here."""
    toy = {}
    monkeypatch.setattr(_registry, "STATEMENTS", toy)
    monkeypatch.setattr("olutil.verify.STATEMENTS", toy)
    positive = {"k > 0": lambda k: k > 0}

    @theorem("x-most", where="here", premises=positive, nontrivial=True)
    def most(*, k):
        return 2 * k

    @theorem("x-least", where="here", relation=">=")
    def least(*, k):
        return k

    @theorem("x-same", where="here", relation="==")
    def same(*, k):
        return k

    @theorem("x-below", where="here", relation="<")
    def below(*, k):
        return k

    return toy


def test_a_bound_that_holds_prints_the_nearest_instance(capsys):
    record = check("x-most", [1, 5, 3], how="exact", trivial=99, k=np.array([4, 3, 2]))
    assert (record.observed, record.bound, record.instances) == ("5", "6", 3)
    assert capsys.readouterr().out == (
        "✓ x-most · exact · 3 instances · 5 ≤ 6 · tightness 0.8333\n"
    )


@pytest.mark.parametrize(
    ("id", "good", "bad"),
    [("x-most", 6, 7), ("x-least", 3, 2), ("x-same", 3, 4), ("x-below", 2, 3)],
)
def test_each_relation_has_a_border(id, good, bad):
    extra = {"trivial": 99} if id == "x-most" else {}
    check(id, good, how="exact", k=3, **extra)
    with pytest.raises(BoundViolated):
        check(id, bad, how="exact", k=3, **extra)
    with pytest.raises(BoundViolated):
        check(id, [good, bad], how="exact", k=np.array([3, 3]), **extra)


def test_integers_and_fractions_get_no_slack_and_floats_a_rounding():
    tiny = Fraction(1, 10**30)
    with pytest.raises(BoundViolated):
        check("x-same", Fraction(3) + tiny, how="exact", k=3)
    check("x-same", 0.1 + 0.2, how="exact", k=0.3)
    with pytest.raises(BoundViolated):
        check("x-same", 0.3 + 1e-8, how="exact", k=0.3)


def test_a_violation_says_all_that_is_needed_to_repeat_it():
    with pytest.raises(BoundViolated) as caught:
        check("x-most", [1, 9], how="exact", trivial=[50, 60], k=np.array([4, 4]))
    message = str(caught.value)
    assert caught.value.id == "x-most"
    for part in ("x-most", "here", "1 of 2", "observed 9", "8", "k=4"):
        assert part in message
    assert "check('x-most', 9, how='exact', trivial=60, k=4)" in message


def test_the_printed_command_repeats_the_violation():
    """On the real registry, in a fresh interpreter."""
    code = (
        "from olutil import check\n"
        "check('cos511-thm1', 99, how='exact', trivial=100, beta=0.5, n=4, best=1)"
    )
    first = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    command = first.stderr.split('python -c "')[1].rsplit('"', 1)[0]
    again = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True
    )
    assert again.returncode == 1
    assert again.stderr.splitlines()[-1] == first.stderr.splitlines()[-1]


def test_an_instance_that_could_not_fail_is_not_shown_as_the_nearest():
    record = check("x-most", [10, 3], how="exact", trivial=10, k=np.array([5, 2]))
    assert (record.observed, record.bound, record.instances) == ("3", "4", 2)


def test_a_command_too_long_to_type_is_not_printed():
    @theorem("x-sum", where="here", relation="==")
    def total(*, k):
        return np.sum(k)

    with pytest.raises(BoundViolated, match="python -c"):
        check("x-sum", 0, how="exact", k=np.ones(3, dtype=int))
    with pytest.raises(BoundViolated, match="run this cell") as caught:
        check("x-sum", 0, how="exact", k=np.ones(1000, dtype=int))
    assert "python -c" not in str(caught.value)


def test_vacuous_checks_are_refused():
    with pytest.raises(VacuousCheck, match="no instance|got none"):
        check("x-most", [], how="exact", trivial=5, k=3)
    with pytest.raises(VacuousCheck, match="name that"):
        check("x-most", 1, how="exact", k=3)
    with pytest.raises(VacuousCheck, match="no better"):
        check("x-most", 1, how="exact", trivial=6, k=3)


def test_premises_parameters_and_numbers_are_checked():
    with pytest.raises(ValueError, match="k > 0"):
        check("x-most", 0, how="exact", trivial=5, k=0)
    with pytest.raises(TypeError, match="missing.*k"):
        check("x-most", 0, how="exact", trivial=5)
    with pytest.raises(TypeError, match="unknown.*j"):
        check("x-most", 0, how="exact", trivial=5, k=1, j=2)
    with pytest.raises(KeyError, match="x-none"):
        check("x-none", 0, how="exact")
    with pytest.raises(KeyError, match="x-word"):
        bound("x-word")
    with pytest.raises(KeyError, match=r"got 'x-mots'; did you mean 'x-most'\?"):
        bound("x-mots")
    with pytest.raises(ValueError, match="how"):
        check("x-same", 3, how="looking", k=3)
    with pytest.raises(ValueError, match="finite"):
        check("x-same", float("nan"), how="exact", k=3)
    with pytest.raises(ValueError, match="finite"):
        check("x-most", 3, how="exact", trivial=9, k=np.array(float("inf")))


def test_the_registry_refuses_a_bad_entry():
    with pytest.raises(ValueError, match="twice"):
        theorem("x-most", where="")(lambda: 0)
    with pytest.raises(ValueError, match="lectures"):
        theorem("abc-word", where="")
    with pytest.raises(ValueError, match="relation"):
        theorem("x-new", where="", relation="!=")
    with pytest.raises(ValueError, match="evidence"):
        theorem("x-new", where="", evidence="exact luck")


def test_refute_passes_only_if_the_claim_fails(capsys):
    refute("cos511-E3", 0.75, "<=", 0)
    refute("cos511-E3", False, "==", True)
    refute("cos511-E3", 3, "<", 3)
    assert (
        capsys.readouterr().out.splitlines()[0]
        == "✗ cos511-E3 · the claim 0.75 ≤ 0 is false"
    )
    with pytest.raises(ValueError, match="erratum.*cos511-E99"):
        refute("cos511-E99", 1, "<=", 0)
    for relation in ("<=", "==", ">="):
        with pytest.raises(ClaimHolds):
            refute("cos511-E3", 3, relation, 3)


def test_a_violation_survives_a_process(tmp_path):
    with pytest.raises(BoundViolated) as caught:
        check("x-same", 1, how="exact", k=2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.id, str(again)) == ("x-same", str(caught.value))


def test_a_record_is_a_line_a_sentence_and_data():
    record = Record(
        "x-most", "adversary", 2**80, "<games>", "5/3", "≤", "2.5", 0.25, "errors"
    )
    forms = record._repr_mimebundle_()
    assert Record(**json.loads(json.dumps(forms[MIME]))) == record
    assert forms["text/plain"] == str(record)
    assert str(record) == (
        "✓ x-most · adversary · 1.209e+24 instances · 5/3 ≤ 2.5 · tightness 0.2500"
    )
    assert forms["text/html"] == (
        '<p class="check">✓ <a href="#x-most">x-most</a>: holds in all 1.2 × 10²⁴ '
        "&lt;games&gt;; the nearest has 5/3 errors, the bound is 2.5.</p>"
    )


@pytest.mark.parametrize(
    ("how", "relation", "sentence"),
    [
        (
            "random",
            "≥",
            "3 games; the nearest has 5, the lower bound is 4.",
        ),
        ("exact", "=", "all 3 games: both sides are equal."),
        (
            "steps",
            "<",
            "all 3 games; the nearest has 5, always less than 4.",
        ),
    ],
)
def test_the_sentence_says_what_was_compared(how, relation, sentence):
    record = Record("x-most", how, 3, "games", "5", relation, "4", 1.0)
    assert record.sentence() == f"holds in {sentence}"
    single = replace(record, instances=1).sentence()
    assert single.startswith("holds in one of the games")


def test_in_a_notebook_the_record_is_displayed():
    """In a kernel, all three forms arrive, once; elsewhere the line is printed."""
    cells = [
        "from olutil import check",
        "_ = check('kak-thm2.2', 1, how='exact', trivial=9, size=2)",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in cells]
    )
    NotebookClient(notebook, kernel_name="python3", timeout=60).execute()
    (output,) = notebook.cells[1].outputs
    assert output.output_type == "display_data"
    assert output.data["text/plain"].startswith("✓ kak-thm2.2 · exact · 1 instance ·")
    assert output.data[MIME]["instances"] == 1 and "<p" in output.data["text/html"]


BOXES = """
(x-most)=
```{prf:theorem} At most twice
$M \\le 2k$.
```

(x-word)=
:::{prf:definition} A word
It means itself.
:::
"""


def _notebook(path, records, source=""):
    outputs = [
        {"output_type": "display_data", "metadata": {}, "data": r._repr_mimebundle_()}
        for r in records
    ]
    outputs.append({"output_type": "stream", "name": "stdout", "text": str(records[0])})
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": source},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": "",
            "outputs": outputs,
        },
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}))


def test_the_ledger_reads_what_notebooks_printed(tmp_path, monkeypatch, capsys):
    toy = dict(_registry.STATEMENTS)
    monkeypatch.setattr(ledger, "STATEMENTS", toy)
    found = [
        Record("x-most", "random", 10, "games", "5", "≤", "6", 0.8333),
        Record("x-most", "exact", 10**30 + 2, "games", "6", "≤", "6", 1.0),
    ]
    _notebook(tmp_path / "book" / "a.ipynb", found, BOXES)
    built = Record("x-same", "exact", 1, "games", "3", "=", "3", None)
    _notebook(tmp_path / "book" / "_build" / "b.ipynb", [built])
    rows = {row["id"]: row for row in ledger.rows(tmp_path)}
    most = rows["x-most"]
    assert (most["instances"], most["how"]) == (10**30 + 12, ["random", "exact"])
    assert (most["observed"], most["tightness"], most["cell"]) == ("6", 1.0, 1)
    assert most["lacks"] == [] and rows["x-word"]["lacks"] == []
    assert (most["title"], most["text"]) == ("At most twice", "$M \\le 2k$.")
    word = rows["x-word"]
    assert (word["asserts"], word["page"]) == (False, "book/a.ipynb")
    assert rows["x-same"]["lacks"] == ["a box in the book", "a check"]
    assert ledger.main(["--root", str(tmp_path), "--missing"]) == 1
    assert "x-same: lacks a box" in capsys.readouterr().out
    assert ledger.main(["--root", str(tmp_path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    keys = "id lecture how instances observed bound tightness notebook".split()
    assert all(key in row for row in data for key in keys)


def test_ledger_of_the_wrong_folder(tmp_path, capsys):
    with pytest.raises(SystemExit):
        ledger.main(["--root", str(tmp_path)])
    assert "--root" in capsys.readouterr().err


def test_nothing_is_rounded_or_wraps_around_before_it_is_compared():
    for id, observed, k in (
        ("x-same", True, 1.5),
        ("x-least", True, 1.9),
        ("x-below", 2**63 - 1, -1),
        ("x-least", np.int8(-128), np.int8(100)),
    ):
        with pytest.raises(BoundViolated):
            check(id, observed, how="exact", k=k)
    check("x-below", np.uint8(3), how="exact", k=np.uint8(5))
    with pytest.raises(ClaimHolds):
        refute("cos511-E3", np.uint8(3), "<=", np.uint8(5))


@pytest.mark.parametrize(
    "bad",
    [
        np.array([Fraction(1), float("nan")], object),
        [Fraction(1), None],
        float("-inf"),
        "1",
        1 + 5j,
        np.ma.array([9, 1], mask=[1, 0]),
        [[1], [1, 2]],
    ],
)
def test_what_is_no_number_is_refused(bad):
    with pytest.raises(ValueError, match="observed: expected"):
        check("x-same", bad, how="exact", k=1)
    with pytest.raises(ValueError, match="observed: expected"):
        refute("cos511-E3", bad, "<=", -1)


def test_a_check_cannot_be_padded():
    with pytest.raises(TypeError, match="unknown.*instances"):
        check("x-same", [1, 1], how="exact", k=1, instances=10**30)
    with pytest.raises(ValueError, match="trivial"):
        check("x-most", 1, how="exact", k=3, trivial=[1, 2, 9])
    with pytest.raises(ValueError, match="observed"):
        check("x-same", [1, 1], how="exact", k=np.array([1, 1, 1]))
    with pytest.raises(ValueError, match="observed, claimed"):
        refute("cos511-E3", [], "<=", 0)


def test_the_worst_instance_is_named_however_close():
    tiny = Fraction(1, 10**400)
    with pytest.raises(BoundViolated, match="observed 1/1000"):
        check("x-same", np.array([0, tiny]), how="exact", k=0)


def test_the_ledger_names_a_broken_notebook_and_skips_copies(tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "STATEMENTS", dict(_registry.STATEMENTS))
    copies = tmp_path / "book" / ".ipynb_checkpoints"
    copies.mkdir(parents=True)
    (copies / "old.md").write_text(BOXES)
    (tmp_path / "book" / "a.ipynb").write_text(
        '{"cells": [{"cell_type": "code", "source": ""}]}'
    )
    rows = {row["id"]: row for row in ledger.rows(tmp_path)}
    assert rows["x-most"]["page"] is None and "x-word" not in rows
    for text in ("", "{}", "[]"):
        (tmp_path / "book" / "a.ipynb").write_text(text)
        with pytest.raises(ValueError, match="a.ipynb: expected a notebook"):
            ledger.rows(tmp_path)


def test_the_ledger_names_a_box_that_is_another_one_or_nobodys(tmp_path):
    book = tmp_path / "book"
    book.mkdir()
    (book / "a.md").write_text(BOXES)
    (book / "b.md").write_text(BOXES)
    with pytest.raises(ValueError, match=r"b.md: \(x-most\)= has a box in book/a.md"):
        ledger.rows(tmp_path)
    (book / "b.md").write_text(BOXES.replace("(x-", "(nobody-"))
    with pytest.raises(ValueError, match=r"b.md: \(nobody-most\)= must begin with one"):
        ledger.rows(tmp_path)
