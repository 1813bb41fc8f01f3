"""Does what a reply asks for, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from service.handlers import links, mail_wishes
from service.handlers.idempotency import Receipt, Repeated
from service.handlers.links import Link
from service.handlers.play import IdempotencyKey, Move, Played, play
from service.handlers.refusals import (
    AlreadyResigned,
    CannotBeTakenBack,
    NothingToTakeBack,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleDecision,
    TooLateToTakeBack,
)
from service.handlers.resign import resign
from service.handlers.take_back import REFUSALS, Wish, take_back, undoable
from service.handlers.talk import say as speak
from service.inbound.grammar import Act, ReplyText, Word
from service.log.standing import standing
from service.mail.compose import ReplyOutcome
from service.mail.context import MailContext
from service.mail.harmless import harmless
from service.rules.kernel import Illegal
from service.shared import clock
from service.store import events, inbound
from service.store.budget import Budget
from service.store.idempotency import IdempotentRequest
from service.store.inbound import Inbound
from service.store.position import Position
from service.texts.catalog import say
from service.views.history import sentence
from service.views.table import spoken

MOST_SAID: Final = 500
"""Letters of a remark, as everywhere."""
MOST_QUOTED: Final = 40
MOST_LATE: Final = 3
MOST_REMARKS: Final = 20
"""Mails of one player in an hour that have something said: so two machines do not talk for ever."""
HOUR: Final = timedelta(hours=1)
LASTING: Final = ("played", "undone", "said")
"""What can be answered as often as it happens: no machine plays for ever, and remarks have a limit of their own."""
EFFECTIVE: Final = (*LASTING, "muted", "resigned")
"""What has changed something, and so is confirmed in any case."""
UNREAD: Final = ("nothing", "not-believed", "unchecked", "dead-link")
"""What comes of mails from which nothing was read: machines write such mails."""
ANSWERED: Final = (*EFFECTIVE, "muted-before", "resigned-before", "help", "shown", "resign-asked")
"""What a mail may come to without a problem."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a mail: a kebab-case word for it, and what its sender is told."""

    outcome: str
    answer: ReplyOutcome


@dataclass(frozen=True, slots=True)
class Case:
    """A mail that is to be answered: its link, the game as it stood, and the mail, the same when repeated."""

    house: MailContext
    link: Link
    position: Position
    mail: Inbound

    @property
    def language(self) -> str:
        """The player's language."""
        return self.position.seats[self.link.seat].language

    @property
    def rules_language(self) -> str:
        """The language in which the ruleset speaks to the player."""
        return spoken(self.position, self.language)

    @property
    def now(self) -> datetime:
        """When the mail came in."""
        return self.mail.received_at

    def key(self, operation: str) -> IdempotencyKey:
        """Return the key under which the mail asks for something."""
        return IdempotencyKey(self.link.player_id, f"mail:{self.mail.id}", operation)

    def receipt(self, operation: str, words: str = "") -> Receipt[Any]:
        """Return what has a wish of the mail carried out once; kept is whether that has changed anything."""
        asked = IdempotentRequest(self.key(operation), sha256(words.encode()).digest())
        return Receipt(asked, lambda done: "false" if done is False else "true")

    def told(self, outcome: str, *sentences: str, **values: object) -> Came:
        """Return an outcome with its headline, its own sentence and any others."""
        first = say(self.language, f"answer-{outcome}-text", **values)
        headline = say(self.language, f"answer-{outcome}", **values)
        told = tuple(each for each in (first, *sentences) if each)
        return Came(outcome, ReplyOutcome(headline, told, refused=outcome not in ANSWERED))


def came_of(case: Case, asked: ReplyText) -> Came:
    """Do what the mail asks for; doing it again after a crash changes nothing and says the same."""
    spoken_too = None if asked.said is None else _speak(case, asked.said)
    came = _carry_out(case, asked)
    if spoken_too is not None:
        came = spoken_too if came.outcome == "nothing" else _combined(came, spoken_too)
    return _with_late(case, asked, came) if asked.late else came


def _with_late(case: Case, asked: ReplyText, came: Came) -> Came:
    late = case.told("late", found=", ".join(f'"{each}"' for each in asked.late[:MOST_LATE])).answer
    told = replace(came.answer, sentences=(*came.answer.sentences, *late.sentences))
    return Came(came.outcome, replace(told, headline=late.headline, refused=True) if not asked.found else told)


def _combined(came: Came, spoken: Came) -> Came:
    # What was said is confirmed in any case, so the mail counts as one that has had an effect.
    outcome = spoken.outcome if came.outcome not in EFFECTIVE and spoken.outcome == "said" else came.outcome
    return Came(outcome, replace(came.answer, sentences=(*came.answer.sentences, *spoken.answer.sentences)))


def _carry_out(case: Case, asked: ReplyText) -> Came:
    """Return what came of the command, if there is one and no more."""
    command = asked.command
    if len(asked.found) > 1:
        return case.told("several", found=", ".join(f'"{each}"' for each in asked.found))
    if isinstance(command, Act):
        return _play(case, command)
    if command is None:
        return case.told("nothing", *_quoted_line(case, asked.unread))
    return _ANSWERS[command](case)


def _play(case: Case, act: Act) -> Came:
    link = case.link
    move = Move(link.game_id, link.seat, link.decision, act.action, "reply")
    try:
        played = play(case.house.games, move, case.key("act"))
    except StaleDecision:
        return case.told("stale")
    except NotYourTurn:
        return case.told("not-your-turn")
    except (NotRunning, NotSeated) as refused:
        return _not_running(case, refused)
    except Illegal as refused:
        return case.told("illegal", notation=act.notation, reason=_described(case, refused))
    told = _events(case, played)
    came = case.told("played", *told, notation=act.notation, text=_described(case, act.action))
    return _with_way_back(case, came)


def _described(case: Case, thing: object) -> str:
    language = case.rules_language
    return case.position.ruleset.describe(thing, case.link.seat, language, case.position.names_in(language))


def _events(case: Case, played: Played) -> list[str]:
    seat, language = case.link.seat, case.rules_language
    return [sentence(played.position, each.event, seat, language) for each in played.events]


def _with_way_back(case: Case, came: Came) -> Came:
    """Return what came of a move with how it can be taken back, if it can: the page of its own decision does it."""
    link, settings = case.link, case.house.settings
    wish, now = Wish(link.game_id, link.seat, link.decision, "reply"), clock.now()
    try:
        with case.house.games.engine.begin() as db:
            position = case.house.games.open(db, link.game_id)
            undoable(db, position, wish, timedelta(seconds=settings.take_back_seconds), now)
            token = links.issue(db, link.game_id, link.seat, link.decision, now)
    except REFUSALS:
        return came
    how = say(case.language, "answer-played-undo", minutes=settings.take_back_seconds // 60)
    sentences = (*came.answer.sentences, how)
    return replace(came, answer=replace(came.answer, sentences=sentences, undo=f"{settings.base_url}/t/{token}"))


def _undo(case: Case) -> Came:
    games, link = case.house.games, case.link
    with games.engine.connect() as db:
        log = events.read(db, case.position.codec, link.game_id, 0, case.position.version)
    own = (deed[0].decision for deed in reversed(standing(log)) if deed[0].seat == link.seat and deed[0].action)
    decision = next((each for each in own if each is not None), link.decision)
    window = timedelta(seconds=case.house.settings.take_back_seconds)
    try:
        take_back(games, Wish(link.game_id, link.seat, decision, "reply"), window, case.now, case.key("act"))
    except NotRunning as refused:
        return _not_running(case, refused)
    except NothingToTakeBack:
        return case.told("nothing-to-undo")
    except TooLateToTakeBack:
        return case.told("too-late-to-undo")
    except CannotBeTakenBack:
        return case.told("cannot-be-undone")
    return case.told("undone")


def _resign(case: Case) -> Came:
    link = case.link
    try:
        resign(case.house.games, link.game_id, link.player_id, "reply", case.now, case.receipt("resign"))
    except Repeated:
        pass
    except AlreadyResigned:
        return replace(case.told("resigned"), outcome="resigned-before")
    except (NotRunning, NotSeated) as refused:
        return _not_running(case, refused)
    return case.told("resigned")


def _mute(case: Case) -> Came:
    link = case.link
    try:
        changed = mail_wishes.mute(case.house.games, link.game_id, link.player_id, case.receipt("mute"))
    except Repeated as before:
        changed = before.answer == "true"
    return replace(case.told("muted"), outcome="muted" if changed else "muted-before")


def _speak(case: Case, words: str) -> Came:
    if len(words) > MOST_SAID:
        return case.told("too-long", most=MOST_SAID)
    link = case.link
    with case.house.games.engine.connect() as db:
        if inbound.said(db, case.mail, clock.now() - HOUR) >= MOST_REMARKS:
            return case.told("too-many", most=MOST_REMARKS)
    receipt, budget = case.receipt("say", words), Budget(case.house.settings.rate_limits)
    try:
        speak(case.house.games, link.game_id, link.player_id, words, "reply", case.now, receipt, budget)
    except Repeated:
        pass
    except (NotRunning, NotSeated) as refused:
        return _not_running(case, refused)
    return case.told("said")


def _not_running(case: Case, refused: NotRunning | NotSeated) -> Came:
    over = isinstance(refused, NotRunning) and case.position.game.status == "finished"
    return case.told("over" if over else "not-running")


_ANSWERS: Final[Mapping[Word, Callable[[Case], Came]]] = {
    "help": lambda case: case.told("help", *_help(case)),
    "show": lambda case: case.told("shown"),
    "undo": _undo,
    "resign": lambda case: case.told("resign-asked"),
    "resign-yes": _resign,
    "mute": _mute,
}


def _quoted_line(case: Case, line: str) -> list[str]:
    # Short enough for one line of our mail: what stands at the beginning of another might be taken for a move.
    words = harmless(line if len(line) <= MOST_QUOTED else f"{line[: MOST_QUOTED - 1]}…")
    return [say(case.language, "answer-nothing-read", words=words)] if words else []


def _help(case: Case) -> list[str]:
    return [say(case.language, f"answer-help-{each}") for each in ("show", "undo", "say", "mute", "resign")]
