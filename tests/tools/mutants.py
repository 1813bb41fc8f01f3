"""Mutation tests: apply each mutant of `mutants.toml` to a copy of the tree, and run the tests that have to kill it.

A mutant names no module: its file is the one in which its old text stands. So the list survives moves of modules.
A name of a test is `folder/test_name`, and is looked for in all modules of that folder of `tests/`.
The working tree is never changed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).parents[2]
MUTANTS = Path(__file__).with_suffix(".toml")
PRODUCT = ("service", "schemas", "workers")
TIMEOUT_S = 300
TESTS_FAILED = 1  # pytest's exit code; all others but 0 say that it could not run the tests


class Unusable(Exception):
    """A mutant that cannot be applied or judged: the text or a test has changed."""


@dataclass(frozen=True)
class Mutant:
    """One fault: `old` becomes `new`. White space in `old` matches any other; `survives` is why no test can kill it."""

    name: str
    area: str
    old: str
    new: str
    tests: tuple[str, ...]
    survives: str = ""


@dataclass(frozen=True)
class Result:
    mutant: Mutant
    verdict: str  # killed, survived, or unusable
    detail: str

    @property
    def as_expected(self) -> bool:
        return self.verdict == "killed" or (self.verdict == "survived" and bool(self.mutant.survives))


class Sources:
    """The text of all product and test modules, read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.product = {path: path.read_text() for name in PRODUCT for path in sorted((root / name).rglob("*.py"))}
        self.tests = {path: path.read_text() for path in sorted((root / "tests").rglob("test_*.py"))}

    def mutated(self, mutant: Mutant) -> tuple[Path, str]:
        """Return the module that a mutant changes, relative to the root, and its text with the change."""
        pattern = re.compile(r"\s+".join(re.escape(word) for word in mutant.old.split()))
        found = [(path, match) for path, text in self.product.items() for match in pattern.finditer(text)]
        if not found:
            raise Unusable("not found: the text has changed")
        if len(found) > 1:
            raise Unusable("not unique: " + ", ".join(str(path.relative_to(self.root)) for path, _ in found))
        [(path, match)] = found
        text = self.product[path]

        # Further lines of the new text are indented as the line in which the old text begins.
        line = text[text.rfind("\n", 0, match.start()) + 1 :]
        indent = line[: len(line) - len(line.lstrip(" "))]
        new = mutant.new.strip().replace("\n", "\n" + indent)
        changed = text[: match.start()] + new + text[match.end() :]
        try:
            compile(changed, path, "exec")
        except SyntaxError as error:
            raise Unusable(f"its new text is not Python: {error}") from None
        return path.relative_to(self.root), changed

    def nodes(self, mutant: Mutant) -> list[str]:
        """Return pytest's ids of the tests that have to kill a mutant."""
        nodes = []
        for each in mutant.tests:
            folder, _, name = each.rpartition("/")
            # A test is a function of a module, or a method of a class: the last one that begins before.
            defined = re.compile(rf"^(?:    )?def {re.escape(name)}\(", re.MULTILINE)
            found = []
            for path, text in self.tests.items():
                match = defined.search(text) if path.is_relative_to(self.root / "tests" / folder) else None
                if match:
                    classes = re.findall(r"^class (\w+)", text[: match.start()], re.MULTILINE)
                    inside = [classes[-1]] if match[0].startswith(" ") else []
                    found.append("::".join([str(path.relative_to(self.root)), *inside, name]))
            if not found:
                raise Unusable(f"no test is called {each}")
            nodes += found
        return nodes


def load() -> list[Mutant]:
    tables: list[dict[str, Any]] = tomllib.loads(MUTANTS.read_text())["mutant"]
    mutants = [Mutant(**{**table, "tests": tuple(table["tests"])}) for table in tables]
    repeated = [name for name, count in Counter(mutant.name for mutant in mutants).items() if count > 1]
    assert not repeated, f"names that stand twice: {repeated}"
    return mutants


def copy_tree(target: Path) -> None:
    """Copy what git knows or would add, with the changes that are not committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def run_python(copy: Path, *arguments: str, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, so that its modules come before those of the project that the environment points to."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        cwd=copy,
        env=environment,
        text=True,
        capture_output=True,
        timeout=timeout,
    )


def run_tests(
    copy: Path, nodes: list[str], *options: str, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    fixed = ("-n", "0", "-m", "", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=short")
    return run_python(copy, "-m", "pytest", *fixed, *options, *nodes, timeout=timeout)


def failed_tests(output: str) -> list[str]:
    """Return the names of the tests that pytest's summary calls failed, without their parameters."""
    return re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", output, re.MULTILINE)


def check_imports(copy: Path) -> None:
    """Make sure that tests in a copy import the copy: the project is installed in its environment, too."""
    paths = ", ".join(f"*{name}.__path__" for name in PRODUCT)
    imported = run_python(copy, "-c", f"import {', '.join(PRODUCT)}; print({paths}, sep='\\n')").stdout.splitlines()
    assert imported == [str(copy / name) for name in PRODUCT], f"{copy} imports {imported}"


def write_module(path: Path, text: str) -> None:
    """Write a module and drop its bytecode, which Python would take for current within the same second."""
    path.write_text(text)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def judge(sources: Sources, mutant: Mutant, copies: SimpleQueue[Path]) -> Result:
    """Run the tests of a mutant in a copy that nobody else uses meanwhile."""
    copy = copies.get()
    try:
        path, text = sources.mutated(mutant)
        nodes = sources.nodes(mutant)
        write_module(copy / path, text)
        try:
            run = run_tests(copy, nodes, "-x", timeout=TIMEOUT_S)
        finally:
            write_module(copy / path, sources.product[ROOT / path])
    except Unusable as unusable:
        return Result(mutant, "unusable", str(unusable))
    except subprocess.TimeoutExpired:
        return Result(mutant, "unusable", f"its tests took more than {TIMEOUT_S} s")
    finally:
        copies.put(copy)
    failed = failed_tests(run.stdout)
    if run.returncode == TESTS_FAILED and failed:
        return Result(mutant, "killed", f"killed by {failed[0]}")
    if run.returncode == 0:
        return Result(mutant, "survived", "SURVIVED" + (f" as known: {mutant.survives}" if mutant.survives else ""))
    return Result(mutant, "unusable", f"pytest could not run: {(run.stdout + run.stderr)[-2000:]}")


def unusable_mutants(sources: Sources, mutants: list[Mutant]) -> list[Result]:
    """Return those whose text or tests are no longer there; takes no test run."""
    results = []
    for mutant in mutants:
        try:
            sources.mutated(mutant)
            sources.nodes(mutant)
        except Unusable as unusable:
            results.append(Result(mutant, "unusable", str(unusable)))
    return results


def print_summary(results: list[Result]) -> None:
    print(f"\n{'area':<12}{'mutants':>8}{'killed':>8}{'survived':>10}{'unusable':>10}")
    for area in [*dict.fromkeys(result.mutant.area for result in results), "all"]:
        counts = Counter(result.verdict for result in results if area in (result.mutant.area, "all"))
        row = counts.total(), counts["killed"], counts["survived"], counts["unusable"]
        print(f"{area:<12}{row[0]:>8}{row[1]:>8}{row[2]:>10}{row[3]:>10}")


def print_result(result: Result) -> None:
    print(f"{result.mutant.area}: {result.mutant.name}: {result.detail}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="See that a test notices each fault of mutants.toml.")
    parser.add_argument("words", nargs="*", help="take only mutants whose area or name has one of these words in it")
    parser.add_argument("--jobs", type=int, default=2, help="mutants that are tested at the same time (default: 2)")
    parser.add_argument("--check", action="store_true", help="only look whether all texts and tests are there")
    options = parser.parse_args()
    mutants = [
        mutant
        for mutant in load()
        if not options.words or any(word in f"{mutant.area} {mutant.name}" for word in options.words)
    ]
    sources = Sources(ROOT)
    gone = unusable_mutants(sources, mutants)
    if options.check:
        for result in gone:
            print_result(result)
        print(f"{len(mutants) - len(gone)} of {len(mutants)} mutants have their text and their tests")
        return 1 if gone else 0

    with tempfile.TemporaryDirectory(prefix="boardroom-mutants-", ignore_cleanup_errors=True) as folder:
        # PostgreSQL's own user has to pass through the folder when this runs as root.
        Path(folder).chmod(0o711)
        first = Path(folder).resolve() / "0"
        copy_tree(first)
        check_imports(first)

        # A test that fails without a mutant would kill every mutant.
        usable = [mutant for mutant in mutants if mutant not in {result.mutant for result in gone}]
        nodes = sorted({node for mutant in usable for node in sources.nodes(mutant)})
        spread = ("-n", str(options.jobs), "--dist", "loadfile")
        baseline = run_tests(first, nodes, *spread) if nodes else None
        if baseline and baseline.returncode:
            print(baseline.stdout[-4000:], baseline.stderr[-2000:])
            print("These tests fail without a mutant: " + ", ".join(failed_tests(baseline.stdout)))
            return 1

        # Further copies have the bytecode that the first one has by now.
        copies: SimpleQueue[Path] = SimpleQueue()
        copies.put(first)
        for number in range(1, options.jobs):
            copies.put(shutil.copytree(first, first.with_name(str(number)), symlinks=True))

        results = []
        with ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(lambda mutant: judge(sources, mutant, copies), mutants):
                print_result(result)
                results.append(result)
    print_summary(results)
    unexpected = [result for result in results if not result.as_expected]
    if unexpected:
        print("\nTo mend: " + ", ".join(result.mutant.name for result in unexpected))
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
