"""Carries out the commands and remarks of replies by mail; each result is what the answer to the mail says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from service.handlers import links, mail_wishes
from service.handlers.idempotency import Repeated
from service.handlers.links import Link
from service.handlers.play import Move, Played, play
from service.handlers.refusals import (
    AlreadyResigned,
    CannotBeTakenBack,
    NothingToTakeBack,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleDecision,
    TimeHasLapsed,
    TooLateToTakeBack,
)
from service.handlers.resign import resign
from service.handlers.take_back import REFUSALS, Wish, take_back, undoable
from service.handlers.talk import say as speak
from service.inbound import absences
from service.inbound.grammar import Act, ReplyText, Word
from service.inbound.orders import orders_cancelled, orders_shown, with_orders
from service.inbound.own_text import MOST_LINES
from service.inbound.reply import EFFECTIVE, CommandResult, Reply
from service.inbound.text import Written
from service.log.recorded import standing
from service.mail.play import ReplyOutcome
from service.mail.strip_links import strip_links
from service.rules.kernel import Illegal
from service.rules.shared_events import ActionTakenBack
from service.shared import clock
from service.shared.refusal import RateLimited
from service.store import events
from service.store.mail import count_inbound_said
from service.store.quotas import Budget
from service.texts.catalog import say
from service.views.history import sentence
from service.views.sentences import sent_action

MOST_SAID: Final = 500
"""Characters of a remark, as everywhere."""
MOST_QUOTED: Final = 40
MOST_LATE: Final = 3
MOST_REMARKS: Final = 20
"""Mails of one player in an hour whose remarks are told: so two machines do not talk for ever."""
HOUR: Final = timedelta(hours=1)


def execute(reply: Reply, asked: ReplyText, mail: Written) -> CommandResult:
    """Carry out what the mail asks for; doing it again after a crash changes nothing and returns the same result."""
    spoken_too = None if asked.said is None else _speak(reply, asked.said)
    away_too = _away(reply, asked) if asked.absences else None
    result = _carry_out(reply, asked)
    result = with_orders(reply, asked, result) if asked.orders or asked.misread else result
    for too in filter(None, (spoken_too, away_too)):
        result = too if result.outcome == "nothing" else _combined(result, too)
    result = _with_late(reply, asked, result) if asked.late else result
    return _with_left_out(reply, asked, mail, result)


def _with_left_out(reply: Reply, asked: ReplyText, mail: Written, result: CommandResult) -> CommandResult:
    """Return the result with what of the mail was not read, or perhaps not as it was meant."""
    if result.outcome == "nothing" and mail.form is not None:
        return reply.result("form", form=mail.form)
    if asked.said is None and result.outcome != "nothing":
        return result
    quotes = [("answer-left-signature", "\n".join(asked.signature)), ("answer-left-quote", asked.quoted[:MOST_SAID])]
    told = [(say(reply.language, head), words) for head, words in quotes if words]
    more = [say(reply.language, "answer-charset", charset=strip_links(mail.unsuited))] if mail.unsuited else []
    more += [say(reply.language, "answer-cut", most=MOST_LINES)] if asked.cut else []
    answer = result.answer
    answer = replace(answer, sentences=(*answer.sentences, *more), quotes=(*answer.quotes, *told))
    return CommandResult(result.outcome, answer)


def _with_late(reply: Reply, asked: ReplyText, result: CommandResult) -> CommandResult:
    late = reply.result("late", found=", ".join(f'"{each}"' for each in asked.late[:MOST_LATE])).answer
    told = replace(result.answer, sentences=(*result.answer.sentences, *late.sentences))
    return CommandResult(
        result.outcome, replace(told, headline=late.headline, refused=True) if not asked.found else told
    )


def _combined(result: CommandResult, too: CommandResult) -> CommandResult:
    # What has changed something is always confirmed, so the mail counts as one that had an effect.
    outcome = too.outcome if result.outcome not in EFFECTIVE and too.outcome in EFFECTIVE else result.outcome
    sentences = (*result.answer.sentences, *too.answer.sentences)
    return CommandResult(outcome, replace(result.answer, sentences=sentences, quotes=too.answer.quotes))


def _away(reply: Reply, asked: ReplyText) -> CommandResult:
    zone = ZoneInfo(reply.position.seats[reply.link.seat].time_zone)
    writer = absences.Writer(reply.link.player_id, reply.language, zone, reply.now, reply.key)
    return CommandResult(*absences.carry_out(reply.context.games, writer, asked.absences))


def _carry_out(reply: Reply, asked: ReplyText) -> CommandResult:
    """Carry out the command, if there is exactly one."""
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
    """Return the outcome that says why a link's decision is not the one of now."""
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
    """Return the result of a move with how it can be taken back, if it can: by the page of its own decision."""
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
        changed = mail_wishes.mute(reply.context.games, link.game_id, link.player_id, reply.receipt("mute"))
    except Repeated as before:
        changed = before.answer == "true"
    return replace(reply.result("muted"), outcome="muted" if changed else "muted-before")


def _speak(reply: Reply, words: str) -> CommandResult:
    if len(words) > MOST_SAID:
        return reply.result("too-long", most=MOST_SAID)
    link = reply.link
    with reply.context.games.engine.connect() as db:
        if count_inbound_said(db, reply.mail, clock.now() - HOUR) >= MOST_REMARKS:
            return reply.result("too-many", most=MOST_REMARKS)
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
    # Short enough for one line of our mail: what stands at the beginning of another might be taken for a move.
    words = strip_links(line if len(line) <= MOST_QUOTED else f"{line[: MOST_QUOTED - 1]}…")
    return [say(reply.language, "answer-nothing-read", words=words)] if words else []


def _help(reply: Reply) -> list[str]:
    told = ("show", "undo", "orders", "say", "away", "mute", "resign")
    return [say(reply.language, f"answer-help-{each}") for each in told]
