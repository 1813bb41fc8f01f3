"""The linters of the API's documents; `python -m tests.clients.linters` runs them on those that the service serves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from shutil import which

import yaml
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.api.document import client_document, document_with_examples
from service.api.mount import mount_api
from service.rules.registry import GAMES, find_rulesets

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PROGRAMS = FOLDER / "node_modules" / ".bin"
WHOLE, FOR_GENERATORS = "openapi.yaml", "openapi.client.yaml"
DOCUMENTS = (WHOLE, FOR_GENERATORS)
"""The names of the documents that the service serves."""

_QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "redocly": ("--format", "stylish", "--config"),
    "spectral": ("--fail-severity", "hint", "--ruleset"),
}
OF_NODE = ("redocly", "spectral")
"""The linters that need Node."""


@cache
def written(name: str) -> Path:
    """Write a document with the games of Boardroom as it is served, and return its path."""
    app = Flask(__name__)
    mount_api(app, find_rulesets(GAMES))
    text = {WHOLE: document_with_examples, FOR_GENERATORS: client_document}[name](app)
    path = FOLDER / "generated" / name
    path.parent.mkdir(exist_ok=True)
    # Another test process may read the file meanwhile.
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    return unfinished.replace(path)


def node_is_there() -> bool:
    """Say whether there is Node, and the linters that need it have been fetched (`make clients`)."""
    return which("node") is not None and all((PROGRAMS / name).exists() for name in OF_NODE)


def validate(document: Path) -> list[str]:
    """Return what openapi-spec-validator finds."""
    return [
        error.message
        for error in OpenAPIV31SpecValidator(yaml.load(document.read_text(), yaml.CSafeLoader)).iter_errors()
    ]


def lint(name: str, document: Path, rules: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a linter that needs Node on a document, with our own rules for it unless others are given."""
    command = [str(PROGRAMS / name), "lint", *_OPTIONS[name], str(rules or FOLDER / f"{name}.yaml"), str(document)]
    return subprocess.run(
        command, cwd=FOLDER, env={**os.environ, **_QUIET}, capture_output=True, text=True, check=False, timeout=120
    )


def findings(document: Path) -> Iterator[str]:
    """Return what any of the linters here says against the document."""
    yield from validate(document)
    for name in OF_NODE if node_is_there() else ():
        result = lint(name, document)
        if result.returncode:
            yield f"{name}:\n{result.stdout}{result.stderr}"


def main() -> int:
    """Lint the served documents; return 1 if there is any finding."""
    found = [f"{name}: {finding}" for name in DOCUMENTS for finding in findings(written(name))]
    print("\n".join(found) or f"{' and '.join(DOCUMENTS)}: no findings")
    if not node_is_there():
        print("Only openapi-spec-validator has looked at them: Redocly and Spectral need Node.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
