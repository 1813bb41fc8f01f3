"""The pages of docs/ as the tests read them: their fenced blocks, in order.

`python -m tests.rules.pages` puts the files of Three Harbours into docs/add-a-game.md as they are now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
GAME = ROOT / "tests" / "games" / "three_harbours"
FENCED = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, the file that it shows (None: none), and its text."""

    language: str
    file: str | None
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    yield from (Block(*found) for found in (match.groups() for match in FENCED.finditer(page.read_text())))


def refresh(page: Path) -> None:
    """Write the files that a page shows into it as they are now."""

    def shown(block: re.Match[str]) -> str:
        language, file, _ = block.groups()
        return f"```{language} {file}\n{(GAME / file).read_text()}```" if file else block[0]

    page.write_text(FENCED.sub(shown, page.read_text()))


if __name__ == "__main__":
    refresh(ROOT / "docs" / "add-a-game.md")
