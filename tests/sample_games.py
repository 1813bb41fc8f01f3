"""Games that stand nowhere, as a mail sees them: random ones after some steps, with people in their seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

from service.conformance import playouts
from service.log.codec import Codec, stored_name
from service.log.folding import Folded
from service.log.recorded import Recorded
from service.mail import play
from service.mail.blocks import Content
from service.mail.compose import Stamp
from service.mail.game_blocks import MailLinks
from service.mail.play import TurnPrompt
from service.mail.unsubscribe import KINDS, Fewer
from service.store.events import ChainKeys
from service.store.game_row import GameRow, SeatRow, Terms
from service.store.games import Position
from service.views.history import recap_of
from tests.rules.playouts import RULESETS, RandomGame

LANGUAGES = ("en", "de", "fr")
BASE_URL = "https://boardroom.example"
GAME = UUID("018f0000-0000-7000-8000-0000000000a1")
NOW = datetime(2026, 11, 20, 17, 45, tzinfo=UTC)
TOKEN = "b" * 26
STAMP = Stamp(7, "Boardroom <boardroom@boardroom.example>", NOW)
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
LONG = (
    "Alexandria-Philippina Montgomery",
    "Jürgen von Hohenstaufen-Liebenwerda",
    "Zoë",
    "Þórbjörg O'Ñandú-Łęczycka",
    "Max 'Ω' Müller",
    "Ève-Aimée Lefèvre d'Aubervilliers",
)
REPLY_TO = f"z+{TOKEN}@boardroom.example"
HOUSE_RULES = {"corporate-accountant", "deluxe"}
FRESH = TurnPrompt()
WAYS = {kind: MailLinks(BASE_URL, GAME, TOKEN, Fewer(f"{BASE_URL}/u/{TOKEN}", kind)) for kind in KINDS}
WAY = WAYS["turn"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A game as it stands after so many steps of a random one; everybody reads the language."""

    played: RandomGame
    steps: int
    position: Position

    @property
    def seat(self) -> int:
        """The first seat that is to act, or else seat 0."""
        return min(self.position.awaited, default=0)

    @property
    def recorded(self) -> list[Recorded]:
        """The log."""
        events: list[tuple[int | None, Any]] = [(None, event) for event in self.played.setup]
        events += [(step.seat, fact) for step in self.played.steps[: self.steps] for fact in step.facts]
        return [
            Recorded(seq, event, seat, "link", 0, None, NOW, stored_name(type(event)))
            for seq, (seat, event) in enumerate(events, start=1)
        ]

    def lately(self, seat: int) -> Any:
        """Recap of what has happened since the seat acted."""
        own = max((each.seq for each in self.recorded if each.seat == seat), default=0)
        return recap_of(self.position, self.recorded[own:], seat, self.position.seats[seat].language)

    def turn(self, seat: int | None = None, turn: TurnPrompt = FRESH, way: MailLinks = WAY) -> Content:
        """The mail that asks a seat for its action."""
        seat = self.seat if seat is None else seat
        return play.turn_mail(self.position, seat, self.lately(seat), way, turn)

    def with_state(self, state: Any) -> Sample:
        """The same game in another state."""
        return replace(self, position=replace(self.position, folded=Folded(state)))


def sample(
    name: str, seats: int, steps: int, language: str = "en", people: Sequence[str] = NAMES, seed: int = 1
) -> Sample:
    """Return a game of a ruleset after so many steps."""
    played, ruleset = _random_game(name, seats, seed), RULESETS[name]
    steps = min(steps, len(played.steps))
    state = played.states[steps]
    seated = tuple(
        SeatRow(
            seat,
            UUID(int=seat + 1),
            person,
            language,
            f"{NAMES[seat].lower()}@example.org",
            time_zone="Europe/Berlin",
        )
        for seat, person in enumerate(people[:seats])
    )
    status = "running" if ruleset.outcome(state) is None else "finished"
    version = len(played.log(steps))
    terms = Terms(name="Friday night")
    row = GameRow(GAME, name, status, seats, {}, UUID(int=1), version, NOW, "", terms, False, "5eed" * 16)
    return Sample(played, steps, Position(row, ruleset, version, Folded(state), seated, Codec(ruleset), ChainKeys()))


def later(name: str, seats: int, steps: int, language: str = "en", **more: Any) -> Sample:
    """Return a game at the first decision of a player after so many steps, or at the last one of a shorter game."""
    total = len(sample(name, seats, 0, language, **more).played.steps)
    places = (*range(steps, total), *reversed(range(min(steps, total))))
    found = (sample(name, seats, each, language, **more) for each in places)
    return next(each for each in found if each.position.awaited)


@cache
def _random_game(name: str, seats: int, seed: int) -> RandomGame:
    """Return a random game by the book."""
    ruleset = RULESETS[name]
    options = tuple(option for option in ruleset.meta.options if option.name not in HOUSE_RULES)
    return playouts.random_game(replace(ruleset, meta=replace(ruleset.meta, options=options)), seats, seed)
