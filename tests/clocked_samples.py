"""Mails of games with a clock that stand nowhere, for the goldens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

from service.mail import digest
from service.mail.blocks import Content
from service.mail.compose import Addressee, Kind, MailReader, address_game_mail
from service.mail.digest import Digest
from service.mail.pace import AfterLapse, PlayedFor, lapsed_mail, played_sentences
from service.mail.play import TurnPrompt
from service.mail.sentences import times_of
from service.texts.catalog import say
from tests.clocked_games import at, clocked, paused, unreached
from tests.sample_games import BASE_URL, GAME, LONG, NAMES, NOW, REPLY_TO, STAMP, WAY, WAYS, Sample, later

Write = Callable[[str], EmailMessage]


def _turn(kind: Kind, seats: int, people: Sequence[str] = NAMES, **clocks: Any) -> Write:
    def write(language: str) -> EmailMessage:
        found = clocked(later("new-corp-order", seats, 21 if seats < 4 else 40, language, people=people), **clocks)
        if seats == 4:
            found = unreached(found, (found.seat + 1) % 4)
        turn = TurnPrompt(reminds=kind == "reminder", times=times_of(found.position, found.seat, NOW))
        return _to(found, kind, found.turn(turn=turn, way=WAYS[kind]))

    return write


def _crowd(kind: Kind) -> Write:
    """To one of four of whom one is absent, one away, and one has an address that does not work."""

    def write(language: str) -> EmailMessage:
        seat = later("new-corp-order", 4, 40, language).seat
        absent, away = (seat + 2) % 4, (seat + 3) % 4
        return _turn(kind, 4, absent=frozenset({absent}), away={away: at(70)})(language)

    return write


def _lapsed(then: AfterLapse, people: Sequence[str] = NAMES) -> Write:
    def write(language: str) -> EmailMessage:
        found = clocked(later("new-corp-order", 3, 21, language, people=people), absent=frozenset({1}))
        seat = (found.seat + 1) % 3
        step = next(step for step in reversed(found.played.steps[: found.steps]) if step.seat == seat)
        made = [each for each in found.recorded if each.seat == seat][-len(step.facts) :]
        told = played_sentences(found.position, seat, made) if then != "resigned" else ()
        played = PlayedFor(NOW - timedelta(hours=1), told, then)
        times = times_of(found.position, seat, NOW)
        return _to(found, "lapsed", lapsed_mail(found.position, seat, played, WAYS["lapsed"], times), seat)

    return write


def _digest(language: str) -> EmailMessage:
    """Write a digest: two games that wait, one that waits for another player, one in which the service has played."""
    first = clocked(later("new-corp-order", 2, 21, language), 90)
    second = clocked(later("sealed-bids", 3, 0, language), 2)
    waits = clocked(later("new-corp-order", 3, 30, language))
    reader = MailReader("Alice", "alice@example.org", language, "Europe/Berlin")
    told = Digest(reader, NOW, [(each.position, each.seat, WAY) for each in (first, second)], 2)
    told.others = [(waits.position, (waits.seat + 1) % 3)]
    game = say(language, "digest-game", title="New Corp Order", mark="0000b2", others="Bob")
    told.lapsed = [f"{game}. {say(language, 'lapsed-headline-goes-on')}"]
    told.fewer = WAYS["digest"].fewer
    return digest.address_digest(told, BASE_URL, STAMP, 1)


def _to(found: Sample, kind: Kind, content: Content, seat: int | None = None) -> EmailMessage:
    row = found.position.seats[found.seat if seat is None else seat]
    return address_game_mail(content, kind, Addressee(GAME, row, REPLY_TO, WAYS[kind].fewer), STAMP)


MAILS: dict[str, Write] = {
    "turn-clock": _crowd("turn"),
    "reminder": _turn("reminder", 2, hours=112),
    "lapsed": _lapsed("goes-on"),
    "lapsed-absent": _lapsed("absent"),
    "digest-clock": _digest,
}
VARIANTS: dict[str, tuple[str, Write]] = {
    "turn-paused": ("fr", _turn("turn", 2, paused=paused(50))),
    "turn-clock-long-names": ("de", _turn("turn", 4, LONG)),
    "reminder-crowd": ("fr", _crowd("reminder")),
    "lapsed-resigned": ("en", _lapsed("resigned")),
    "lapsed-long-names": ("de", _lapsed("over", LONG)),
}
