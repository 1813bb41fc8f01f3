"""An event that keeps its seat secret names nobody, in the history and in the replay of a game that runs."""

from __future__ import annotations

from service.rules.games.bastards_inc.actions import Drop
from service.store.games import Games
from service.store.position import Position
from service.views.history import history
from service.views.replay import replay
from tests.builders import act, started
from tests.people import alice, bob


def after_a_drop(games: Games) -> Position:
    """A game in which Bob has just chosen a card to be discarded, in the second round."""
    position = started(games, "bastards-inc", [alice(games), bob(games)])
    while True:
        for seat in sorted(position.ruleset.to_act(position.state)):
            drops = [each for each in position.ruleset.legal(position.state, seat) if isinstance(each, Drop)]
            if seat == 1 and drops:
                return act(games, position, seat, drops[0]).position
        seat = max(position.ruleset.to_act(position.state))
        position = act(games, position, seat, position.ruleset.on_timeout(position.state, seat)).position


def test_nobody_else_sees_who_has_chosen_a_card_to_be_discarded(games: Games) -> None:
    position = after_a_drop(games)
    with games.engine.connect() as db:
        timeline = games.timeline(db, position)
        for viewer, actor in ((1, 1), (0, None), (None, None)):
            event = history(db, position, viewer, position.version - 1, 1, "en")[-1]
            assert (event["type"], event["actor"], event["data"]["seat"]) == ("discard-chosen", actor, actor)
            step = replay(position, timeline, viewer, "en")["items"][-1]
            assert (step["actor"], step["notation"] is None) == (actor, actor is None)


def test_whoever_has_answered_is_named(games: Games) -> None:
    position = after_a_drop(games)
    answer = position.ruleset.on_timeout(position.state, 1)
    after = act(games, position, 1, answer).position
    with games.engine.connect() as db:
        event = history(db, after, 0, position.version, 1, "en")[0]
    assert (event["type"], event["actor"], event["data"]) == ("draw-chosen", 1, {"seat": 1, "bonus": None})
