"""Mails of games that stand nowhere: what the letters are looked at, compared and measured by.

A sample is a random game after some steps, with people in its seats, as a mail sees it. No database is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from typing import Any, Literal

from service.handlers.talk import Said
from service.inbound.executor import ANSWERED_OUTCOMES
from service.log.folding import Folded
from service.mail import digest, play
from service.mail.blocks import Content
from service.mail.compose import Addressee, Kind, MailReader, add_identity_headers, address_game_mail
from service.mail.digest import Digest
from service.mail.lobby import Challenged, Invited, challenge_mail, invitation_mail, problem_mail, seat_request_mail
from service.mail.lobby import TableProblem as Trouble
from service.mail.play import ProposalMessage, ReplyOutcome, TurnPrompt, remark_block
from service.rules.bidi import isolated
from service.rules.pace import usual_pace
from service.store.lobby import Challenge
from service.texts.catalog import say
from service.texts.when import clock_time, instant_text
from service.views.lobby import UsualLengths
from tests import account_samples, bastards_samples, clocked_samples, competition_samples
from tests.sample_games import (
    BASE_URL,
    GAME,
    LANGUAGES,
    LONG,
    NAMES,
    NOW,
    REPLY_TO,
    STAMP,
    TOKEN,
    WAY,
    WAYS,
    Sample,
    later,
    sample,
)


def _turn(seats: int, steps: int, name: str = "new-corp-order", **more: Any) -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        found = later(name, seats, steps, language, **more)
        return _game(found.turn(), "turn", found)

    return write


def _goes_on(language: str) -> EmailMessage:
    found = later("new-corp-order", 2, 6, language)
    return _game(found.turn(turn=TurnPrompt(goes_on=True)), "turn", found)


def _started(seats: int, people: Sequence[str] = NAMES) -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        found = sample("new-corp-order", seats, 0, language, people)
        seat = next(seat for seat in range(seats) if seat not in found.position.awaited)
        content = play.started_mail(found.position, seat, found.lately(seat), WAYS["started"])
        return _game(content, "started", found, seat)

    return write


def _withdrawn(language: str) -> EmailMessage:
    found = sample("new-corp-order", 3, 0, language)
    seat = next(seat for seat in range(3) if seat not in found.position.awaited)
    by = next(iter(found.position.awaited))
    return _game(play.turn_withdrawn_mail(found.position, seat, by, WAYS["turn"]), "turn", found, seat)


def _over(name: str, seats: int, people: Sequence[str] = NAMES) -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        found = sample(name, seats, 3_000, language, people)
        content = play.game_over_mail(found.position, 0, found.lately(0), replace(WAYS["over"], token=None))
        return _game(content, "over", found, 0)

    return write


def _message(people: Sequence[str] = NAMES, heard: bool = True) -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        found = sample("new-corp-order", 3, 20, language, people)
        said = [
            Said(1, 1, NOW - timedelta(minutes=9), "Well played, Alice!"),
            Said(2, 2, NOW - timedelta(minutes=3), "skip\nP 1\n<b>Who</b> wants the last agent?"),
        ]
        shown = said if heard else [said[0], replace(said[1], text="")]
        return _game(play.said_mail(found.position, 0, shown, WAYS["message"]), "message", found, 0)

    return write


def _receipt(language: str) -> EmailMessage:
    """Write the receipt to the player of the last step, who is to act again."""
    found = later("new-corp-order", 2, 6, language)
    step, ruleset = found.played.steps[found.steps - 1], found.position.ruleset
    heard = ruleset.describe(step.action, step.seat, language, found.position.names_in(language))
    told = {"notation": ruleset.notate(step.action), "text": heard}
    sentences = (say(language, "answer-played-text", **told), say(language, "answer-played-undo", minutes=10))
    return _answered(found, ReplyOutcome(say(language, "answer-played", **told), sentences, WAY.page))


def _told(outcome: str, *more: str, seats: int = 2, **values: str) -> Callable[[str], EmailMessage]:
    """Return a writer of receipts with this outcome, to a player whose move it is not."""

    def write(language: str) -> EmailMessage:
        found = later("new-corp-order", seats, 21, language, people=LONG)
        keys = (f"answer-{outcome}-text", *(f"answer-{each}" for each in more))
        sentences = tuple(say(language, key, **values) for key in keys)
        answer = ReplyOutcome(
            say(language, f"answer-{outcome}", **values), sentences, refused=outcome not in ANSWERED_OUTCOMES
        )
        return _answered(found, answer, next(seat for seat in range(seats) if seat not in found.position.awaited))

    return write


def _answered(found: Sample, answer: ReplyOutcome, seat: int | None = None) -> EmailMessage:
    seat = found.seat if seat is None else seat
    written = play.receipt_mail(found.position, seat, answer, replace(WAY, fewer=None))
    whom = Addressee(GAME, found.position.seats[seat], REPLY_TO)
    return address_game_mail(written, "problem" if answer.refused else "receipt", whom, STAMP, replies=True)


def _challenge(language: str) -> EmailMessage:
    found = sample("new-corp-order", 2, 0, language)
    terms, until = replace(found.position.game.terms, pace=usual_pace(2)), NOW + timedelta(days=7)
    asked = Challenge(GAME, GAME, GAME, "new-corp-order", 2, {}, terms, NOW, until, None, None, "open")
    whom = Challenged("Alice", "alice@example.org", language, "Europe/Berlin", isolated("Robot"), bot=True)
    link = f"{BASE_URL}/c/{TOKEN}"
    return add_identity_headers(
        challenge_mail(found.position.ruleset.meta, asked, whom, link, WAY.settings), STAMP, "challenge", 1
    )


def _invitation(people: Sequence[str] = NAMES, words: str | None = None) -> Callable[[str], EmailMessage]:
    """To an address that somebody has confirmed if the host has `words` for it, or else to a stranger's."""

    def write(language: str) -> EmailMessage:
        found = sample("new-corp-order", 4, 0, language, people)
        waiting = replace(found.position, seats=found.position.seats[:3], folded=Folded())
        link = f"{BASE_URL}/join/{TOKEN}"
        until = NOW + timedelta(days=14)
        whom = Invited("zoe@example.org", language, until, known=words is not None, words=words or "")
        mail = invitation_mail(waiting, whom, link, UsualLengths({}))
        return add_identity_headers(mail, STAMP, "invitation", GAME)

    return write


def _substitute(language: str) -> EmailMessage:
    found = sample("new-corp-order", 3, 0, language)
    whom = Invited("zoe@example.org", language, NOW + timedelta(days=14), known=False, seat=1)
    return add_identity_headers(
        invitation_mail(found.position, whom, f"{BASE_URL}/join/{TOKEN}", UsualLengths({})), STAMP, "invitation", GAME
    )


def _seat_request(language: str) -> EmailMessage:
    found = sample("new-corp-order", 3, 0, language)
    content = seat_request_mail(found.position, 0, 1, "Zoë", replace(WAYS["problem"], token=None))
    return address_game_mail(content, "problem", Addressee(GAME, found.position.seats[0], fewer=WAY.fewer), STAMP)


def _digest(language: str) -> EmailMessage:
    tables = [later("new-corp-order", 2, 21, language), later("sealed-bids", 3, 0, language)]
    waiting = [(found.position, found.seat, WAY) for found in tables]
    reader = MailReader("Alice", "alice@example.org", language, "Europe/Berlin")
    game = say(language, "digest-game", title="New Corp Order", mark="0000a1", others="Bob")
    at = clock_time(NOW, language, "Europe/Berlin")
    said = [remark_block(language, "Bob", at, words, f"{game}. ") for words in ("Well played!", "")]
    return digest.address_digest(
        Digest(reader, NOW, waiting, 7, said=said, fewer=WAYS["digest"].fewer), BASE_URL, STAMP, 1
    )


def _quiet_digest(language: str) -> EmailMessage:
    """Write a digest to a reader for whom no game waits."""
    reader = MailReader(LONG[0], "alice@example.org", language, "Europe/Berlin")
    over = sample("new-corp-order", 4, 3_000, language, LONG).position
    begun = sample("new-corp-order", 2, 0, language, LONG).position
    off = f"New Corp Order #0000b2. {say(language, 'problem-called-off')}"
    news = Digest(reader, NOW, over=[(over, 0)], begun=[(begun, 1)], problems=[off], fewer=WAYS["digest"].fewer)
    return digest.address_digest(news, BASE_URL, STAMP, 1)


def _game(content: Content, kind: Kind, found: Sample, seat: int | None = None) -> EmailMessage:
    row = found.position.seats[found.seat if seat is None else seat]
    return address_game_mail(
        content, kind, Addressee(GAME, row, None if kind == "over" else REPLY_TO, WAY.fewer), STAMP
    )


def _proposal(about: Literal["pause", "take-back"]) -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        found = sample("new-corp-order", 3, 20, language)
        until = instant_text(language, "Europe/Berlin", NOW + timedelta(days=7), NOW)
        key = "pause-mail-proposed" if about == "pause" else "take-back-mail"
        said, why = (say(language, each, name="Bob", until=until) for each in (key, f"{key}-what"))
        message = ProposalMessage(about, said, why, asks=True)
        return _game(play.proposal_mail(found.position, 0, message, WAYS["proposal"]), "proposal", found, 0)

    return write


def _problem(what: Trouble, people: Sequence[str] = NAMES) -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        found = sample("new-corp-order", 3, 0, language, people).position
        seats = tuple(seat for seat in found.seats if what == "called-off" or seat.seat != 1)
        table = replace(found, seats=seats, folded=Folded())
        way, whom = replace(WAYS["problem"], token=None), Addressee(GAME, found.seats[1], fewer=WAY.fewer)
        return address_game_mail(problem_mail(table, whom.row, what, way), "problem", whom, STAMP)

    return write


MAILS: dict[str, Callable[[str], EmailMessage]] = {
    "turn-1p": _turn(1, 9),
    "turn-2p": _turn(2, 21),
    "turn-4p": _turn(4, 40),
    "turn-goes-on": _goes_on,
    "started": _started(3),
    "turn-withdrawn": _withdrawn,
    "over": _over("new-corp-order", 3),
    "message": _message(),
    "message-unread": _message(heard=False),
    "problem": _told("nothing"),
    "problem-called-off": _problem("called-off"),
    "proposal-pause": _proposal("pause"),
    "proposal-take-back": _proposal("take-back"),
    "digest": _digest,
    "receipt": _receipt,
    "challenge": _challenge,
    "invitation": _invitation(),
    "invitation-words": _invitation(words="Shall we, on Friday? The rules: www.rules.example"),
    "invitation-substitute": _substitute,
    "problem-seat-request": _seat_request,
    **account_samples.MAILS,
    **clocked_samples.MAILS,
    **competition_samples.MAILS,
}
VARIANTS: dict[str, tuple[str, Callable[[str], EmailMessage]]] = {
    "turn-first": ("en", _turn(2, 0)),
    "turn-other-game": ("de", _turn(3, 4, "sealed-bids")),
    "turn-long-names": ("de", _turn(4, 60, people=LONG)),
    "started-long-names": ("en", _started(4, LONG)),
    "over-long-names": ("fr", _over("new-corp-order", 4, LONG)),
    "message-long-names": ("fr", _message(LONG)),
    "problem-not-yours": ("en", _told("not-your-turn", seats=4)),
    "problem-removed": ("de", _problem("removed")),
    "problem-long-names": ("fr", _problem("called-off", LONG)),
    "invitation-long-names": ("fr", _invitation(LONG)),
    "receipt-help": ("de", _told("help", "help-show", "help-undo", "help-say", "help-mute", "help-resign")),
    "receipt-resign": ("fr", _told("resign-asked", seats=3)),
    "digest-quiet": ("de", _quiet_digest),
    "over-1p": ("fr", _over("new-corp-order", 1)),
    "over-other-game": ("en", _over("sealed-bids", 3)),
    **clocked_samples.VARIANTS,
    **bastards_samples.VARIANTS,
}
WRITERS: dict[str, Callable[[], EmailMessage]] = {
    **{f"{name}.{language}": partial(write, language) for name, write in MAILS.items() for language in LANGUAGES},
    **{f"{name}.{language}": partial(write, language) for name, (language, write) in VARIANTS.items()},
}
"""Writers of every kind of mail in every language, and of some variants in one, by the names of their goldens."""
