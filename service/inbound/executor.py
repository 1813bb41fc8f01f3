"""Execute the commands of a reply by mail: actions, orders, absences (T-18), remarks.

Each result carries the text of the answer mail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from service.handlers import links, mail_preferences, orders
from service.handlers.append import Played
from service.handlers.idempotency import Receipt, Repeated
from service.handlers.links import Link
from service.handlers.orders import NewOrder
from service.handlers.pace import AbsencePlan, Announced, announce_absence, end_absence
from service.handlers.play import Move, play, resign
from service.handlers.refusals import (
    AlreadyResigned,
    BadAbsence,
    BadOrder,
    CannotBeTakenBack,
    NothingToTakeBack,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleDecision,
    TimeHasLapsed,
    TooLateToTakeBack,
    TooMany,
)
from service.handlers.take_back import REFUSALS, Wish, take_back, undoable
from service.handlers.talk import say as speak
from service.inbound.grammar import AbsenceLine, Act, Ambiguous, Reading, ReplyText, Word, WrittenDay
from service.inbound.own_text import MAX_LINES
from service.inbound.text import Written
from service.log.absences import MOST_DAYS_IN_A_YEAR, day_of, last_day
from service.log.recorded import standing
from service.mail.context import MailContext
from service.mail.play import ReplyOutcome
from service.mail.strip_links import strip_links
from service.rules.kernel import Illegal
from service.rules.shared_events import ActionTakenBack
from service.shared import clock
from service.shared.refusal import NotFound, RateLimited
from service.store import events
from service.store.games import Games, Position
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.store.mail import InboundMail, count_inbound_said
from service.store.quotas import Budget
from service.texts.catalog import say
from service.texts.when import day
from service.views.history import sentence
from service.views.orders import orders_of
from service.views.sentences import sent_action
from service.views.table import View, spoken

AbsenceResult = tuple[str, ReplyOutcome]
"""Outcome, a kebab-case word, and the answer to the player."""
ABSENCE_OUTCOMES: Final = ("away", "back")
"""Outcomes that change an absence."""
LASTING_OUTCOMES: Final = ("played", "undone", "said")
"""Outcomes without a limit of answers: no machine plays for ever, and remarks have their own limit."""
EFFECTIVE_OUTCOMES: Final = (*LASTING_OUTCOMES, *ABSENCE_OUTCOMES, "muted", "resigned", "ordered", "orders-cancelled")
"""Outcomes with a change; these are always confirmed."""
UNREAD_OUTCOMES: Final = ("nothing", "not-believed", "unchecked", "dead-link", "unreadable", "not-read", "form")
"""Outcomes of mails in which nothing was read: machines write such mails."""
ANSWERED_OUTCOMES: Final = (
    *EFFECTIVE_OUTCOMES,
    "muted-before",
    "resigned-before",
    "help",
    "shown",
    "resign-asked",
    "orders-shown",
    "no-orders",
)
"""Outcomes without a problem."""
MAX_QUOTED_ORDERS: Final = 3
MAX_REMARK_LENGTH: Final = 500
"""Maximum characters of a remark, as everywhere."""
MAX_QUOTED_LENGTH: Final = 40
MAX_LATE_LINES: Final = 3
MAX_REMARKS_PER_HOUR: Final = 20
"""Maximum remarks per player and hour, against two machines that talk for ever."""
HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class AbsentPlayer:
    """Author of the mail, time of the mail's arrival, and function from operation to idempotency key."""

    player: UUID
    language: str
    zone: ZoneInfo
    now: datetime
    key: Callable[[str], IdempotencyKey]

    @property
    def today(self) -> date:
        """Return the day of the mail's arrival in the player's zone."""
        return self.now.astimezone(self.zone).date()

    def told(self, outcome: str, **values: object) -> AbsenceResult:
        return self._told(outcome, say(self.language, f"answer-{outcome}-text", **values))

    def refused(self, refusal: BadAbsence) -> AbsenceResult:
        """Return the outcome of an absence beyond the limits."""
        return self._told("away-refused", say(self.language, f"detail-bad-absence-{refusal.case}", **refusal.members))

    def receipt(self, operation: str, words: object, tell: Callable[[Any], str]) -> Receipt[Any]:
        """Return the receipt that makes an operation idempotent across retries of the mail."""
        return Receipt(IdempotentRequest(self.key(operation), sha256(repr(words).encode()).digest()), tell)

    def _told(self, outcome: str, sentence: str) -> AbsenceResult:
        done = outcome in ABSENCE_OUTCOMES or outcome == "back-before"
        return outcome, ReplyOutcome(say(self.language, f"answer-{outcome}"), (sentence,), refused=not done)


def carry_out_absence(games: Games, writer: AbsentPlayer, lines: Sequence[AbsenceLine]) -> AbsenceResult:
    """Carry out the line of a mail about an absence; if there are several different lines, none is carried out."""
    if len(lines) > 1:
        return writer.told("away-several")
    (line,) = lines
    if line.back:
        return _end_absence(games, writer)
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


def _announced(games: Games, writer: AbsentPlayer, plan: AbsencePlan) -> AbsenceResult:
    try:
        announced = announce_absence(games, writer.player, plan, writer.now, writer.receipt("away", plan, _summary))
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


def _end_absence(games: Games, writer: AbsentPlayer) -> AbsenceResult:
    try:
        end_absence(games, writer.player, None, writer.now, writer.receipt("back", "", lambda _: "true"))
    except NotFound:
        return writer.told("back-before")
    except Repeated:
        pass
    return writer.told("back")


def _asked_back(writer: AbsentPlayer, said: Ambiguous) -> AbsenceResult:
    found = [each.near(writer.today) for each in (said.one, said.other)]
    one, other = (each.isoformat() if each else "" for each in found)
    return writer.told("away-ambiguous", said=said.said, one=one, other=other)


def _read(said: Reading, today: date) -> date | None:
    return said.near(today) if isinstance(said, WrittenDay) else None


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Outcome of a mail, as a kebab-case word, and the answer to its sender."""

    outcome: str
    answer: ReplyOutcome


@dataclass(frozen=True, slots=True)
class Reply:
    """Mail to execute and answer: its link, the position when read, and the stored mail."""

    context: MailContext
    link: Link
    position: Position
    mail: InboundMail

    @property
    def language(self) -> str:
        return self.position.seats[self.link.seat].language

    @property
    def rules_language(self) -> str:
        """Return the player's language if the ruleset has it, else the ruleset's first."""
        return spoken(self.position, self.language)

    @property
    def now(self) -> datetime:
        """Return the time of the mail's arrival."""
        return self.mail.received_at

    def key(self, operation: str) -> IdempotencyKey:
        """Return the idempotency key of an operation of this mail."""
        return IdempotencyKey(self.link.player_id, f"mail:{self.mail.id}", operation)

    def receipt(self, operation: str, words: str = "") -> Receipt[Any]:
        """Return the receipt that makes an operation idempotent; it stores whether anything changed."""
        asked = IdempotentRequest(self.key(operation), sha256(words.encode()).digest())
        return Receipt(asked, lambda done: "false" if done is False else "true")

    def result(self, outcome: str, *sentences: str, **values: object) -> CommandResult:
        """Return the result for an outcome: its headline, its own sentence, and any others."""
        first = say(self.language, f"answer-{outcome}-text", **values)
        headline = say(self.language, f"answer-{outcome}", **values)
        told = tuple(each for each in (first, *sentences) if each)
        return CommandResult(outcome, ReplyOutcome(headline, told, refused=outcome not in ANSWERED_OUTCOMES))

    def described(self, thing: object) -> str:
        language = self.rules_language
        return self.position.ruleset.describe(thing, self.link.seat, language, self.position.names_in(language))


def with_orders(reply: Reply, asked: ReplyText, result: CommandResult) -> CommandResult:
    """Append the orders of a mail to earlier ones, unless its own move was refused; return the joint result."""
    alone = asked.command is None and not asked.found
    given: CommandResult | None = None
    if asked.orders:
        given = _give_orders(reply, asked) if alone or result.outcome == "played" else reply.result("not-ordered")
    unread = [say(reply.language, "order-unread", line=strip_links(line)) for line in asked.misread[:MAX_QUOTED_ORDERS]]
    return _joined(result, given, unread)


def orders_shown(reply: Reply) -> CommandResult:
    """List the author's orders."""
    lines = _order_lines(reply)
    return reply.result("orders-shown" if lines else "no-orders", *lines)


def orders_cancelled(reply: Reply) -> CommandResult:
    """Cancel the author's orders."""
    link = reply.link
    try:
        orders.cancel(reply.context.games, link.game_id, link.player_id, reply.now)
    except (NotRunning, NotSeated, AlreadyResigned):
        return reply.result("not-running")
    return reply.result("orders-cancelled")


def _give_orders(reply: Reply, asked: ReplyText) -> CommandResult:
    link, given = reply.link, [NewOrder(each.action) for each in asked.orders]
    receipt = reply.receipt("orders", "\n".join(each.notation for each in asked.orders))
    try:
        orders.give_more(reply.context.games, link.game_id, link.player_id, given, reply.now, receipt)
    except Repeated:
        pass
    except BadOrder as bad:
        return reply.result("bad-order", reason=_reason(reply, bad.illegal))
    except TooMany as many:
        return reply.result("too-many-orders", most=many.members["most"])
    except (NotRunning, NotSeated, AlreadyResigned):
        return reply.result("not-running")
    return reply.result("ordered", *_order_lines(reply))


def _reason(reply: Reply, illegal: Illegal | None) -> str:
    return say(reply.language, "order-fault-nowhere") if illegal is None else reply.described(illegal)


def _joined(result: CommandResult, given: CommandResult | None, unread: Sequence[str]) -> CommandResult:
    if given is None:
        return replace(result, answer=replace(result.answer, sentences=(*result.answer.sentences, *unread)))
    if result.outcome == "nothing":
        return replace(given, answer=replace(given.answer, sentences=(*given.answer.sentences, *unread)))
    refused = result.answer.refused or given.answer.refused
    sentences = (*result.answer.sentences, *given.answer.sentences, *unread)
    return replace(result, answer=replace(result.answer, sentences=sentences, refused=refused))


def _order_lines(reply: Reply) -> list[str]:
    """Return the waiting orders, a line for each."""
    games, link = reply.context.games, reply.link
    with games.engine.connect() as db:
        found: list[View] = orders_of(db, games.open(db, link.game_id), link.seat, reply.language)["orders"]
    return [
        say(reply.language, "order-line", number=number, notation=each["notation"], text=each["text"])
        for number, each in enumerate(found, 1)
    ]


def execute(reply: Reply, asked: ReplyText, mail: Written) -> CommandResult:
    """Carry out the requests of the mail; idempotent, so that a retry after a crash returns the same result."""
    spoken_too = None if asked.said is None else _speak(reply, asked.said)
    away_too = _away(reply, asked) if asked.absences else None
    result = _carry_out(reply, asked)
    result = with_orders(reply, asked, result) if asked.orders or asked.misread else result
    for too in filter(None, (spoken_too, away_too)):
        result = too if result.outcome == "nothing" else _combined(result, too)
    result = _with_late(reply, asked, result) if asked.late else result
    return _with_left_out(reply, asked, mail, result)


def _with_left_out(reply: Reply, asked: ReplyText, mail: Written, result: CommandResult) -> CommandResult:
    """Return the result with the parts of the mail that were not read, or perhaps misread."""
    if result.outcome == "nothing" and mail.form is not None:
        return reply.result("form", form=mail.form)
    if asked.said is None and result.outcome != "nothing":
        return result
    quotes = [
        ("answer-left-signature", "\n".join(asked.signature)),
        ("answer-left-quote", asked.quoted[:MAX_REMARK_LENGTH]),
    ]
    told = [(say(reply.language, head), words) for head, words in quotes if words]
    more = [say(reply.language, "answer-charset", charset=strip_links(mail.unsuited))] if mail.unsuited else []
    more += [say(reply.language, "answer-cut", most=MAX_LINES)] if asked.cut else []
    answer = result.answer
    answer = replace(answer, sentences=(*answer.sentences, *more), quotes=(*answer.quotes, *told))
    return CommandResult(result.outcome, answer)


def _with_late(reply: Reply, asked: ReplyText, result: CommandResult) -> CommandResult:
    late = reply.result("late", found=", ".join(f'"{each}"' for each in asked.late[:MAX_LATE_LINES])).answer
    told = replace(result.answer, sentences=(*result.answer.sentences, *late.sentences))
    return CommandResult(
        result.outcome, replace(told, headline=late.headline, refused=True) if not asked.found else told
    )


def _combined(result: CommandResult, too: CommandResult) -> CommandResult:
    # Changes are always confirmed, so the joint outcome must be an effective one.
    outcome = (
        too.outcome
        if result.outcome not in EFFECTIVE_OUTCOMES and too.outcome in EFFECTIVE_OUTCOMES
        else result.outcome
    )
    sentences = (*result.answer.sentences, *too.answer.sentences)
    return CommandResult(outcome, replace(result.answer, sentences=sentences, quotes=too.answer.quotes))


def _away(reply: Reply, asked: ReplyText) -> CommandResult:
    zone = ZoneInfo(reply.position.seats[reply.link.seat].time_zone)
    writer = AbsentPlayer(reply.link.player_id, reply.language, zone, reply.now, reply.key)
    return CommandResult(*carry_out_absence(reply.context.games, writer, asked.absences))


def _carry_out(reply: Reply, asked: ReplyText) -> CommandResult:
    """Carry out the command if there is exactly one."""
    command = asked.command
    if len(asked.found) > 1:
        return reply.result("several", found=", ".join(f'"{each}"' for each in asked.found))
    if isinstance(command, Act):
        return _play(reply, command)
    if command is None:
        return reply.result("nothing", *_quoted_line(reply, asked.unread))
    return _ANSWERS[command](reply)


def _play(reply: Reply, act: Act) -> CommandResult:
    link = reply.link
    move = Move(link.game_id, link.seat, link.decision, act.action, "reply", player=link.player_id)
    try:
        played = play(reply.context.games, move, reply.key("act"))
    except TimeHasLapsed as lapsed:
        return reply.result("time-lapsed", *_played_instead(reply, lapsed))
    except StaleDecision as stale:
        return replace(reply.result(_cause(link, stale)), outcome="stale")
    except NotYourTurn:
        return reply.result("not-your-turn")
    except (NotRunning, NotSeated) as refused:
        return _not_running(reply, refused)
    except Illegal as refused:
        return reply.result("illegal", notation=act.notation, reason=reply.described(refused))
    told = _events(reply, played)
    result = reply.result("played", *told, notation=act.notation, text=reply.described(act.action))
    return _with_way_back(reply, result)


def _cause(link: Link, stale: StaleDecision) -> str:
    """Return the outcome that says why the link's decision is no longer current."""
    facing = [each for each in stale.since if each.decision == link.decision]
    own = [each for each in facing if each.seat == link.seat and each.action is not None]
    undone = [each.event for each in stale.since if isinstance(each.event, ActionTakenBack)]
    if own:
        return "stale-undone" if any(each.first <= own[-1].seq <= each.last for each in undone) else "stale-own"
    withdrawn = any(isinstance(each.event, ActionTakenBack) and each.seat != link.seat for each in facing)
    return "stale-withdrawn" if withdrawn else "stale"


def _played_instead(reply: Reply, lapsed: TimeHasLapsed) -> list[str]:
    action = None if lapsed.played is None else sent_action(reply.position.ruleset, lapsed.played)
    if action is None:
        return []
    return [say(reply.language, "answer-time-lapsed-instead", text=reply.described(action))]


def _events(reply: Reply, played: Played) -> list[str]:
    seat, language = reply.link.seat, reply.rules_language
    return [sentence(played.position, each.event, seat, language) for each in played.events]


def _with_way_back(reply: Reply, result: CommandResult) -> CommandResult:
    """Return the result of a move with the way to take the move back, if possible: the page of its own decision."""
    link, settings = reply.link, reply.context.settings
    wish, now = Wish(link.game_id, link.seat, link.decision, "reply"), clock.now()
    try:
        with reply.context.games.engine.begin() as db:
            position = reply.context.games.open(db, link.game_id)
            undoable(db, position, wish, timedelta(seconds=settings.take_back_seconds), now)
            token = links.issue(db, link.game_id, link.seat, link.decision, now)
    except REFUSALS:
        return result
    how = say(reply.language, "answer-played-undo", minutes=settings.take_back_seconds // 60)
    sentences = (*result.answer.sentences, how)
    return replace(result, answer=replace(result.answer, sentences=sentences, undo=f"{settings.base_url}/t/{token}"))


def _undo(reply: Reply) -> CommandResult:
    games, link = reply.context.games, reply.link
    with games.engine.connect() as db:
        log = events.read(db, reply.position.codec, link.game_id, 0, reply.position.version)
    own = (deed[0].decision for deed in reversed(standing(log)) if deed[0].seat == link.seat and deed[0].action)
    decision = next((each for each in own if each is not None), link.decision)
    window = timedelta(seconds=reply.context.settings.take_back_seconds)
    try:
        take_back(games, Wish(link.game_id, link.seat, decision, "reply"), window, reply.now, reply.key("act"))
    except NotRunning as refused:
        return _not_running(reply, refused)
    except NothingToTakeBack:
        return reply.result("nothing-to-undo")
    except TooLateToTakeBack:
        return reply.result("too-late-to-undo")
    except CannotBeTakenBack:
        return reply.result("cannot-be-undone")
    except RateLimited:
        return reply.result("limited")
    return reply.result("undone")


def _resign(reply: Reply) -> CommandResult:
    link = reply.link
    try:
        resign(reply.context.games, link.game_id, link.player_id, "reply", reply.now, reply.receipt("resign"))
    except Repeated:
        pass
    except AlreadyResigned:
        return replace(reply.result("resigned"), outcome="resigned-before")
    except (NotRunning, NotSeated) as refused:
        return _not_running(reply, refused)
    return reply.result("resigned")


def _mute(reply: Reply) -> CommandResult:
    link = reply.link
    try:
        changed = mail_preferences.mute(reply.context.games, link.game_id, link.player_id, reply.receipt("mute"))
    except Repeated as before:
        changed = before.answer == "true"
    return replace(reply.result("muted"), outcome="muted" if changed else "muted-before")


def _speak(reply: Reply, words: str) -> CommandResult:
    if len(words) > MAX_REMARK_LENGTH:
        return reply.result("too-long", most=MAX_REMARK_LENGTH)
    link = reply.link
    with reply.context.games.engine.connect() as db:
        if count_inbound_said(db, reply.mail, clock.now() - HOUR) >= MAX_REMARKS_PER_HOUR:
            return reply.result("too-many", most=MAX_REMARKS_PER_HOUR)
    receipt, budget = reply.receipt("say", words), Budget(reply.context.settings.rate_limits)
    try:
        speak(reply.context.games, link.game_id, link.player_id, words, "reply", reply.now, receipt, budget)
    except Repeated:
        pass
    except (NotRunning, NotSeated) as refused:
        return _not_running(reply, refused)
    except RateLimited:
        return reply.result("limited")
    quotes = ((say(reply.language, "answer-said-text"), words),)
    return CommandResult("said", ReplyOutcome(say(reply.language, "answer-said"), quotes=quotes))


def _not_running(reply: Reply, refused: NotRunning | NotSeated) -> CommandResult:
    over = isinstance(refused, NotRunning) and reply.position.game.status == "finished"
    return reply.result("over" if over else "not-running")


_ANSWERS: Final[Mapping[Word, Callable[[Reply], CommandResult]]] = {
    "help": lambda reply: reply.result("help", *_help(reply)),
    "show": lambda reply: reply.result("shown"),
    "undo": _undo,
    "resign": lambda reply: reply.result("resign-asked"),
    "resign-yes": _resign,
    "mute": _mute,
    "orders": orders_shown,
    "cancel": orders_cancelled,
}


def _quoted_line(reply: Reply, line: str) -> list[str]:
    # Keep to a single line of our mail: the beginning of a second line might be read as a move.
    words = strip_links(line if len(line) <= MAX_QUOTED_LENGTH else f"{line[: MAX_QUOTED_LENGTH - 1]}…")
    return [say(reply.language, "answer-nothing-read", words=words)] if words else []


def _help(reply: Reply) -> list[str]:
    told = ("show", "undo", "orders", "say", "away", "mute", "resign")
    return [say(reply.language, f"answer-help-{each}") for each in told]
