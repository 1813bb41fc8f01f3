"""Reads a line of notation part by part from the left; a part that cannot be read raises Unreadable."""

from __future__ import annotations

import re
from typing import NoReturn, TypeVar, cast

from service.rules.games.new_corp_order.actions import Card
from service.rules.games.new_corp_order.lexicon import (
    COLOURS,
    CONSULTANTS,
    HEADS,
    NOISE,
    SOURCES,
    UNIFIED,
    USED_CONSULTANTS,
    Lexicon,
    Reader,
)
from service.rules.games.new_corp_order.terms import Colour, Consultant, Source, Square
from service.rules.kernel import Unreadable

T = TypeVar("T")

LONGEST = 200
SPACES = {ord("\t"): " ", ord("\u00a0"): " "}

EXAMPLES = {
    "": "P 2 D | I 3R B2 =D | T A1-B1 3 | X RK | skip",
    "P": "P 2 D",
    "I": "I 3R B2 =D | M I 2R+K B2 | L I 2R B2 1K C3",
    "T": "T A1-B1 3 | D T A1-B1 3",
    "X": "X RRK",
    "BN": "BN A1-B1 A1-C2",
    "GM": "GM @1 2R",
    "PM": "PM R @1 K'",
    "AA": "AA @0 RK",
    "SM": "SM @1 R'",
    "OM": "OM A1 C3",
    "VM": "VM B2 2",
    "PP": "PP R",
    "NC": "NC B2 2",
    "C": "C RK",
    "A": "A B2 C3",
}

NUMBER = re.compile(r"[0-9]{1,2}")
SQUARE = re.compile(r"[a-d][1-4]")
HQ = re.compile(r"(?:@|seat|hq|qg|sitz|siege)\s*([0-9])")
PLUS = re.compile(r"\+")
TO = re.compile(r"-")
ROTATED = re.compile(r"\s*'")
GLUED = re.compile(r"[^\s\d]+")
NO_PART = re.compile(r"[^\s\d]")
TAKE = re.compile(r"=|take(?![^\W\d_])")


class NotedLine:
    """A text and how far it has been read; every method that returns a part reads it, or fails."""

    def __init__(self, text: str) -> None:
        self.original = "".join(each if each.isprintable() else " " for each in text.strip())
        # The one capital whose small letter takes two characters (U+0130) would shift all that follows.
        self.text = self.original.replace("İ", "I").lower().translate(UNIFIED)
        self.at = self.begun = 0
        self.example = EXAMPLES[""]
        if len(text) > LONGEST or not text.strip().translate(SPACES).isprintable():
            self.fail()

    def used_consultant(self) -> Consultant | None:
        """Read the consultant in front of an Infiltrate or a Takeover, if there is one."""
        return self._word(USED_CONSULTANTS)

    def taken_consultant(self) -> Consultant | None:
        """Read `=D`, the consultant taken, if the line goes on with one."""
        if self._match(TAKE) is None:
            return None
        return self._need(CONSULTANTS)

    def head(self) -> str:
        """Read what kind of action the line is."""
        self._skip_noise()
        self.begun = self.at
        head = self._need(HEADS)
        self.example = EXAMPLES.get(head, head)
        return head

    def number(self) -> int | None:
        """Read a number, if there is one."""
        found = self._match(NUMBER)
        return None if found is None else int(found[0])

    def colour(self) -> Colour:
        """Read a colour."""
        return self._need(COLOURS)

    def colours(self) -> tuple[Colour, ...]:
        """Read all that is left as colours, each with a number before it if need be."""
        found: list[Colour] = []
        while not found or self.goes_on():
            number = self.number()
            found += [self.colour()] * (1 if number is None else number or self.fail())
        return tuple(found)

    def card(self) -> Card:
        """Read a card: a colour, and ' behind it if the card is rotated."""
        colour = self.colour()
        return Card(colour=colour, rotated=self._match(ROTATED) is not None)

    def source(self) -> Source:
        """Read a display slot or the deck."""
        return self._need(SOURCES)

    def square(self) -> Square:
        """Read a square."""
        return cast("Square", (self._match(SQUARE) or self.fail())[0].upper())

    def way(self) -> tuple[Square, Square]:
        """Read two squares, usually with a - between them."""
        source = self.square()
        self._match(TO)
        return source, self.square()

    def hq(self) -> int:
        """Read whose HQ is meant: @ and the seat."""
        return int((self._match(HQ) or self.fail())[1])

    def plus(self) -> bool:
        """Read a +, if there is one."""
        return self._match(PLUS) is not None

    def several(self, part: Reader[T]) -> list[T]:
        """Read one or more of a part up to the end of the line."""
        found = [part()]
        while self.goes_on():
            found.append(part())
        return found

    def goes_on(self) -> bool:
        """Return whether there is more, up to a consultant taken."""
        self._skip_noise()
        return self.at < len(self.text) and not TAKE.match(self.text, self.at)

    def end(self) -> None:
        """Fail if anything is left."""
        self._skip_noise()
        if self.at < len(self.text):
            self.fail()

    def fail(self) -> NoReturn:
        """Raise Unreadable with the part not understood (all of it, if something is missing at the end)."""
        if GLUED.fullmatch(self.original, self.begun, self.at) and NO_PART.match(self.original, self.at):
            # It is some word that begins like an action: `castle` is no C.
            self.at, self.example = self.begun, EXAMPLES[""]
        rest = self.original[self.at :] or self.original
        part = rest if len(rest) <= 40 else rest[:39] + "…"
        raise Unreadable(f'"{part}" ({self.example})')

    def _word(self, lexicon: Lexicon[T]) -> T | None:
        found = self._match(lexicon.pattern)
        return None if found is None else lexicon.meaning(found[0])

    def _need(self, lexicon: Lexicon[T]) -> T:
        found = self._match(lexicon.pattern) or self.fail()
        return lexicon.meaning(found[0])

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip_noise()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def _skip_noise(self) -> None:
        found = NOISE.match(self.text, self.at)
        self.at = found.end() if found else self.at
