"""Mails of every kind, as a house sends them to people who play, are invited, sign in and answer."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path
from uuid import uuid4

from service.handlers import invitations, lobby, mail_preferences, sign_in, talk
from service.handlers.invitations import ByMail
from service.runtime import Runtime
from service.shared import clock
from tests.builders import finished, opened, sealed_bids, started, table_for
from tests.letters import Letter, is_about
from tests.people import alice, bob, guest
from tests.replying import reply, take
from tests.workers.solo import hurry
from workers.relay import Relay

KINDS = {
    "turn",
    "started",
    "over",
    "message",
    "problem",
    "receipt",
    "digest",
    "trial",
    "invitation",
    "confirmation",
} | {"sign-in"}


def every_kind(runtime: Runtime, mailbox: Path) -> list[Letter]:
    """Have mails of all kinds sent, and return them; the addresses in them lead into a game that still runs."""
    games, now = runtime.games, clock.now()
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    game, daily = position.game.id, alice(games, f"{uuid4().hex}@example.org")
    mail_preferences.change(games, daily.id, {"digest": 7})
    started(games, "sealed-bids", [daily, bob(games, None), alice(games, None)])
    finished(games, sealed_bids(games))
    talk.say(games, game, people[1].id, "Well begun, Alice!", "web", clock.now())
    mail_preferences.try_again(games, people[0].id, now)
    guest(games, f"{uuid4().hex}@example.org")
    host = alice(games, f"{uuid4().hex}@example.org")
    invitations.invite(
        games, table_for(games, "new-corp-order", host, 3), host.id, ByMail(f"{uuid4().hex}@example.org"), now, None
    )
    lobby.kick_player(games, opened(games, "new-corp-order", [host, people[1]]), 1, host.id)
    sign_in.ask(games, f"{uuid4().hex}@example.org", "Zoë", "fr", now)
    _send(runtime)
    asking = next(each for each in arrived(mailbox) if each.kind == "turn" and is_about(each.message, game))
    take(runtime, reply(asking, "help"))
    _send(runtime)
    mails = arrived(mailbox)
    kinds = {mail.kind for mail in mails}
    assert kinds == KINDS, kinds ^ KINDS
    return mails


def arrived(mailbox: Path) -> list[Letter]:
    """The mails in the box."""
    raws = [path.read_bytes() for path in sorted(mailbox.glob("*.eml"))]
    return [Letter(raw, message_from_bytes(raw, policy=policy.default)) for raw in raws]  # type: ignore[arg-type]


def _send(runtime: Runtime) -> None:
    relay = Relay(replace(runtime, redis=None))
    for _ in range(2):
        hurry(runtime)
        while relay.drain():
            pass
