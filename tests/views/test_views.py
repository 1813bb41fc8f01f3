"""The read path: what one viewer gets to see, built from a position."""

from __future__ import annotations

import json
from dataclasses import replace

from msgspec import structs

from service.store.events import since_decision
from service.store.games import Games, Position
from service.texts.catalog import languages, say
from service.views import lobby
from service.views.history import history, latest_recap, visible_events
from service.views.table import choices, spoken, standings, table
from tests.builders import act, first_legal, now_at, opened, sealed_bids
from tests.games.sealed_bids.actions import Bid
from tests.people import alice, bob, carol


def test_a_table_that_has_not_begun_has_seats_and_nothing_else(games: Games) -> None:
    position = now_at(games, opened(games, "sealed-bids", [alice(games), bob(games), carol(games)]))
    shown = table(position, 1)
    assert [seat["name"] for seat in shown["seats"]] == ["Alice", "Bob", "Carol"]
    assert (shown["decision"], shown["to_act"], shown["view"], shown["outcome"]) == (None, [], None, None)
    assert choices(position, 1, "en") == []


def test_free_seats_have_no_name(games: Games) -> None:
    position = now_at(games, opened(games, "sealed-bids", [alice(games), bob(games), carol(games)]))
    shown = table(replace(position, seats=position.seats[:1]), None)
    person = {
        "bot": False,
        "owner": None,
        "computer": None,
        "reachable": True,
        "unconfirmed": False,
        "auto_answers": [],
    }
    assert shown["seats"] == [{"seat": seat, "name": name, **person} for seat, name in enumerate(("Alice", None, None))]


def test_another_hidden_hand_changes_no_byte_of_what_others_see(games: Games) -> None:
    position = sealed_bids(games)
    hands = position.state.hands
    state = replace(position.state, hands=(tuple(reversed(range(3, 6))), *hands[1:]))
    other = replace(position, folded=structs.replace(position.folded, state=state))
    for viewer in (1, 2, None):
        assert _seen(position, viewer) == _seen(other, viewer)
    assert _seen(position, 0) != _seen(other, 0)


def test_choices_are_for_whoever_is_to_act(games: Games) -> None:
    position = sealed_bids(games)
    assert [each["notation"] for each in choices(position, 0, "en")][-1] == "hold"
    after = act(games, position, 0, first_legal(position, 0)).position
    assert choices(after, 0, "en") == []
    assert choices(after, None, "en") == []
    assert len(choices(after, 1, "en")) == 4


def test_a_language_is_the_first_wish_that_the_game_speaks(games: Games) -> None:
    position = sealed_bids(games)
    assert [spoken(position, *wishes) for wishes in (("fr", "de"), ("xx", "de"), (None, "fr"), ("xx",), ())] == [
        "fr",
        "de",
        "fr",
        "en",
        "en",
    ]


def test_history_is_redacted_worded_and_cut_into_pages(games: Games) -> None:
    position = sealed_bids(games)
    with games.engine.connect() as db:
        mine = history(db, position, 0, 0, 100, "en")
        theirs = history(db, position, 1, 0, 100, "en")
        page = history(db, position, 0, 1, 1, "en")
    assert mine[0]["type"] == "game-started"
    assert mine[0]["text"] == say("en", "history-started")
    assert mine[0]["data"]["commitment"] == position.game.commitment
    assert mine[1]["data"]["cards"] == list(position.state.hands[0])
    assert theirs[1]["data"]["cards"] == 3
    assert [each["seq"] for each in page] == [2]
    assert all(each["text"] and each["actor"] is None for each in mine)


def test_history_goes_no_further_than_the_position(games: Games) -> None:
    before = sealed_bids(games)
    act(games, before, 0, first_legal(before, 0))
    with games.engine.connect() as db:
        assert len(history(db, before, None, 0, 100, "en")) == before.version


def test_the_start_is_worded_in_every_language_of_the_games() -> None:
    from service.rules.registry import find_rulesets

    spoken_somewhere = {each for ruleset in find_rulesets().values() for each in ruleset.meta.languages}
    assert spoken_somewhere <= set(languages())


def test_a_recap_tells_what_came_after_ones_own_last_action(games: Games) -> None:
    first = sealed_bids(games)
    position = first
    for seat in range(3):
        position = act(games, position, seat, Bid(card=first.state.hands[seat][0])).position
    with games.engine.connect() as db:
        since = since_decision(db, position.codec, position.game.id, position.ruleset.decision(first.state))
        assert len(since) == 4
        expected = [each["text"] for each in visible_events(position, since, 0, "de") if each["seq"] > since[0].seq]
        assert latest_recap(db, position, 0, "de").sentences == tuple(expected)
        assert latest_recap(db, position, 2, "de").sentences == ()
        before = latest_recap(db, first, 0, "de").sentences
    assert before[0] == say("de", "history-started")


def test_standings_name_the_version_they_are_of(games: Games) -> None:
    position = sealed_bids(games)
    assert standings(position, None) == {
        "version": position.version,
        "outcome": None,
        "standings": {"scores": [0, 0, 0], "lots": [[], [], []]},
        "played_by": [{"seat": seat, "by": "player", "handed_over": []} for seat in range(3)],
    }


def test_rulesets_are_shown_from_their_meta_alone(games: Games) -> None:
    shown = {each["name"]: each for each in lobby.rulesets(games.rulesets)}
    assert shown["sealed-bids"]["summary"]["de"].startswith("Drei Lose")
    assert json.dumps(shown)


def _seen(position: Position, viewer: int | None) -> str:
    shown = [table(position, viewer), standings(position, viewer), *choices(position, viewer, "en")]
    return json.dumps(shown)
