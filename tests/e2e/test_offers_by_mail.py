"""Offers and secrets by mail: an invitation, a bid, a drop and its order; and a substitute."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask

from service.commands.selfplay import draw
from service.handlers import links
from service.handlers.take_back import Wish, take_back
from service.rules.games.bastards_inc.actions import Agree, Drop, Fight, Invite
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.games import Games, Position
from tests.builders import act, now_at, started
from tests.e2e.mail_game import moves_in
from tests.leaving import BOB, left, played_out, taken_over
from tests.letters import Letter, Page
from tests.ordering import by_order, try_orders
from tests.people import new_address, register
from tests.replying import delivered, reply, take

Asked = Callable[[Position, set[type[Any]]], bool]


def asked(games: Games, wanted: Asked) -> tuple[Position, int]:
    """Play games of four, one after another, until a seat is asked for what is wanted; return the game and the seat.

    The seat that has just acted does not count: its mail would come later.
    """
    # What other tests have made of an address is nothing to these people.
    people = [register(games, name, new_address(), "en") for name in ("Alice", "Bob", "Carol", "Dave")]
    lots = Random(1)
    while True:
        position = started(games, "bastards-inc", people, **{"first-player": 0})
        last: int | None = None
        while position.awaited:
            legal = {seat: position.ruleset.legal(position.state, seat) for seat in sorted(position.awaited)}
            others = [seat for seat in legal if seat != last]
            found = [seat for seat in others if wanted(position, set(map(type, legal[seat])))]
            if found:
                return position, found[0]
            last = lots.choice(list(legal))
            offers = [each for each in legal[last] if isinstance(each, Invite)]
            position = act(games, position, last, lots.choice(offers) if offers else draw(legal[last], lots)).position


def turn_mail(runtime: Runtime, mailbox: Path, position: Position, seat: int) -> Letter:
    """Return the mail that asks the seat for its move."""
    found = delivered(runtime, mailbox, position.game.id)[str(position.seats[seat].email)]
    return next(letter for letter in reversed(found) if letter.kind == "turn")


@pytest.mark.parametrize("answer", ["agree", "decline"])
def test_an_invitation_is_answered_by_a_link_of_the_turn_mail(
    app: Flask, runtime: Runtime, mailbox: Path, answer: str
) -> None:
    position, seat = asked(runtime.games, lambda _, kinds: Agree in kinds)
    letter = turn_mail(runtime, mailbox, position, seat)
    moves = moves_in(letter)
    inviters = [each.split()[1] for each in moves if each.startswith("agree")]
    offers = [f"{word} {inviter}" for word in ("agree", "decline") for inviter in inviters]
    assert inviters and moves[: len(offers)] == offers
    move = next(each for each in moves if each.startswith(answer))
    address = f"{letter.link}/{links.code(move)}"
    assert address in letter.raw.decode().replace("=\r\n", "").replace("=3D", "=")
    web, path = app.test_client(use_cookies=False), urlsplit(address).path
    (form,) = (each for each in Page(web.get(path).text).forms if "notation" in each.hidden)
    pressed = web.post(form.action, data=form.hidden)
    for sure in (each for each in Page(pressed.text).forms if "sure" in each.hidden):
        assert web.post(sure.action, data=sure.hidden).status_code == 200
    after = now_at(runtime.games, position.game.id)
    with runtime.engine.connect() as db:
        last = [each for each in events.read(db, after.codec, after.game.id) if each.action is not None][-1]
    assert last.action == {"type": answer, "seat": int(move.split()[1][1:]) - 1} and last.door == "link"


def test_a_bid_by_reply_is_told_to_nobody_until_all_have_answered(runtime: Runtime, mailbox: Path) -> None:
    position, seat = asked(
        runtime.games, lambda now, kinds: Fight in kinds and len(now.awaited) > 1 and _rich(now, min(now.awaited))
    )
    letter = turn_mail(runtime, mailbox, position, seat)
    assert take(runtime, reply(letter, "fight 1")) == "stored"
    (answer, *_) = delivered(runtime, mailbox, position.game.id)[letter.recipient]
    assert answer.kind == "receipt"
    after = now_at(runtime.games, position.game.id)
    assert (after.decision, seat in after.awaited) == (position.decision, False)
    ruleset = after.ruleset
    assert ruleset.view(after.state, seat)["own"]["answer"] is not None
    for other in {*range(4), None} - {seat}:
        assert "answer" not in str(ruleset.view(after.state, other)["companies"])
        own = ruleset.view(after.state, other)["own"]
        assert own is None or own["answer"] is None or other != seat
        imagined = ruleset.imagine(after.state, other)
        assert len({str(ruleset.view(each, seat)["own"]["answer"]) for each in imagined}) > 1


def test_a_drop_by_reply_leaves_the_draw_owing_and_an_order_does_it(runtime: Runtime, mailbox: Path) -> None:
    position, seat = asked(runtime.games, lambda now, kinds: Drop in kinds and len(now.awaited) > 1)
    letter = turn_mail(runtime, mailbox, position, seat)
    card = position.ruleset.view(position.state, seat)["companies"][seat]["hand"][0]
    assert take(runtime, reply(letter, f"drop {card}\nthen draw")) == "stored"
    delivered(runtime, mailbox, position.game.id)
    after = try_orders(runtime, position)
    assert [each.action and each.action["type"] for each in by_order(runtime.games, position.game.id)] == ["draw"]
    assert (after.decision, seat in after.awaited) == (position.decision, False)


def test_a_drop_is_taken_back_and_the_decision_stays(games: Games) -> None:
    position, seat = asked(games, lambda now, kinds: Drop in kinds and len(now.awaited) > 1)
    (first, *_) = (each for each in position.ruleset.legal(position.state, seat) if isinstance(each, Drop))
    dropped = act(games, position, seat, first).position
    wish = Wish(position.game.id, seat, position.decision, "web")
    after = take_back(games, wish, timedelta(hours=1), clock.now()).position
    assert after.state == position.state != dropped.state
    assert after.decision == position.decision and first in after.ruleset.legal(after.state, seat)


def test_a_seat_that_was_left_is_taken_over_and_the_game_ends(games: Games) -> None:
    position, _, stranger = left(games, "bastards-inc")
    after = taken_over(games, position, BOB, stranger)
    assert BOB not in after.unattended
    assert played_out(games, position.game.id).outcome


def _rich(position: Position, seat: int) -> bool:
    return bool(position.ruleset.view(position.state, None)["companies"][seat]["influence"])
