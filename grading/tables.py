"""Tables that people write, as spreadsheets and systems for teaching save them."""

import csv
import io
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

SIZE = 20 << 20  # bytes
DELIMITERS = ",;\t|"
# How spreadsheets write what is not in Unicode; the first that fits, unless another one
# spells more of the words that are known.
CODE_PAGES = (
    "cp1252 cp1250 cp1251 cp1253 cp1254 cp932 euc_kr gb18030 big5 mac_roman".split()
)


@dataclass(frozen=True)
class Line:
    """A line of a table: its number, and its values by the header's words."""

    number: int
    values: dict[str, str]

    def first(self, *columns: str) -> str:
        """The first of these columns that has a value."""
        return next(filter(None, (self.values.get(c, "") for c in columns)), "")


def read(path: Path, what: str, known: Iterable[str] = ()) -> list[Line]:
    """The lines of a table below its header.

    Parameters
    ----------
    path : Path
    what : str
        The argument that named it, for what is raised.
    known : iterable of str
        Words that may stand in it, which tell its encoding where nothing else does.

    Raises
    ------
    ValueError
        If it cannot be read, or is no such table.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(
            f"{what}: expected a CSV file, got {path} ({error.strerror})"
        ) from None
    if data.startswith(b"PK\x03\x04"):
        raise ValueError(
            f"{what}: expected a CSV file, got {path}, which is a workbook: save it as "
            '"CSV UTF-8" in the spreadsheet'
        )
    if len(data) > SIZE:
        raise ValueError(f"{what}: expected at most {SIZE:,} bytes, got {len(data):,}")
    text = _decoded(data, {word for word in known if not word.isascii()})
    text = re.sub(r"\Asep=.\r?\n", "", text)  # a hint that Excel reads and writes
    top = text.lstrip("\r\n").splitlines()[:1]
    delimiter = max(DELIMITERS, key=top[0].count) if top else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise ValueError(f"{what}: expected a table, got {path} ({error})") from None
    rows = [
        (number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row))
    ]
    if not rows:
        raise ValueError(f"{what}: expected a table with a header, got nothing: {path}")
    header = [word(column) for column in rows[0][1]]
    return [
        Line(
            number, {k: " ".join(v.split()) for k, v in zip(header, row, strict=False)}
        )
        for number, row in rows
    ]


def word(column: str) -> str:
    """A column's name without what differs from one system to another."""
    return " ".join(re.findall(r"\w+", column.casefold()))


def _decoded(data: bytes, known: Collection[str]) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        texts = [data.decode(page, "replace") for page in CODE_PAGES]
        return max(texts, key=lambda text: sum(name in text for name in known))
