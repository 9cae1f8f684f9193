"""Fixtures of the course side: a tiny set, the command, two kinds of database."""

import csv
import glob
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbgrader.api
import pytest
import sqlalchemy
import tiny

from grading import parallel, sandbox
from grading.__main__ import main


@dataclass
class Class:
    """A set, a folder of submissions, a folder of results, and the command."""

    folder: Path
    capsys: pytest.CaptureFixture
    db: str | None = None

    def __post_init__(self) -> None:
        self.exercises = tiny.exercises(self.folder / "exercises")
        self.handed_in = self.folder / "handed-in"
        self.handed_in.mkdir()
        self.out = self.folder / "out"

    def arguments(self, *more: object) -> list[str]:
        given = [
            tiny.NAME, "--exercises", self.exercises, "--submissions", self.handed_in,
            "--out", self.out,
        ]  # fmt: skip
        if self.db:
            given += ["--db", self.db]
        return [str(argument) for argument in (*given, *more)]

    def run(self, *more: object) -> str:
        """Grade, in this process unless told otherwise; what was printed."""
        more = more if {"--jobs", "--dask"} & set(more) else (*more, "--jobs", 1)
        self.code = main(self.arguments(*more))
        said = self.capsys.readouterr()
        return said.out + said.err

    def grades(self) -> dict[str, dict[str, str]]:
        with (self.out / "grades.csv").open(newline="", encoding="utf-8") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    def gradebook(self) -> nbgrader.api.Gradebook:
        url = self.db or f"sqlite:///{self.out.resolve()}/course/gradebook.db"
        return nbgrader.api.Gradebook(url)

    def mark(self, student: str, score: float, question: str = "proof") -> None:
        """Mark by hand, as nbgrader's formgrader enters it."""
        with self.gradebook() as gradebook:
            grade = gradebook.find_grade(question, tiny.NAME, tiny.NAME, student)
            grade.manual_score, grade.needs_manual_grade = score, False
            gradebook.db.commit()


@pytest.fixture
def classroom(tmp_path, capsys) -> Class:
    return Class(tmp_path, capsys)


@pytest.fixture
def quick(classroom, monkeypatch) -> Class:
    """The same with submissions judged by eye instead of in the sandbox."""
    monkeypatch.setattr(parallel, "mark_one", tiny.fake_mark)
    monkeypatch.setattr(sandbox, "preflight", lambda: True)
    return classroom


# --- A real Postgres -----------------------------------------------------


def _postgres() -> Path | None:
    found = shutil.which("pg_ctl") or max(
        glob.glob("/usr/lib/postgresql/*/bin/pg_ctl"), default=None
    )
    return Path(found).resolve().parent if found else None


@pytest.fixture(scope="session")
def postgres():
    """A private cluster on a socket in a folder of its own; its address."""
    programs = _postgres()
    if programs is None:
        why = "Postgres is not installed: apt-get install postgresql"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    # Not in pytest's folder: a socket's path is short, and root's are closed to others.
    folder = Path(tempfile.mkdtemp(prefix="olutil-pg-"))
    user = "nobody" if os.geteuid() == 0 else None  # Postgres refuses to run as root
    if user:
        shutil.chown(folder, user)

    def run(program, *arguments):
        subprocess.run(
            [programs / program, "-D", folder / "data", *arguments],
            check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    run("initdb", "-U", "teacher", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c fsync=off -k {folder}"
    run("pg_ctl", "-w", "-l", folder / "log", "-o", options, "start")
    try:
        yield f"postgresql+psycopg2://teacher@/{{}}?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def both(request, quick, tmp_path) -> Class:
    """A class whose gradebook is a file, and one whose gradebook is in Postgres."""
    if request.param == "postgres":
        address = request.getfixturevalue("postgres")
        name = f"g{abs(hash(str(tmp_path)))}"
        engine = sqlalchemy.create_engine(address.format("postgres"))
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            db.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
        engine.dispose()
        quick.db = address.format(name)
    return quick
