"""Compare the document with the last release; `release` makes it that, if it breaks no promise and has a new number."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.contract.promises import breaks

FOLDER = Path(__file__).parent
COMMITTED = FOLDER.parents[1] / "openapi.yaml"
RELEASED = FOLDER / "released.yaml"
DECLARED = FOLDER / "declared.txt"
"""Breaks that are meant, one a line as they are printed; lines that begin with # say why."""


def main(
    words: Sequence[str], committed: Path = COMMITTED, released: Path = RELEASED, declared: Path = DECLARED
) -> int:
    """Print the broken promises that nobody has declared, or what is new under the number of the last release.

    Return 1 if there is any of either, and then release nothing.
    """
    new, old = _read(committed), _read(released)
    meant = set(declared.read_text(encoding="utf-8").splitlines())
    found = [] if _major(new) > _major(old) else [each for each in breaks(old, new) if each not in meant]
    name, last = new["info"]["version"], old["info"]["version"]
    added = list(breaks(new, old)) if name == last else []
    if found:
        print(f"Version {name} breaks what version {last} has promised:", *found, sep="\n  ")
        print(f"Keep the promise, raise the first number of the version, or declare the line in {declared.name}.")
        return 1
    if added:
        print(f"Version {last} was released before this. What is new, as if it were taken back:", *added, sep="\n  ")
        print("Raise the second number of the version, and say at /api/changes what is new.")
        return 1
    if list(words) == ["release"]:
        released.write_text(yaml.safe_dump(new, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8")
        declared.write_text(
            "# Breaks that are meant, one a line as `make lint-api` prints them, each with its reason.\n"
        )
        print(f"Version {name} is what the API promises from now on.")
    else:
        print(f"{committed.name}: keeps what version {last} has promised")
    return 0


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return document


def _major(document: dict[str, Any]) -> int:
    return int(document["info"]["version"].partition(".")[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
