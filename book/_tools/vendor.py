"""Fetch the files of other projects that the site serves, and figures draw with.

The manifest beside this file, vendor.toml, names npm packages, their exact
versions and the files wanted; vendor.sha256 has the sum of each file, in the
form that ``sha256sum`` reads.  Without an argument the packages are fetched
with npm, so npm's own settings say where from, and files and sums are
written anew.  ``--check`` fetches nothing and compares what is there with
the manifest.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MANIFEST = HERE / "vendor.toml"
SUMS = HERE / "vendor.sha256"


def packages(manifest: Path = MANIFEST) -> list[dict]:
    """What the manifest asks for.

    Returns
    -------
    list of dict
        With the keys ``name``, ``version``, ``files``, a list of globs, and ``into``,
        the folder of this repository for the package's own folder.
    """
    return tomllib.loads(manifest.read_text("utf-8"))["package"]


def fetch(package: dict, root: Path) -> None:
    """Download one package and extract the files that it is wanted for.

    Parameters
    ----------
    package
        One item of `packages`.
    root
        Stands for this repository.

    Raises
    ------
    ValueError
        If a glob of the manifest matches no file of the package.
    """
    wanted = f"{package['name']}@{package['version']}"
    with tempfile.TemporaryDirectory() as scratch:
        packed = subprocess.run(
            ["npm", "pack", "--json", "--ignore-scripts", wanted],
            cwd=scratch,
            check=True,
            stdout=subprocess.PIPE,
        )
        archive = Path(scratch) / json.loads(packed.stdout)[0]["filename"]
        with tarfile.open(archive) as tar:
            # npm puts everything below one folder, mostly named "package".
            members = {m.name.partition("/")[2]: m for m in tar if m.isfile()}
            for glob in package["files"]:
                names = [name for name in members if fnmatchcase(name, glob)]
                if not names:
                    raise ValueError(f"vendor.toml: {wanted} has no file {glob!r}")
                for name in names:
                    target = root / home(package) / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(tar.extractfile(members[name]).read())


def home(package: dict) -> str:
    """The package's own folder, relative to the repository."""
    return f"{package['into']}/{package['name']}"


def sums(root: Path) -> dict[str, str]:
    """SHA-256 of every vendored file, by its path relative to the repository."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in sorted({package["into"] for package in packages()})
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


def write() -> None:
    """Fetch all packages, and replace the vendored files and their sums."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        for package in packages():
            fetch(package, fresh)
        for into in {package["into"] for package in packages()}:
            shutil.rmtree(ROOT / into, ignore_errors=True)
            shutil.copytree(fresh / into, ROOT / into)
    lines = (f"{digest}  {name}\n" for name, digest in sums(ROOT).items())
    SUMS.write_text("".join(lines), "utf-8")


def faults() -> Iterator[str]:
    """What differs between the manifest, the sums and the files.

    Yields
    ------
    str
        One sentence a fault.
    """
    stated = {}
    for line in SUMS.read_text("utf-8").splitlines():
        digest, _, name = line.partition("  ")
        stated[name] = digest
    found = sums(ROOT)
    for name in sorted(stated.keys() | found):
        if name not in found:
            yield f"{name} is missing"
        elif name not in stated:
            yield f"{name} has no sum in {SUMS.name}"
        elif stated[name] != found[name]:
            yield f"{name} is not the file that was vendored: its sum differs"
    for package in packages():
        prefix = f"{home(package)}/"
        files = {name.removeprefix(prefix) for name in found if name.startswith(prefix)}
        for glob in package["files"]:
            if not any(fnmatchcase(name, glob) for name in files):
                yield f"{package['name']}: nothing matches {glob!r} of the manifest"
        for name in sorted(files):
            if not any(fnmatchcase(name, glob) for glob in package["files"]):
                yield f"{package['name']}/{name} is not in the manifest"
        if not any(name.upper().startswith("LICEN") for name in files):
            yield f"{package['name']} has no licence"
    known = [home(package) for package in packages()]
    for name in sorted(found):
        if not any(name.startswith(f"{folder}/") for folder in known):
            yield f"{name} belongs to no package of the manifest"


def main() -> int:
    """Vendor, or check; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="compare only, and fetch nothing"
    )
    if not parser.parse_args().check:
        if not shutil.which("npm"):
            print("make vendor needs npm, which comes with Node.js.", file=sys.stderr)
            return 1
        write()
    found = list(faults())
    for fault in found:
        print(f"vendored: {fault}", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
