"""The envelope of an event (seat, door) is as secret as its data, in all that is told of a game that runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.handlers.play import Move, play
from service.log.folding import TimelineStep
from service.log.recorded import Recorded
from service.mail.play import lead_of
from service.rules.games.bastards_inc.actions import Drop
from service.rules.games.bastards_inc.events import DiscardChosen, DrawChosen
from service.store.games import Games, Position
from service.views.history import HIDDEN_DOOR, history, recap_of, visible_events
from service.views.record import view_text
from service.views.replay import replay, shown_step
from tests.builders import act, finished, first_legal, sealed_bids, started
from tests.people import alice, bob, carol


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


AT = datetime(2026, 1, 1, 12, tzinfo=UTC)


def envelope_told(position: Position, recorded: Sequence[Recorded], viewer: int | None) -> list[Any]:
    """All that is made from a stretch of the log for a viewer."""
    steps = [TimelineStep((each,), 1, undone=False) for each in recorded]
    recap = recap_of(position, recorded, 0 if viewer is None else viewer, "en")
    return [
        visible_events(position, recorded, viewer, "en"),
        [shown_step(position, step, viewer, "en") for step in steps],
        (recap.sentences, lead_of(position, 0 if viewer is None else viewer, recap)),
    ]


@pytest.mark.parametrize("viewer", [0, None])
def test_seat_and_door_of_a_secret_choice_change_nothing_of_what_others_are_told(
    games: Games, viewer: int | None
) -> None:
    position = started(games, "bastards-inc", [alice(games), bob(games), carol(games)])

    def told(dropper: int, door: str) -> list[Any]:
        # Bob and Carol have answered; then one of them, nobody else knows who, has chosen a card to be discarded.
        facts = [DrawChosen(seat=1, bonus=0), DrawChosen(seat=2, bonus=0), DiscardChosen(seat=dropper, card="a07")]
        recorded = [
            Recorded(seq, fact, fact.seat, door, position.decision, {"type": "any"}, AT + timedelta(seconds=seq), name)
            for seq, (fact, name) in enumerate(
                zip(facts, ["draw-chosen", "draw-chosen", "discard-chosen"], strict=True), position.version + 1
            )
        ]
        return envelope_told(position, recorded, viewer)

    assert told(1, "reply") == told(2, "order")


def doors(games: Games, position: Position, viewer: int | None) -> list[str]:
    with games.engine.connect() as db:
        return [each["door"] for each in history(db, position, viewer, 0, 500, "en")]


def doors_of_record(games: Games, position: Position, viewer: int | None) -> list[str]:
    """The doors of the steps in the viewer's record."""
    with games.engine.connect() as db:
        return [json.loads(line)["door"] for line in view_text(db, position, viewer).splitlines()[1:]]


def test_a_door_is_told_to_its_own_player_until_the_game_is_over(games: Games) -> None:
    position = sealed_bids(games)
    begun = position.version
    for seat, door in ((0, "api"), (1, "reply")):
        move = Move(position.game.id, seat, position.decision, first_legal(position, seat), door)
        position = play(games, move).position
    for viewer, known in ((0, ["api", HIDDEN_DOOR]), (1, [HIDDEN_DOOR, "reply"]), (None, [HIDDEN_DOOR] * 2)):
        assert doors(games, position, viewer) == [HIDDEN_DOOR] * begun + known
        assert doors_of_record(games, position, viewer) == [HIDDEN_DOOR, *known]
    over = finished(games, position)
    for viewer in (0, None):
        assert HIDDEN_DOOR not in doors(games, over, viewer)
    # The record of a viewer tells what was known in the game; the whole record tells all.
    assert doors_of_record(games, over, 0)[:3] == [HIDDEN_DOOR, "api", HIDDEN_DOOR]
