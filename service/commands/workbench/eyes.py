"""A step of a random game as each of its viewers sees it, in the page and in the mail."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from service.conformance.check import names_of
from service.conformance.playouts import RandomGame
from service.log.codec import Codec, stored_name
from service.log.folding import Folded
from service.log.recorded import Recorded
from service.mail.blocks import BoardPicture, Content
from service.mail.compose import text_part
from service.mail.game_blocks import MailLinks
from service.mail.html_part import html_part
from service.mail.play import TurnPrompt, game_over_mail, turn_mail
from service.rules.kernel import AnyRuleset
from service.rules.tabletop.picture import board_picture, document
from service.rules.tabletop.table import Table
from service.store.events import ChainKeys
from service.store.game_row import GameRow, SeatRow, Terms
from service.store.games import Position
from service.views.history import recap_of

_GAME = UUID(int=1)
_THEN = datetime(2026, 1, 1, tzinfo=UTC)
_LINKS = MailLinks("http://127.0.0.1", _GAME, "workbench")
_LISTED = 60
"""The most legal actions that are listed."""


@dataclass(frozen=True, slots=True)
class ShownMail:
    """A mail as it would be sent; `html` stands for itself."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Eye:
    """View of a step by one viewer; `mail` is None without a mail, `legal` empty for a viewer who is not asked."""

    name: str
    status: str
    board: str
    picture: str
    caption: str
    text: str
    log: Sequence[str]
    legal: Sequence[str]
    mail: ShownMail | None


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a random game, for readers of a language."""

    ruleset: AnyRuleset
    seats: int
    game: RandomGame
    step: int
    language: str

    @property
    def names(self) -> list[str]:
        """The players' names."""
        return names_of(self.seats)

    @property
    def state(self) -> Any:
        """The state after so many actions."""
        return self.game.states[self.step]

    @property
    def done(self) -> str:
        """The action that has led to this step."""
        if not self.step:
            return ""
        last = self.game.steps[self.step - 1]
        name = self.names[last.seat] if last.seat < self.seats else f"#{last.seat}"
        return f"{name}: {self.ruleset.notate(last.action)}"

    def eyes(self) -> list[Eye]:
        """Return the step through the eyes of each seat, and of a spectator."""
        return [self._eye(viewer) for viewer in (*range(self.seats), None)]

    def _eye(self, viewer: int | None) -> Eye:
        ruleset, language, names = self.ruleset, self.language, self.names
        table, view = Table(ruleset, self.state, self.seats, viewer, language, names), ruleset.view(self.state, viewer)
        legal = ruleset.legal(self.state, viewer)[:_LISTED] if viewer is not None and table.sight.mine else ()
        last = self.game.happened(max(0, self.step - 1), self.step) or [(each, None) for each in self.game.setup[1:]]
        told = [f"{ruleset.notate(each)}: {ruleset.describe(each, viewer, language, names)}" for each in legal]
        return Eye(
            name="" if viewer is None else names[viewer],
            status=table.status().sentence,
            board=document(board_picture(table.board(), (), viewer)),
            picture=ruleset.paint(view, language, names),
            caption=ruleset.caption(view, language, names),
            text=ruleset.draw(view, language, names),
            log=[line.sentence for line in table.story(last)],
            legal=told,
            mail=None if viewer is None else self._mail(viewer),
        )

    def _mail(self, seat: int) -> ShownMail | None:
        position = self._position()
        recorded = self._recorded()
        own = max((each.seq for each in recorded if each.seat == seat), default=0)
        recap = recap_of(position, recorded[own:], seat, self.language)
        if seat in position.awaited:
            return _as_sent(turn_mail(position, seat, recap, _LINKS, TurnPrompt()))
        over = self.ruleset.outcome(self.state) is not None
        return _as_sent(game_over_mail(position, seat, recap, _LINKS)) if over else None

    def _recorded(self) -> list[Recorded]:
        events: list[tuple[Any, int | None]] = [(event, None) for event in self.game.setup]
        events += self.game.happened(0, self.step)
        return [
            Recorded(seq, event, seat, "link", 0, None, _THEN, stored_name(type(event)))
            for seq, (event, seat) in enumerate(events, start=1)
        ]

    def _position(self) -> Position:
        status = "running" if self.ruleset.outcome(self.state) is None else "finished"
        version, name = len(self.game.log(self.step)), self.ruleset.meta.name
        seated = tuple(
            SeatRow(seat, UUID(int=seat + 2), person, self.language, f"{person.lower()}@example.org", time_zone="UTC")
            for seat, person in enumerate(self.names)
        )
        terms = Terms(name=self.ruleset.meta.title)
        row = GameRow(_GAME, name, status, self.seats, {}, UUID(int=2), version, _THEN, "", terms, False, "00" * 32)
        return Position(row, self.ruleset, version, Folded(self.state), seated, Codec(self.ruleset), ChainKeys())


def _as_sent(content: Content) -> ShownMail:
    pictures = {block.svg: _inline(block.svg) for block in content.blocks if isinstance(block, BoardPicture)}
    return ShownMail(content.subject, text_part(content), html_part(content, pictures))


def _inline(svg: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(svg.encode(errors='replace')).decode()}"
