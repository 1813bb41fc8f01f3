"""What holds for what every game contributes to the page of a table, checked on random games of it.

The law of secrets: a contribution follows from what the viewer may know, so it is the same for all states that look
alike to the viewer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from service.rules.contributions import Contributions
from service.rules.kernel import AnyRuleset
from service.rules.shapes import Choices, NoSuchChoice, Picks, Seat
from service.rules.svg import Svg
from service.rules.tabletop.drawing import ROLES, small_look
from service.rules.tabletop.plain_words import LONGEST, SHORTEST
from service.rules.tabletop.table import Table
from service.rules.tabletop.telling import numbers
from service.rules.typeset import LOOSE
from tests.rules.playouts import (
    TRIED,
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
from tests.rules.test_every_picture import SVG, check_harmless

LARGE, SMALL = 17, 24
"""No text of a board is smaller, in its largest and in its smallest look."""
KNOWN_CLASSES = re.compile(r"c[1-8]|on-c[1-8]|seat-[1-5]|star")
every_ruleset = pytest.mark.parametrize("ruleset", TRIED.values(), ids=TRIED)


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
@fewest
@seeds
def test_marks_are_at_places_that_exist_and_belong_to_lines_of_the_log(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for first in range(0, len(game.steps), 12):
        events = happened(game, first, first + 12)
        state = game.states[min(first + 12, len(game.steps))]
        for viewer in viewers(seats):
            page = table(ruleset, state, seats, viewer)
            marks, lines, places = page.changes(events), page.story(events), page.places()
            assert all({mark.at, mark.origin or mark.at} <= places for mark in marks)
            told = [line for line in lines for mark in marks if line.first <= mark.event <= line.last]
            assert len(told) == len(marks), "a mark belongs to no line, or to two"
            assert [line.first for line in lines] == sorted(line.first for line in lines)
            assert {line.icon for line in lines} <= set(page.symbols)
            assert sorted(numbers(lines, marks).values()) == list(range(1, len(numbers(lines, marks)) + 1))
            assert len(numbers(lines, marks)) <= 9


@every_table
@fewest
@seeds
def test_every_event_has_the_number_of_its_turn(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    events = happened(game, 0, None)
    told = table(ruleset, game.states[-1], seats, None).turns(events)
    if not ruleset.contributions.turns:
        assert told == ()
        return
    state, numbers_of_turns = game.start, []
    for event, _ in events:
        state = ruleset.evolve(state, event)
        numbers_of_turns.append(ruleset.turn(state))
    assert list(told) == numbers_of_turns


@every_table
@fewest
@seeds
def test_who_comes_next_is_somebody_else_than_who_is_to_act(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in [*game.states[::9], game.states[-1]]:
        for viewer in viewers(seats):
            coming = table(ruleset, state, seats, viewer).upcoming()
            assert not set(coming) & ruleset.to_act(state) and len(coming) == len(set(coming))
            assert all(0 <= seat < seats for seat in coming)


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
def test_what_is_told_of_the_log_is_the_same_for_whoever_sees_the_same(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    state = game.states[-2]
    for viewer in viewers(seats):
        page = table(ruleset, state, seats, viewer)
        for fact, seat in happened(game, 0, None)[:60]:
            told = ruleset.redact(fact, viewer)
            alike = [
                other
                for other, _ in happened(game, 0, None)
                if ruleset.redact(other, viewer) == told and type(other) is type(fact)
            ]
            assert len({repr(page.story([(other, seat)])) for other in alike[:3]}) == 1


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
@fewest
@seeds
def test_a_board_is_harmless_and_can_be_read(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate([*game.states[::15], game.states[-1]]):
        language = ruleset.meta.languages[number % len(ruleset.meta.languages)]
        page = table(ruleset, state, seats, viewers(seats)[number % (seats + 1)], language)
        board = page.board()
        drawn = fromstring(board.svg)
        check_harmless(drawn)
        assert drawn.get("aria-label") and drawn.get("viewBox") == f"0 0 {board.width:g} {board.height:g}"
        named = {
            each.get("data-place"): each.get("aria-label") for each in drawn.iter(f"{SVG}g") if each.get("data-place")
        }
        assert named == {place: each.label for place, each in board.places.items()} and all(named.values())
        for place in board.places.values():
            assert 0 <= place.x and place.x + place.width <= board.width
            assert 0 <= place.y and place.y + place.height <= board.height
            assert place.x <= place.anchor[0] <= place.x + place.width
        assert all(size >= LARGE for size in sizes(board.svg)) and all(
            size >= SMALL for size in sizes(small_look(board.svg))
        )
        check_harmless(fromstring(small_look(board.svg)))
        json.dumps({name: place[:5] for name, place in board.places.items()})


def sizes(svg: str) -> list[float]:
    """The sizes of all texts of a picture, each of a role."""
    texts = list(fromstring(svg).iter(f"{SVG}text"))
    assert all(str(each.get("class")).split()[0].removeprefix("t-") in ROLES for each in texts)
    return [float(each.get("font-size", 0)) for each in texts]


@every_table
def test_a_name_is_nothing_but_text_on_a_board(name: str, seats: int) -> None:
    ruleset, game = played(name, seats, 1)
    names = ["</title><script>&\"'", "\x00\x1b\ud800", "محمد", "李小龙🎉", ""][:seats]
    page = Table(ruleset, game.states[-1], seats, 0, "en", names)
    for svg in (page.board().svg, small_look(page.board().svg)):
        check_harmless(fromstring(svg.encode(errors="surrogatepass")))
    assert page.status().sentence and page.result()


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


@every_ruleset
def test_symbols_can_stand_on_a_page(ruleset: AnyRuleset) -> None:
    for language in ruleset.meta.languages:
        for name, symbol in ruleset.contributions.symbols(language).items():
            drawn = fromstring(symbol)
            assert drawn.tag == "symbol" and drawn.get("id") == name and drawn.get("viewBox")
            assert re.fullmatch(r"[a-z0-9-]+", name)
            check_harmless(
                fromstring(Svg("<svg>") + symbol.replace(f' id="{name}"', "").replace("symbol", "g") + "</svg>"), ""
            )


@every_ruleset
def test_words_can_be_read_on_every_colour_of_a_game(ruleset: AnyRuleset) -> None:
    looks = ruleset.contributions.looks
    assert {name for name in looks if not name.startswith("on-")} == {
        name[3:] for name in looks if name.startswith("on-")
    }
    for name in looks:
        if not name.startswith("on-"):
            for below, above in zip(looks[name], looks[f"on-{name}"], strict=True):
                assert contrast(below, above) >= 4.5, name


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
