"""The notebooks' Markdown reads well wherever it is opened, not on the site alone.

JupyterLab with jupyterlab-myst shows directives and equations' numbers; an editor and a
host of code show the text between colon fences as text, and set its formulas.  What
leads to another place is a link, which all of them follow.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parent.parent / "book"
NOTEBOOKS = sorted(
    path
    for path in BOOK.rglob("*.ipynb")
    if not any(p.startswith((".", "_")) for p in path.relative_to(BOOK).parts)
    and path.parent.name != "source"  # which nobody reads: what is released is tested
)
ROLE = re.compile(r"\{(?!eq\})[\w:-]+\}`[^`\n]+`")
FENCE = re.compile(r"^ *(?:`{3,}|~{3,})\{.*", re.MULTILINE)
LINK = re.compile(r"\]\(((?!https?:)[^)\s]*)\)")
# Where a part of a page is named: a target, an exercise, a figure.
NAMED = r"^\({0}\)=|^:label: {0}$|\"name\": \"{0}\""


@cache
def text(path: Path) -> str:
    """The Markdown of a page, and of a notebook the metadata of its cells as well."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    said = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    return "\n".join(said + [json.dumps(cell["metadata"]) for cell in cells])


def raw(markdown: str) -> list[str]:
    """What some reader would see as it is typed."""
    return ROLE.findall(markdown) + FENCE.findall(markdown)


def broken(markdown: str, folder: Path) -> list[str]:
    """The links that lead to no file, or to no part of theirs."""
    return [link for link in LINK.findall(markdown) if not leads(link, folder)]


def leads(link: str, folder: Path) -> bool:
    page, _, part = link.partition("#")
    if not page:
        return True  # within the page, which Sphinx checks
    path = folder / page
    if not path.is_file() or not part:
        return path.is_file()
    if path.stem == "references":
        bibliography = (BOOK / "references.bib").read_text(encoding="utf-8")
        return re.search(rf"^@\w+\{{{part},", bibliography, re.MULTILINE) is not None
    if path.stem == "glossary":
        name = part.removeprefix("term-").replace("-", "[ -]")
        return re.search(rf"^{name}$", text(path), re.MULTILINE) is not None
    named = NAMED.format(re.escape(part))
    return re.search(named, text(path), re.MULTILINE) is not None


@pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=lambda p: p.relative_to(BOOK).with_suffix("").as_posix()
)
def test_a_notebook_reads_well_anywhere(path):
    assert raw(text(path)) == []
    assert broken(text(path), path.parent) == []


def test_what_is_raw_is_found():
    typed = "{ref}`x <y>`, {cite:t}`a`, {eq}`e`, $\\text{a}`$\n```{prf:proof}\nx\n```\n"
    assert raw(typed) == ["{ref}`x <y>`", "{cite:t}`a`", "```{prf:proof}"]
    assert raw(":::{prf:lemma} One\n$x$ and {eq}`e`\n```python\n```\n:::") == []


def test_broken_links_are_found():
    right = [
        "[a](../errata.ipynb#kak-E8)", "[a](kakade.ipynb#kak-thm2.2)", "[a](#anything)",
        "[a](../glossary.md#term-best-expert)", "[a](../references.md#littlestone1988)",
        "[a](kakade.ipynb#ex-kakade-7)", "[a](kakade.ipynb)", "[a](https://x.org/y)",
    ]  # fmt: skip
    wrong = [
        "errata.ipynb#kak-E8", "../errata.ipynb#kak-E99", "kakade.ipynb#kak-thm2",
        "../glossary.md#term-luck", "../references.md#littlestone", "kakade.md",
        "chandola.ipynb#kak-thm2.2",
    ]  # fmt: skip
    markdown = " ".join(right + [f"[b]({link})" for link in wrong])
    assert broken(markdown, BOOK / "lectures") == wrong
