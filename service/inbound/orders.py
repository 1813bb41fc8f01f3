"""Moves for later turns, as mails give, list and cancel them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from service.handlers import orders
from service.handlers.idempotency import Repeated
from service.handlers.orders import NewOrder
from service.handlers.refusals import AlreadyResigned, BadOrder, NotRunning, NotSeated, TooMany
from service.inbound.grammar import ReplyText
from service.inbound.reply import CommandResult, Reply
from service.mail.strip_links import strip_links
from service.rules.kernel import Illegal
from service.texts.catalog import say
from service.views.orders import orders_of
from service.views.table import View

MOST_QUOTED: Final = 3


def with_orders(reply: Reply, asked: ReplyText, result: CommandResult) -> CommandResult:
    """Keep the orders of a mail behind earlier ones, unless its own move was refused; return what came of it all."""
    alone = asked.command is None and not asked.found
    given: CommandResult | None = None
    if asked.orders:
        given = _given(reply, asked) if alone or result.outcome == "played" else reply.result("not-ordered")
    unread = [say(reply.language, "order-unread", line=strip_links(line)) for line in asked.misread[:MOST_QUOTED]]
    return _joined(result, given, unread)


def orders_shown(reply: Reply) -> CommandResult:
    """List the orders of the player who has written."""
    lines = _lines(reply)
    return reply.result("orders-shown" if lines else "no-orders", *lines)


def orders_cancelled(reply: Reply) -> CommandResult:
    """Forget the orders of the player who has written."""
    link = reply.link
    try:
        orders.cancel(reply.context.games, link.game_id, link.player_id, reply.now)
    except (NotRunning, NotSeated, AlreadyResigned):
        return reply.result("not-running")
    return reply.result("orders-cancelled")


def _given(reply: Reply, asked: ReplyText) -> CommandResult:
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
    return reply.result("ordered", *_lines(reply))


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


def _lines(reply: Reply) -> list[str]:
    """Return the orders that wait, a line for each."""
    games, link = reply.context.games, reply.link
    with games.engine.connect() as db:
        found: list[View] = orders_of(db, games.open(db, link.game_id), link.seat, reply.language)["orders"]
    return [
        say(reply.language, "order-line", number=number, notation=each["notation"], text=each["text"])
        for number, each in enumerate(found, 1)
    ]
