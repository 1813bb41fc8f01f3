"""The games in a digest that wait for others, each with the way to give them more time (T-16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from service.mail.blocks import Block, Heading, Hyperlink, Paragraph
from service.mail.sentences import game_line
from service.mail.times import deadline_of
from service.store.position import Position
from service.texts.catalog import say
from service.texts.locales import listed
from service.texts.when import deadline_text


@dataclass(frozen=True, slots=True)
class Clock:
    """How the reader of a digest reads instants: the language, the IANA name of the zone, and the moment of reading."""

    language: str
    zone: str
    now: datetime


def awaited_others(found: Sequence[tuple[Position, int]], clock: Clock, base: str) -> Iterator[Block]:
    """Yield who has time until when in games (position, seat of the reader); `base` is the address of the service."""
    told = [block for position, seat in found for block in _table(position, seat, clock, base)]
    if told:
        yield Heading(say(clock.language, "digest-others"))
        yield from told


def _table(position: Position, seat: int, clock: Clock, base: str) -> Iterator[Block]:
    language, names = clock.language, position.names_in(clock.language)
    due = [(names[each], deadline) for each in sorted(position.awaited) if (deadline := deadline_of(position, each))]
    if due:
        until = [(name, deadline_text(language, clock.zone, deadline, clock.now)) for name, deadline in due]
        waits = "; ".join(say(language, "digest-other-time", name=name, until=at) for name, at in until)
        yield Paragraph(f"{game_line(position, seat, language)}. {waits}.")
        give = say(language, "digest-give", names=listed([name for name, _ in due], language))
        yield Hyperlink(give, f"{base}/games/{position.game.id}")
