"""Measure how the code is cut, beside the aims: `make shape`, or `python -m tests.tools.shape REVISION`.

Migrations are left out. Lines of imports include their continuation lines. The aims are for the whole: nobody is held
to a single file.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from statistics import mean, median
from typing import Final, NamedTuple

PRODUCT: Final = ("service/", "workers/", "schemas/")
MIGRATIONS: Final = "/migrations/versions/"
TERM: Final = "training"
"""A boolean term of a table, whose name nothing else has."""
FEATURE: Final = "friend"


class Module(NamedTuple):
    """Figures of a Python file: lines, lines of imports, and the length of each function."""

    path: str
    lines: int
    imports: int
    functions: tuple[int, ...]


class Tree:
    """Files of a revision, or of the work tree."""

    def __init__(self, revision: str | None) -> None:
        self._revision = revision

    def paths(self) -> list[str]:
        """List all files that belong to the project."""
        listed = ["ls-tree", "-r", "--name-only", self._revision] if self._revision else ["ls-files"]
        return _git(*listed).splitlines()

    def read(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of files."""
        if not self._revision:
            return {path: Path(path).read_text(encoding="utf-8") for path in paths}
        archive = subprocess.run(["git", "archive", self._revision], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            return {path: files.extractfile(path).read().decode() for path in paths}  # type: ignore[union-attr]

    def naming(self, word: str, *suffixes: str) -> int:
        """Count the files of the product that use a word in their code; texts and migrations apart."""
        places = [f"{room}*{suffix}" for room in PRODUCT for suffix in suffixes]
        found = _git("grep", "-lE", word, *([self._revision] if self._revision else []), "--", *places, check=False)
        return sum(MIGRATIONS not in path and "/docs/" not in path for path in found.splitlines())


def _git(*command: str, check: bool = True) -> str:
    return subprocess.run(["git", *command], check=check, capture_output=True, text=True).stdout


def measured(path: str, text: str) -> Module:
    """Return the figures of a Python file."""
    tree = ast.parse(text)
    imports = sum(_length(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    functions = tuple(
        _length(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return Module(path, text.count("\n"), imports, functions)


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def shape(tree: Tree) -> Iterable[tuple[str, str, str]]:
    """Yield figures: name, value, aim."""
    paths = tree.paths()
    python = [path for path in paths if path.endswith(".py") and MIGRATIONS not in path]
    modules = [measured(path, text) for path, text in tree.read(python).items()]
    product = [each for each in modules if each.path.startswith(PRODUCT)]
    tests = [each for each in modules if each.path.startswith("tests/")]
    yamls = [path for path in paths if path.startswith("openapi") and path.endswith(".yaml")]
    lengths = [length for each in product for length in each.functions]

    yield "product: Python files", f"{len(product):,}", "450"
    yield "product: lines", f"{_total(product, _lines):,}", "90,000"
    yield "product: share of imports", f"{_total(product, _imports) / _total(product, _lines):.1%}", "6 %"
    yield "product: median lines of a file", f"{median(map(_lines, product)):.0f}", ""
    yield "product: lines of a function, mean", f"{mean(lengths):.1f}", ""
    yield "tests: Python files", f"{len(tests):,}", "400"
    yield "tests: lines", f"{_total(tests, _lines):,}", "75,000"
    yield "contract: lines of YAML", f"{sum(text.count(chr(10)) for text in tree.read(yamls).values()):,}", "21,000"
    yield "catalogs: files", f"{sum(path.endswith('.po') for path in paths)}", "12"
    yield f"files that name a boolean term ({TERM})", str(tree.naming(rf"\b{TERM}\b", ".py", ".html")), "5"
    yield f"files that name a feature ({FEATURE})", str(tree.naming(FEATURE, ".py")), "10"


def _lines(module: Module) -> int:
    return module.lines


def _imports(module: Module) -> int:
    return module.imports


def _total(modules: Iterable[Module], figure: Callable[[Module], int]) -> int:
    return sum(map(figure, modules))


def main(revisions: list[str]) -> None:
    """Print the figures of the work tree, or of each revision, beside the aims."""
    columns = [list(shape(Tree(each))) for each in revisions or [None]]
    print(f"{'':44}" + "".join(f"{each[:12]:>14}" for each in revisions or ["now"]) + f"{'aim':>14}")
    for rows in zip(*columns, strict=True):
        print(f"{rows[0][0]:44}" + "".join(f"{row[1]:>14}" for row in rows) + f"{rows[0][2]:>14}")


if __name__ == "__main__":
    main(sys.argv[1:])
