"""Marking by hand in nbgrader's own formgrader, on what was graded here."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from test_report import HOSTILE, Active
from tiny import BOOK, RIGHT, hand_in

GUIDE = BOOK.parents[1] / "teaching" / "grading.md"

# Written answers and outputs of a student that want to run in the instructor's page.
PROOF = f"""It is so. {HOSTILE}

[click](javascript:alert(2)) <iframe srcdoc="<script>alert(3)</script>"></iframe>
$\\href{{javascript:alert(4)}}{{x}}$ <svg onload=alert(5)> <form action=x></form>
"""
SHOWS = f"""print({HOSTILE!r})
from types import SimpleNamespace
class Shown:
    def _repr_html_(self): return {HOSTILE!r}
    def __repr__(self): return {HOSTILE!r}
def double(x):
    return x + x
Shown()
"""


@pytest.fixture
def formgrader(classroom):
    """A graded class, and a Jupyter server with nbgrader's extension in its folder."""
    answers = RIGHT | {"proof": PROOF, "double-answer": SHOWS}
    hand_in(classroom.handed_in, "Zoë O'Brien", answers)
    classroom.run()
    course = classroom.out / "course"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = classroom.folder / "home"
    process = subprocess.Popen(
        [
            sys.executable, "-m", "jupyter", "server", "--allow-root", "--no-browser",
            f"--port={port}", "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={course}",
            "--IdentityProvider.token=secret", "--ServerApp.jpserver_extensions="
            "{'nbgrader.server_extensions.formgrader': True}",
        ],
        cwd=course, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(home), "JUPYTER_CONFIG_DIR": str(home)},
    )  # fmt: skip

    def ask(path: str, body: dict | None = None) -> str:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/formgrader/{path}",
            data=None if body is None else json.dumps(body).encode(),
            method="GET" if body is None else "PUT",
            headers={"Authorization": "token secret"},
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.read().decode()

    try:
        deadline = time.monotonic() + 300
        while True:
            try:
                ask("api/status")
                break
            except (urllib.error.URLError, ConnectionError):
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.2)
        yield classroom, ask
    finally:
        process.terminate()
        process.wait(timeout=300)


def test_a_proof_is_marked_in_formgrader(formgrader):
    classroom, ask = formgrader
    student = "Zoë O'Brien"

    # The list for marking by hand, and the page of the submission.
    (listed,) = json.loads(ask("api/submitted_notebooks/tiny/tiny"))
    assert listed["student"] == student and listed["needs_manual_grade"]
    page = ask(f"submissions/{listed['id']}/")
    assert "It is so." in page and "doubles a negative number" in page

    # Its only active parts are nbgrader's own: the same as for an answer without any.
    assert "alert(1)" in page, "the answer is shown, as text"
    active = [what for what in Active(page).found if what != "script"]
    assert not [what for what in active if "alert" in what]
    scripts = re.findall(r"<script\b[^>]*>(.*?)</script>", page, re.DOTALL)
    assert not any("alert" in script for script in scripts)
    assert "iframe" not in active and "svg" not in active and "form" not in active
    links = re.findall(r"href=[\"']([^\"']*)", page)
    assert not any(link.strip().lower().startswith("javascript") for link in links)

    # A mark and a comment, through the API that the page itself uses.
    grades = json.loads(ask(f"api/grades?submission_id={listed['id']}"))
    proof = next(grade for grade in grades if grade["name"] == "proof")
    assert proof["needs_manual_grade"] and proof["max_score"] == 3
    saved = json.loads(
        ask(f"api/grade/{proof['id']}", {"manual_score": 2.5, "extra_credit": None})
    )
    assert saved["manual_score"] == 2.5 and not saved["needs_manual_grade"]
    comments = json.loads(ask(f"api/comments?submission_id={listed['id']}"))
    comment = next(c for c in comments if c["name"] == "proof")
    ask(f"api/comment/{comment['id']}", {"manual_comment": "Say why it ends."})

    # Another run keeps both, and so does a regrade.
    assert "1 unchanged" in classroom.run()
    checks = classroom.exercises / "checks" / "tiny.py"
    checks.write_text(checks.read_text() + "\n# changed\n")
    assert "1 to grade" in classroom.run()
    row = classroom.grades()[student]
    assert (row["proof"], row["total"]) == ("2.5", "6.5")
    feedback = (classroom.out / "feedback" / f"{student}.html").read_text()
    assert "Say why it ends." in feedback and not Active(feedback).found

    # Another proof waits to be marked again, and a button confirms the mark it has:
    # typing the same number changes nothing, so the page would save nothing.
    hand_in(classroom.handed_in, student, RIGHT)
    classroom.run()
    page = ask(f"submissions/{listed['id']}/")
    assert re.search(r"<button[^>]* mark-graded\"[^>]*>Resolve</button>", page)
    assert "click *Resolve*" in GUIDE.read_text(encoding="utf-8")
    (again,) = [
        grade
        for grade in json.loads(ask(f"api/grades?submission_id={listed['id']}"))
        if grade["name"] == "proof"
    ]
    assert again["needs_manual_grade"] and again["manual_score"] == 2.5
    same = {"manual_score": 2.5, "extra_credit": None}  # what the button sends
    saved = json.loads(ask(f"api/grade/{again['id']}", same))
    assert not saved["needs_manual_grade"]
