"""Carries out what a reply says about the player's absence, and says what was understood (T-18)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from service.handlers.absence import AbsencePlan, Announced, announce, end
from service.handlers.idempotency import Receipt, Repeated
from service.handlers.refusals import BadAbsence
from service.inbound.absence_lines import AbsenceLine, Ambiguous, Reading, WrittenDay
from service.log.absences import MOST_DAYS_IN_A_YEAR, day_of, last_day
from service.mail.play import ReplyOutcome
from service.shared.refusal import NotFound
from service.store.games import Games
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.texts.catalog import say
from service.texts.when import day

Result = tuple[str, ReplyOutcome]
"""A kebab-case word for what came of it, and what the player is told."""
CHANGED: Final = ("away", "back")
"""Outcomes that have changed something."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The player who has written, when the mail arrived, and the key under which it asks for something."""

    player: UUID
    language: str
    zone: ZoneInfo
    now: datetime
    key: Callable[[str], IdempotencyKey]

    @property
    def today(self) -> date:
        """The day on which the player has written."""
        return self.now.astimezone(self.zone).date()

    def told(self, outcome: str, **values: object) -> Result:
        """Return an outcome with its headline and its sentence."""
        return self._told(outcome, say(self.language, f"answer-{outcome}-text", **values))

    def refused(self, refusal: BadAbsence) -> Result:
        """Return the outcome of an absence beyond the limits."""
        return self._told("away-refused", say(self.language, f"detail-bad-absence-{refusal.case}", **refusal.members))

    def receipt(self, operation: str, words: object, tell: Callable[[Any], str]) -> Receipt[Any]:
        """Return the receipt that has something done once, however often the mail is carried out."""
        return Receipt(IdempotentRequest(self.key(operation), sha256(repr(words).encode()).digest()), tell)

    def _told(self, outcome: str, sentence: str) -> Result:
        done = outcome in CHANGED or outcome == "back-before"
        return outcome, ReplyOutcome(say(self.language, f"answer-{outcome}"), (sentence,), refused=not done)


def carry_out(games: Games, writer: Writer, lines: Sequence[AbsenceLine]) -> Result:
    """Carry out the one line of a mail about an absence; of several different ones none is."""
    if len(lines) > 1:
        return writer.told("away-several")
    (line,) = lines
    if line.back:
        return _back(games, writer)
    for said in (line.begins, line.until):
        if isinstance(said, Ambiguous):
            return _asked_back(writer, said)
    until, begins = _read(line.until, writer.today), writer.today
    if line.begins != "now":
        first = _read(line.begins, writer.today)
        begins = first or begins
        until = until if first is not None else None
    if until is None:
        return writer.told("away-unread", example=(writer.today + timedelta(days=7)).isoformat())
    return _announced(games, writer, AbsencePlan(until, begins))


def _announced(games: Games, writer: Writer, plan: AbsencePlan) -> Result:
    try:
        announced = announce(games, writer.player, plan, writer.now, writer.receipt("away", plan, _summary))
    except BadAbsence as refusal:
        return writer.refused(refusal)
    except Repeated as before:
        summary = before.answer
    else:
        summary = _summary(announced)
    first, last, left = msgspec.json.decode(summary, type=tuple[date, date, int])
    language = writer.language
    days = {"first": day(first, language), "last": day(last, language)}
    return writer.told("away", **days, left=left, most=MOST_DAYS_IN_A_YEAR)


def _summary(announced: Announced) -> str:
    span, zone = announced.row.span, announced.zone
    summary = (day_of(span.begins, zone), last_day(span, zone), announced.days_left)
    return msgspec.json.encode(summary).decode()


def _back(games: Games, writer: Writer) -> Result:
    try:
        end(games, writer.player, None, writer.now, writer.receipt("back", "", lambda _: "true"))
    except NotFound:
        return writer.told("back-before")
    except Repeated:
        pass
    return writer.told("back")


def _asked_back(writer: Writer, said: Ambiguous) -> Result:
    found = [each.near(writer.today) for each in (said.one, said.other)]
    one, other = (each.isoformat() if each else "" for each in found)
    return writer.told("away-ambiguous", said=said.said, one=one, other=other)


def _read(said: Reading, today: date) -> date | None:
    return said.near(today) if isinstance(said, WrittenDay) else None
