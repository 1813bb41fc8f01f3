"""What holds for what every game contributes to the page of a table, checked on random games of it.

The law of secrets: a contribution follows from what the viewer may know, so it is the same for all states that look
alike to the viewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from service.rules.contributions import Contributions
from service.rules.kernel import AnyRuleset
from service.rules.shapes import Choices, NoSuchChoice, Picks, Seat
from service.rules.tabletop.plain_words import LONGEST, SHORTEST
from service.rules.tabletop.table import Table
from service.rules.typeset import LOOSE
from tests.rules.playouts import (
    Played,
    chance_of,
    every_table,
    few,
    fewest,
    names_of,
    played,
    seeds,
    viewers,
)

KNOWN_CLASSES = re.compile(r"c[1-8]|on-c[1-8]|seat-[1-5]|star")


def table(ruleset: AnyRuleset, state: Any, seats: int, viewer: Seat | None, language: str = "en") -> Table:
    return Table(ruleset, state, seats, viewer, language, names_of(seats))


def asked(ruleset: AnyRuleset, game: Played, seats: int, every: int) -> Iterator[tuple[Any, Seat]]:
    """Every so many states of a game, and a seat that is asked there."""
    for state in game.states[:-1:every]:
        for seat in sorted(ruleset.to_act(state) & set(range(seats)))[:1]:
            yield state, seat


def happened(game: Played, first: int, last: int | None) -> list[tuple[Any, Seat | None]]:
    """The events of some steps, each with the seat that caused it."""
    return [(fact, step.seat) for step in game.steps[first:last] for fact in step.facts]


@every_table
@fewest
@seeds
def test_every_part_is_there_for_every_position_and_viewer(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate([*game.states[::9], game.states[-1]]):
        language = ruleset.meta.languages[number % len(ruleset.meta.languages)]
        for viewer in viewers(seats):
            page = table(ruleset, state, seats, viewer, language)
            symbols = page.symbols
            used = {piece.symbol for zone in page.zones() for piece in zone.pieces} | {
                kind.icon for kind in page.kinds()
            }
            for seat in range(page.panels):
                panel = page.panel(seat)
                assert len(panel.chips) <= 6 and len(panel.emblems) <= 6
                used |= {chip.symbol for chip in panel.chips} | {emblem.symbol for emblem in panel.emblems}
                assert all(chip.title and KNOWN_CLASSES.fullmatch(chip.look) for chip in panel.chips)
            assert used <= set(symbols)
            cells = page.glimpse().cells
            assert 0 < len(cells) <= 24 and all(KNOWN_CLASSES.fullmatch(cell) for cell in cells)
            assert [] == list(page.kinds()) or page.sight.mine
            assert all(kind.word and kind.targets > 0 and (kind.good or 0) <= kind.targets for kind in page.kinds())


@every_table
@fewest
@seeds
def test_two_states_that_look_alike_to_a_viewer_contribute_the_same(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    sampled = game.states[:: max(1, len(game.states) // 6)]
    for number, state in enumerate([*sampled, *game.states[-2:]]):
        asked_now = sorted(ruleset.to_act(state) & set(range(seats)))
        for viewer in {viewers(seats)[number % (seats + 1)], *asked_now[:1]}:
            others = ruleset.imagine(state, viewer)[1::4] or [state]
            shown = contributed(ruleset, state, seats, viewer)
            assert all(shown == contributed(ruleset, other, seats, viewer) for other in others)


def contributed(ruleset: AnyRuleset, state: Any, seats: int, viewer: Seat | None) -> list[str]:
    """All that a page has of a position, and of its first choices and previews, as text."""
    page = table(ruleset, state, seats, viewer)
    parts: list[Any] = [page.board().svg, page.zones(), page.kinds(), page.choices(), page.status(), page.glimpse()]
    parts += [page.panel(seat) for seat in range(page.panels)]
    parts += [page.result()]
    legal = ruleset.legal(state, viewer) if viewer in ruleset.to_act(state) else ()
    parts += [page.preview(action) for action in legal[:: max(1, len(legal) // 3)]]
    return [repr(part) for part in parts]


@every_table
@few
@seeds
def test_the_points_of_a_preview_are_those_after_the_action(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, (state, seat) in enumerate(asked(ruleset, game, seats, 5)):
        page = table(ruleset, state, seats, seat)
        actions = ruleset.legal(state, seat)
        for action in actions[number % 7 :: max(1, len(actions) // 4)]:
            foreseen = page.preview(action)
            facts = ruleset.decide(state, seat, action, chance_of(seed))
            after = state
            for fact in facts:
                after = ruleset.evolve(after, fact)
            later = table(ruleset, after, seats, seat)
            for who, (before, then) in enumerate(foreseen.points):
                assert before == page.panel(who).points
                assert then is None or then == later.panel(who).points, (ruleset.notate(action), who)
            assert foreseen.reveals or foreseen.points[seat].after is not None
            assert foreseen.told.sentence and foreseen.told.button


@every_table
@fewest
@seeds
def test_every_choice_comes_to_what_it_says(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state, seat in asked(ruleset, game, seats, 11):
        page = table(ruleset, state, seats, seat)
        places, legal = page.places(), list(ruleset.legal(state, seat))
        offered = page.choices().choices
        assert offered or page.choices().action in legal
        for choice in offered:
            found = finished(page, choice.picks)
            assert found.action in legal
            assert choice.label and (choice.place is None or choice.place in places)
        for choice in [each for each in offered if page.choices(each.picks).action is not None][:4]:
            foreseen = page.preview(page.choices(choice.picks).action)
            before, after = foreseen.points[seat]
            if choice.gain is not None and before is not None and after is not None:
                assert choice.gain == after - before
                assert choice.prospect == foreseen.told.prospect


def finished(page: Table, picks: Picks) -> Choices:
    """The choices after the picks, and after the first choice of each part that is still asked."""
    found = page.choices(picks)
    while found.action is None:
        further = next(each for each in reversed(found.choices) if not each.chosen and len(each.picks) > len(picks))
        picks = further.picks
        found = page.choices(picks)
    return found


@every_table
@fewest
@seeds
def test_a_ruleset_that_contributes_nothing_has_a_page_all_the_same(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    bare = replace(ruleset, contributions=Contributions())
    for state, seat in islice(asked(bare, game, seats, 17), 4):
        page = table(bare, state, seats, seat)
        assert page.board().places and page.kinds() and page.status().sentence
        action = finished(page, page.choices().choices[0].picks).action
        assert action in bare.legal(state, seat)
        assert page.preview(action).told.sentence and page.choices(page.picks(action)).action == action
    page = table(bare, game.states[-1], seats, None)
    lines, marks = page.story(happened(game, 0, 9)), page.changes(happened(game, 0, 9))
    assert lines and {mark.at for mark in marks} <= page.places() and page.result()


@every_table
@fewest
@seeds
def test_every_legal_action_can_be_picked(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, (state, seat) in enumerate(asked(ruleset, game, seats, 7)):
        page = table(ruleset, state, seats, seat)
        actions = ruleset.legal(state, seat)
        for action in actions[number % 3 :: max(1, len(actions) // 10)]:
            picks = page.picks(action)
            assert page.choices(picks).action == action
            assert all(isinstance(value, str) for value in picks.values())
        with pytest.raises(NoSuchChoice):
            page.choices({**picks, "kind": "no-such-kind"})
        with pytest.raises(NoSuchChoice):
            page.choices({**picks, "nothing": "1"})


@every_table
@few
@seeds
def test_the_chips_of_a_preview_are_what_changes_in_the_panels(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, (state, seat) in enumerate(asked(ruleset, game, seats, 9)):
        page, actions = table(ruleset, state, seats, seat), ruleset.legal(state, seat)
        for action in actions[number % 5 :: max(1, len(actions) // 4)]:
            after = state
            for fact in ruleset.decide(state, seat, action, chance_of(seed)):
                after = ruleset.evolve(after, fact)
            later = table(ruleset, after, seats, seat)
            for who, chips in enumerate(page.preview(action).chips):
                before = {chip.symbol: chip.number for chip in page.panel(who).chips}
                then = {chip.symbol: chip.number for chip in later.panel(who).chips}
                assert all(chip.number == then[chip.symbol] - before.get(chip.symbol, 0) for chip in chips)


@every_table
@fewest
@seeds
def test_a_status_is_short_in_every_language(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in [*game.states[::4], game.states[-1]]:
        for language in ruleset.meta.languages:
            for viewer in viewers(seats):
                for names in (names_of(seats), ["W" * 60] * seats, ["محمد بن عبد الله الطويل"] * seats):
                    status = Table(ruleset, state, seats, viewer, language, names).status()
                    assert 0 < len(status.sentence) <= LONGEST and 0 < len(status.short) <= SHORTEST
                    assert language != "fr" or not LOOSE.search(status.sentence), status.sentence


@every_table
@few
@seeds
def test_a_result_adds_up(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    assert table(ruleset, game.start, seats, 0).result() is None
    curve = [tuple(ruleset.measures[0].count(state)) for state in game.states]
    for language in ruleset.meta.languages:
        for viewer in viewers(seats):
            page = table(ruleset, game.states[-1], seats, viewer, language)
            result, outcome = page.result(curve), ruleset.outcome(game.states[-1])
            assert result is not None and outcome is not None and outcome["scores"] is not None
            assert result.headline and result.reason
            assert [sum(part.points for part in parts) for parts in result.parts] == list(outcome["scores"])
            assert all(KNOWN_CLASSES.fullmatch(part.look) for parts in result.parts for part in parts)
            assert result.turning is None or 0 < result.turning.turn < len(curve)
