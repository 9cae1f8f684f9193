"""The table of contents, read once for the tests of sources and of the site."""

from pathlib import Path

import yaml

TOC = Path(__file__).resolve().parent.parent / "_toc.yml"


def documents() -> list[str]:
    """The pages that the table of contents lists, as it writes them."""
    toc = yaml.safe_load(TOC.read_text(encoding="utf-8"))
    found = [toc["root"]]

    def visit(entries):
        for entry in entries:
            found.append(entry["file"])
            visit(entry.get("sections", []))

    visit(toc.get("chapters", []))
    for part in toc.get("parts", []):
        visit(part["chapters"])
    return found
