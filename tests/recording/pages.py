"""The files that the book becomes: made alike each time but for the cards, and without anybody's token."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from string import ascii_lowercase

from tests.recording.scribe import Book

FIRST_MOMENT = datetime(2026, 1, 5, 18, 30, tzinfo=UTC)

_MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)"
_MADE_UP: dict[str, Callable[[int], str]] = {
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}": lambda n: f"019b8e20-0000-7000-8000-{n:012d}",
    r"brd_[0-9A-Za-z]{36}": lambda n: f"brd_example{n:029d}",
    r"whsec_[0-9A-Za-z+/]{32,}={0,2}": lambda n: f"whsec_example{n:025d}",
    r"brd_…\w{4}": lambda n: f"brd_…{n:04d}",
    r"(?:(?<=/join/)|(?<=/streams/)|(?<=/account-streams/)|(?<=/calendar/)|(?<=sign_in\": \"))[a-z2-7]{26}": lambda n: (
        f"example{ascii_lowercase[n - 1] * 19}"
    ),
    r"(?<=push_key\": \")[\w-]{87}": lambda n: f"Bexample{n:079d}",
    _MOMENT: lambda n: f"{FIRST_MOMENT + timedelta(minutes=n):%Y-%m-%dT%H:%M:%SZ}",
}
"""What differs between two recordings, and what the n-th of its kind becomes."""


def pages(book: Book) -> dict[str, str]:
    """Return the text of each file by its path below the folder of the examples."""
    notes = {f"{name}.json": dict(sorted(note.items())) for name, note in sorted(book.notes.items())}
    problems = {f"problems/{code}.json": problem for code, problem in sorted(book.problems.items())}
    messages = {f"messages/{kind}.json": message for kind, message in sorted(book.messages.items())}
    examples = notes | problems | messages
    written = {path: json.dumps(each, indent=1, ensure_ascii=False) for path, each in examples.items()}
    found: dict[str, dict[str, str]] = {pattern: {} for pattern in _MADE_UP}
    # What came later is to be later in the examples too.
    moments = {moment for text in written.values() for moment in re.findall(_MOMENT, text)}
    for moment in sorted(moments, key=datetime.fromisoformat):
        found[_MOMENT][moment] = _MADE_UP[_MOMENT](len(found[_MOMENT]) + 1)
    return {path: f"{_settled(text, found)}\n" for path, text in written.items()}


def write(book: Book, folder: Path) -> None:
    """Write the files, and remove those that are no longer there."""
    made = pages(book)
    for path in [path for path in folder.rglob("*.json") if str(path.relative_to(folder)) not in made]:
        path.unlink()
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _settled(text: str, found: dict[str, dict[str, str]]) -> str:
    for pattern, make in _MADE_UP.items():
        known = found[pattern]
        text = re.sub(pattern, lambda match: known.setdefault(match[0], make(len(known) + 1)), text)  # noqa: B023
    return text
