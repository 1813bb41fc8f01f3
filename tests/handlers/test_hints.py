"""Players take hints alone against the computer and in training games, and the log counts them."""

from __future__ import annotations

import pytest

from service.handlers.play import take_hint
from service.handlers.refusals import HintsNotAllowed, NotSeated, NotYourTurn, UnknownGame
from service.rules.shared_events import HintTaken
from service.store import events
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import now_at, started
from tests.people import alice, bob, carol

ALICE = 0


def noted(games: Games, position: Position) -> list[HintTaken]:
    with games.engine.connect() as db:
        log = events.read(db, position.codec, position.game.id, 0, now_at(games, position.game.id).version)
    return [each.event for each in log if isinstance(each.event, HintTaken)]


def test_a_hint_is_counted_once_for_each_decision_and_changes_nothing_else(games: Games) -> None:
    player = alice(games)
    before = started(games, "new-corp-order", [player])
    first = take_hint(games, before.game.id, player.id, "web")
    again = take_hint(games, before.game.id, player.id, "api")

    assert noted(games, before) == [HintTaken(seat=ALICE, decision=before.decision)]
    assert again.hints == first.hints
    assert (first.position.state, first.position.decision) == (before.state, before.decision)
    assert {each.action for each in first.hints} <= set(before.ruleset.legal(before.state, ALICE))


def test_strangers_and_players_with_others_get_no_hints(games: Games) -> None:
    player = alice(games)
    alone, together = (
        started(games, "new-corp-order", [player]),
        started(games, "sealed-bids", [player, bob(games), carol(games)]),
    )
    with pytest.raises(UnknownGame):
        take_hint(games, alone.game.id, carol(games).id, "web")
    with pytest.raises(HintsNotAllowed):
        take_hint(games, together.game.id, player.id, "web")
    assert not noted(games, alone) and not noted(games, together)


def test_in_a_training_game_the_player_who_has_to_act_gets_hints_and_nobody_else(games: Games) -> None:
    players = [alice(games), bob(games)]
    terms = Terms(access="public", training=True)
    position = started(games, "new-corp-order", players, terms=terms)
    [seat] = position.to_act
    hinted = take_hint(games, position.game.id, players[seat].id, "web")
    assert {each.action for each in hinted.hints} <= set(position.ruleset.legal(position.state, seat))
    with pytest.raises(NotYourTurn):
        take_hint(games, position.game.id, players[1 - seat].id, "web")
    with pytest.raises(NotSeated):
        take_hint(games, position.game.id, carol(games).id, "web")
    assert noted(games, position) == [HintTaken(seat=seat, decision=position.decision)]
