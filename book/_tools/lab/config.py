"""JupyterLab for the pages of this book: `make lab`."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import notebooks  # noqa: E402


def store(model: dict, path: str, contents_manager, **_) -> None:
    """Give a page of the book its normal form before it is saved.

    So what git shows is what has been changed, not that cells have run.
    """
    page = Path(contents_manager.root_dir, path).resolve()
    if page not in notebooks.find([]):
        return
    notebook = notebooks.nbformat.from_dict(model["content"])
    trusted = contents_manager.notary.check_cells(notebook)
    notebooks.shrink(notebooks.code_cells(notebook))
    model["content"] = notebooks.normalize(notebook)
    stored = {
        cell.id: cell.outputs for cell in notebooks.code_cells(notebooks.read(page))
    }
    for cell in notebooks.code_cells(notebook):
        cell.metadata["trusted"] = trusted  # which is not stored
        for at, old in enumerate(stored.get(cell.id, [])[: len(cell.outputs)]):
            if seen(cell.outputs[at]) == seen(old):
                cell.outputs[at] = old


def seen(output: dict) -> dict:
    """An output as it comes from a browser, which makes 3 of 3.0 in a record's data."""
    return json.loads(json.dumps(output), parse_int=float)


c = get_config()  # noqa: F821, jupyter's
c.ServerApp.root_dir = str(notebooks.BOOK)
c.FileContentsManager.pre_save_hook = store
c.LabApp.extra_labextensions_path = [str(HERE / "extensions")]
