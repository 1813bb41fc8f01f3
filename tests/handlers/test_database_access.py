"""Rooms that answer people turn every error of the database into a refusal."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = ("service/api", "service/handlers", "service/views", "service/web")
ALLOWED: Final = {
    "service/api/operation.py": "a probe says itself that the database does not answer",
    "service/handlers/transaction.py": "turns the errors into refusals",
}


def bare(module: Path) -> list[int]:
    """Return the lines on which a module opens a connection by itself, whose errors would be a 500."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"connect", "begin"}
        and ast.unparse(node.func.value).endswith("engine")
    ]


def test_every_connection_is_opened_where_its_errors_become_refusals() -> None:
    modules = [each for room in ROOMS for each in sorted((ROOT / room).rglob("*.py"))]
    found = {name: lines for each in modules if (lines := bare(each)) and (name := str(each.relative_to(ROOT)))}
    assert found.keys() == ALLOWED.keys(), found
