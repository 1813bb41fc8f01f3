"""A public class of the service has one meaning (CONTRIBUTING.md, Names)."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = "service/rules/games"
"""Each game is a package of its own, whose classes have the words of its rulebook."""


def test_no_two_public_classes_of_the_service_have_one_name() -> None:
    modules = [each for room in ("service", "workers") for each in sorted((ROOT / room).rglob("*.py"))]
    named = Counter(
        node.name
        for module in modules
        if GAMES not in module.as_posix()
        for node in ast.parse(module.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )

    assert len(named) > 500
    assert [name for name, times in named.items() if times > 1] == []
