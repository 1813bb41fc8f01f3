"""Several people at one table at once: nobody gets half a seat, and the game starts once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from service.handlers import invitations, lobby
from service.handlers.invitations import ByLink
from service.handlers.refusals import InvitationOver, NotOpen
from service.shared import clock
from service.store import events
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import invitation_token
from tests.builders import now_at, opened, table_for
from tests.people import alice, bob, carol
from tests.store.test_two_writers import held


def at_once(games: Games, game: UUID, *attempts: Callable[[], object]) -> list[str]:
    """Make the attempts wait for one lock, let them go, and return what came of each."""
    with ThreadPoolExecutor(len(attempts)) as threads:
        with held(games, now_at(games, game), len(attempts)) as wait_for_queue:
            submitted = [threads.submit(attempt) for attempt in attempts]
            wait_for_queue()
        return [str(each.exception() or "done") for each in submitted]


def test_of_two_who_want_the_last_seat_one_gets_it_and_the_game_starts_once(games: Games) -> None:
    game = table_for(games, "sealed-bids", alice(games), 3, Terms(access="public", start="full"))
    lobby.join(games, game, bob(games).id, clock.now())
    rivals = [carol(games).id, carol(games).id]
    ends = at_once(games, game, *(lambda rival=rival: lobby.join(games, game, rival, clock.now()) for rival in rivals))
    assert sorted(ends) == ["done", "started"]
    position = now_at(games, game)
    assert (position.game.status, position.version, len(position.seats)) == ("running", 4, 3)


@pytest.mark.parametrize("round_", range(3))
def test_a_game_starts_with_the_joiner_or_without_but_never_half(games: Games, round_: int) -> None:
    host, guest = alice(games), bob(games)
    game = opened(games, "sealed-bids", [host, guest, carol(games)])
    ends = at_once(
        games,
        game,
        lambda: lobby.start(games, game, host.id, clock.now()),
        lambda: lobby.leave_table(games, game, guest.id),
    )
    position = now_at(games, game)
    if position.game.status == "running":
        assert (ends, len(position.seats)) == (["done", "started"], 3)
    else:
        assert (ends, len(position.seats), position.version) == (["seats-free", "done"], 2, 0)


def test_the_last_to_join_and_the_host_start_the_game_once(games: Games) -> None:
    host = alice(games)
    game = table_for(games, "sealed-bids", host, 3, Terms(access="public", start="full"))
    lobby.join(games, game, bob(games).id, clock.now())
    ends = at_once(
        games,
        game,
        lambda: lobby.join(games, game, carol(games).id, clock.now()),
        lambda: lobby.start(games, game, host.id, clock.now()),
    )
    assert ends[0] == "done"
    assert ends[1] in ("started", "seats-free")
    position = now_at(games, game)
    with games.engine.connect() as db:
        log = [each.name for each in events.read(db, position.codec, game)]
    assert log == ["game-started", "hand-dealt", "hand-dealt", "hand-dealt"]


def test_everybody_leaving_at_once_leaves_a_cancelled_game(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    ends = at_once(games, game, *(lambda who=who: lobby.leave_table(games, game, who.id) for who in people))
    assert ends == ["done"] * 3
    assert now_at(games, game).game.status == "cancelled"


def test_an_invitation_is_either_accepted_or_taken_back(games: Games) -> None:
    host, guest = alice(games), bob(games)
    game = table_for(games, "sealed-bids", host, 3, Terms())
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    token = invitation_token(given.id, "secret")
    at_once(
        games,
        game,
        lambda: invitations.accept(games, token, guest.id, clock.now()),
        lambda: invitations.revoke(games, game, given.id, host.id, clock.now()),
    )
    with pytest.raises((InvitationOver, NotOpen)):
        invitations.accept(games, token, guest.id, clock.now())
