"""Which keys of the catalogs the code names: `say(language, "table")`, and composed ones (`f"problem-{what}-text"`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jinja2 import Environment

_HOLE: Final = "(.+)"


@dataclass(frozen=True, slots=True)
class Usage:
    """The literals of the code, and patterns for those that are composed of a fixed part and others."""

    literals: frozenset[str]
    composed: tuple[re.Pattern[str], ...]

    def names(self, key: str) -> bool:
        """Return whether the code names the key: as it is, or composed of literals."""
        return key in self.literals or any(
            all(map(self._joined, found.groups())) for pattern in self.composed if (found := pattern.fullmatch(key))
        )

    def _joined(self, words: str) -> bool:
        """Return whether the words are a literal, or two with a hyphen between them."""
        hyphens = (place for place, each in enumerate(words) if each == "-")
        return words in self.literals or any(
            words[:place] in self.literals and words[place + 1 :] in self.literals for place in hyphens
        )


def usage(*folders: Path) -> Usage:
    """Return what the Python modules and the templates below the folders name."""
    literals: set[str] = set()
    composed: set[str] = set()
    for folder in folders:
        for path in folder.rglob("*.py"):
            _of_module(ast.parse(path.read_text()), literals, composed)
        for path in folder.rglob("*.html"):
            _of_template(path.read_text(), literals, composed)
    return Usage(frozenset(literals), tuple(map(re.compile, composed)))


def _of_module(module: ast.Module, literals: set[str], composed: set[str]) -> None:
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            literals.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            _compose([str(part.value) if isinstance(part, ast.Constant) else None for part in node.values], composed)


def _of_template(template: str, literals: set[str], composed: set[str]) -> None:
    lexed = Environment().lex(template)  # noqa: S701 # the template is only read, and nothing is rendered
    tokens = [(kind, value) for _, kind, value in lexed if kind != "whitespace"]
    for before, (kind, value), after in zip([("", ""), *tokens], tokens, [*tokens[1:], ("", "")], strict=False):
        if kind == "string":
            literals.add(value[1:-1])
            joined = [None] * (before[1] == "~"), [None] * (after[1] == "~")
            _compose([*joined[0], value[1:-1], *joined[1]], composed)
        elif kind == "integer":
            literals.add(value)


def _compose(parts: Sequence[str | None], composed: set[str]) -> None:
    """Add the pattern of a composed text, if its fixed part could be that of a key and says anything."""
    fixed = "".join(part for part in parts if part is not None)
    if None in parts and re.fullmatch(r"[a-z_-]+", fixed) and re.search("[a-z]{2}", fixed):
        composed.add("".join(_HOLE if part is None else re.escape(part) for part in parts))
