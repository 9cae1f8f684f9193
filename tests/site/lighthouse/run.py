"""Lighthouse's scores for three pages on a phone: `make lighthouse`.

No part of `make test`, since performance is a timing: a busy machine measures another
one.  It fails if another score is below 100.
"""

import gzip
import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent)]
from built import SITE  # noqa: E402
from web import Handler, chromium, serve  # noqa: E402

# Each with the performance that is wanted of it, on an idle machine.
PAGES = {"index": 95, "lectures/kakade": 90, "lectures/cos511-experts": 90}
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")


class Compressing(Handler):
    """Serves text compressed, as hosts do."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        kind = self.guess_type(path)
        if not path.is_file() or not kind.startswith(("text/", "application/j")):
            return super().send_head()
        data = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return BytesIO(data)


def lighthouse(address: str) -> dict:
    """Lighthouse's report on a page."""
    command = [
        str(HERE / "node_modules" / ".bin" / "lighthouse"),
        address,
        "--output=json",
        "--quiet",
        "--chrome-flags=--headless --no-sandbox --disable-gpu",
        f"--only-categories={','.join(CATEGORIES)}",
    ]
    environment = os.environ | {"CHROME_PATH": chromium(shell=False)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def lost(report: dict, category: str) -> list[str]:
    """The audits that cost a page points."""
    parts = report["categories"][category]["auditRefs"]
    audits = [report["audits"][part["id"]] for part in parts if part["weight"]]
    return [audit["title"] for audit in audits if (audit["score"] or 0) < 0.9]


def main() -> int:
    low = False
    print(f"{'':26}", *(f"{name:>15}" for name in CATEGORIES))
    with serve(SITE, Compressing) as address:
        for page, performance in PAGES.items():
            report = lighthouse(f"{address}{page}.html")
            scores = {
                name: round(100 * report["categories"][name]["score"])
                for name in CATEGORIES
            }
            print(f"{page:26}", *(f"{score:15}" for score in scores.values()))
            for name, score in scores.items():
                if score < (performance if name == "performance" else 100):
                    low |= name != "performance"
                    print(f"  {name}:", "; ".join(lost(report, name)))
    print("wanted: 100 each; for performance, on an idle machine,", PAGES)
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
