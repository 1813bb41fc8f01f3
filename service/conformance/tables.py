"""What a game contributes to the page of a table.

The law of secrets: a contribution follows from what the viewer may know, so it is the same for all states that look
alike to the viewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.playouts import chance_of
from service.conformance.words import check_typeset
from service.rules.kernel import fold
from service.rules.table_parts import Choices, NoSuchChoice, Picks, Seat
from service.rules.table_plugin import Contributions
from service.rules.tabletop.default_words import LONGEST, SHORTEST
from service.rules.tabletop.table import Table

TABLES = Checks()
KNOWN_CLASSES: Final = re.compile(r"c[1-8]|on-c[1-8]|seat-[1-6]|star")


def table(trial: Trial, state: Any, viewer: Seat | None, language: str = "en") -> Table:
    """Return the page of a state for a viewer."""
    return Table(trial.ruleset, state, trial.seats, viewer, language, trial.names)


def asked(trial: Trial, every: int) -> Iterator[tuple[Any, Seat]]:
    """Yield every so many states of a game, and a seat that is asked there."""
    for state in trial.game.states[:-1:every]:
        for seat in sorted(trial.ruleset.to_act(state) & set(range(trial.seats)))[:1]:
            yield state, seat


@TABLES.games(
    1, "See docs/contribute-to-the-table.md: symbols for all that is drawn, looks c1 .. c8, 24 cells, 6 chips."
)
def every_part_is_there_for_every_position_and_viewer(trial: Trial) -> None:
    """Check symbols, panels, cells and kinds."""
    languages = trial.ruleset.meta.languages
    for number, state in enumerate([*trial.game.states[::9], trial.game.states[-1]]):
        for viewer in trial.viewers:
            page = table(trial, state, viewer, languages[number % len(languages)])
            kinds, cells = page.kinds(), page.glimpse().cells
            used = {piece.symbol for zone in page.zones() for piece in zone.pieces} | {kind.icon for kind in kinds}
            used |= {symbol for seat in range(page.panels) for symbol in _of_panel(page, seat)}
            ensure(used <= set(page.symbols), f"symbols that are not there: {sorted(used - set(page.symbols))}")
            known = 0 < len(cells) <= 24 and all(KNOWN_CLASSES.fullmatch(cell) for cell in cells)
            ensure(known, f"the cells {cells} of the glimpse")
            ensure(not kinds or page.sight.mine, f"kinds of action for {viewer}, who is not to act")
            counted = all(kind.word and kind.targets > 0 and (kind.good or 0) <= kind.targets for kind in kinds)
            ensure(counted, f"a kind without word or targets: {kinds}")


def _of_panel(page: Table, seat: Seat) -> Iterator[str]:
    panel = page.panel(seat)
    ensure(len(panel.chips) <= 6 and len(panel.emblems) <= 6, f"the panel of seat {seat} has more than 6 of a kind")
    for chip in panel.chips:
        ensure(chip.title and KNOWN_CLASSES.fullmatch(chip.look), f"{chip} has no title, or an unknown look")
    yield from (chip.symbol for chip in panel.chips)
    yield from (emblem.symbol for emblem in panel.emblems)


@TABLES.games(1, "Use nothing in a contribution but the Sight that it gets.")
def two_states_that_look_alike_to_a_viewer_contribute_the_same(trial: Trial) -> None:
    """Check the law of secrets."""
    ruleset, states = trial.ruleset, trial.game.states
    sampled = states[:: max(1, len(states) // 6)]
    for number, state in enumerate([*sampled, *states[-2:]]):
        asked_now = sorted(ruleset.to_act(state) & set(range(trial.seats)))
        for viewer in {trial.viewers[number % (trial.seats + 1)], *asked_now[:1]}:
            shown = _contributed(trial, state, viewer)
            for other in ruleset.imagine(state, viewer)[1::4] or [state]:
                for one, another in zip(shown, _contributed(trial, other, viewer), strict=True):
                    same(another, one, f"what viewer {viewer} is shown")


def _contributed(trial: Trial, state: Any, viewer: Seat | None) -> list[str]:
    """Return all that a page has of a position, and of its first choices and previews, as text."""
    page = table(trial, state, viewer)
    parts: list[Any] = [page.board().svg, page.zones(), page.kinds(), page.choices(), page.status(), page.glimpse()]
    parts += [page.panel(seat) for seat in range(page.panels)]
    parts += [page.result()]
    legal = trial.ruleset.legal(state, viewer) if viewer is not None and page.sight.mine else ()
    parts += [page.preview(action) for action in legal[:: max(1, len(legal) // 3)]]
    return [repr(part) for part in parts]


@TABLES.games(3, "Take the points of panels from the view, and make `imagine` true: a preview is worked out on it.")
def the_points_of_a_preview_are_those_after_the_action(trial: Trial) -> None:
    """Check the points of previews against what comes."""
    ruleset = trial.ruleset
    for number, (state, seat) in enumerate(asked(trial, 5)):
        page, actions = table(trial, state, seat), ruleset.legal(state, seat)
        for action in actions[number % 7 :: max(1, len(actions) // 4)]:
            foreseen = page.preview(action)
            later = table(trial, fold(ruleset, ruleset.decide(state, seat, action, chance_of(trial.seed)), state), seat)
            for who, (before, then) in enumerate(foreseen.points):
                same(before, page.panel(who).points, "the points before")
                said = f"{ruleset.notate(action)}: points of seat {who} after it"
                ensure(then is None or then == later.panel(who).points, f"{said}: {then}, {later.panel(who).points}")
            ensure(foreseen.reveals or foreseen.points[seat].after is not None, "own points are unknown")
            ensure(foreseen.told.sentence and foreseen.told.button, "a preview without sentence or button")


@TABLES.games(1, "Let each choice lead to a legal action, stand at a place that is there, and keep its promises.")
def every_choice_comes_to_what_it_says(trial: Trial) -> None:
    """Check the choices."""
    for state, seat in asked(trial, 11):
        page = table(trial, state, seat)
        places, legal = page.places(), list(trial.ruleset.legal(state, seat))
        first = page.choices()
        ensure(first.choices or first.action in legal, "nothing can be chosen")
        for choice in first.choices:
            ensure(_finished(page, choice.picks).action in legal, f"{choice} leads to no legal action")
            at_place = choice.place is None or choice.place in places
            ensure(choice.label and at_place, f"{choice} has no label, or its place is not there")
        for choice in [each for each in first.choices if page.choices(each.picks).action is not None][:4]:
            foreseen = page.preview(page.choices(choice.picks).action)
            before, after = foreseen.points[seat]
            if choice.gain is not None and before is not None and after is not None:
                same((after - before, foreseen.told.prospect), (choice.gain, choice.prospect), "what a choice brings")


def _finished(page: Table, picks: Picks) -> Choices:
    """Return the choices after the picks, and after the first choice of each part that is still asked."""
    found = page.choices(picks)
    while found.action is None:
        further = [each for each in reversed(found.choices) if not each.chosen and len(each.picks) > len(picks)]
        ensure(further, f"after {picks} there is neither a choice nor an action")
        picks = further[0].picks
        found = page.choices(picks)
    return found


@TABLES.games(1, "Make `describe`, `ask`, `legal` and `standings` enough for a page: contributions may be left out.")
def a_ruleset_that_contributes_nothing_has_a_page_all_the_same(trial: Trial) -> None:
    """Check the page of defaults."""
    bare = replace(trial, ruleset=replace(trial.ruleset, contributions=Contributions()))
    for state, seat in islice(asked(bare, 17), 4):
        page = table(bare, state, seat)
        ensure(page.board().places and page.kinds() and page.status().sentence, "a part of the page is missing")
        chosen = page.choices()
        action = chosen.action if not chosen.choices else _finished(page, chosen.choices[0].picks).action
        ensure(action in bare.ruleset.legal(state, seat), f"{action} is not legal")
        ensure(page.preview(action).told.sentence, f"{action} is told as nothing")
        same(page.choices(page.picks(action)).action, action, "the action of its own picks")
    page, happened = table(bare, trial.game.states[-1], None), trial.game.happened(0, 9)
    lines, marks = page.story(happened), page.changes(happened)
    ensure(lines and {mark.at for mark in marks} <= page.places() and page.result(), "log, marks or result are missing")


@TABLES.games(1, "Let `picks` and `choices` come to the same action; raise NoSuchChoice for picks that no action has.")
def every_legal_action_can_be_picked(trial: Trial) -> None:
    """Check the picks of legal actions."""
    for number, (state, seat) in enumerate(asked(trial, 7)):
        page, actions = table(trial, state, seat), trial.ruleset.legal(state, seat)
        for action in actions[number % min(3, len(actions)) :: max(1, len(actions) // 10)]:
            picks = page.picks(action)
            same(page.choices(picks).action, action, f"the action of {picks}")
            ensure(all(isinstance(value, str) for value in picks.values()), f"{picks} are not texts")
            for wrong in ({**picks, "kind": "no-such-kind"}, {**picks, "nothing": "1"}):
                ensure(_refuses(page, wrong), f"{wrong} are taken for picks")


def _refuses(page: Table, picks: Picks) -> bool:
    try:
        page.choices(picks)
    except NoSuchChoice:
        return True
    return False


@TABLES.games(3, "Take the numbers of chips from the view alone.")
def the_chips_of_a_preview_are_what_changes_in_the_panels(trial: Trial) -> None:
    """Check the chips of previews against what comes."""
    ruleset = trial.ruleset
    for number, (state, seat) in enumerate(asked(trial, 9)):
        page, actions = table(trial, state, seat), ruleset.legal(state, seat)
        for action in actions[number % 5 :: max(1, len(actions) // 4)]:
            later = table(trial, fold(ruleset, ruleset.decide(state, seat, action, chance_of(trial.seed)), state), seat)
            for who, chips in enumerate(page.preview(action).chips):
                before = {chip.symbol: chip.number for chip in page.panel(who).chips}
                then = {chip.symbol: chip.number for chip in later.panel(who).chips}
                for chip in chips:
                    same(chip.number, then[chip.symbol] - before.get(chip.symbol, 0), f"the change of {chip.symbol}")


@TABLES.games(1, f"Fit the status into {LONGEST} characters and its short form into {SHORTEST}, with any names.")
def a_status_is_short_in_every_language(trial: Trial) -> None:
    """Check the sentence of a position."""
    ruleset, seats = trial.ruleset, trial.seats
    for state in [*trial.game.states[::4], trial.game.states[-1]]:
        for language in ruleset.meta.languages:
            for viewer in trial.viewers:
                for names in (trial.names, ["W" * 60] * seats, ["محمد بن عبد الله الطويل"] * seats):
                    status = Table(ruleset, state, seats, viewer, language, names).status()
                    fits = 0 < len(status.sentence) <= LONGEST and 0 < len(status.short) <= SHORTEST
                    ensure(fits, f"{status} is too long, or empty")
                    check_typeset(language, status.sentence)


@TABLES.games(
    3, "Let the parts of a result add up to the scores of the outcome, and count the scores in the first measure."
)
def a_result_adds_up(trial: Trial) -> None:
    """Check the result."""
    ruleset, game = trial.ruleset, trial.game
    ensure(table(trial, game.start, 0).result() is None, "there is a result before the end")
    curve = [tuple(ruleset.measures[0].count(state)) for state in game.states]
    outcome = ruleset.outcome(game.states[-1])
    scores = list((outcome and outcome["scores"]) or ())
    same(list(curve[-1])[: len(scores)], scores, "the first measure at the end")
    for language in ruleset.meta.languages:
        sources = set(ruleset.contributions.sources(language))
        same(len({part.symbol for part in sources}), len(sources), f"the symbols of the sources in {language}")
        for viewer in trial.viewers:
            result = table(trial, game.states[-1], viewer, language).result(curve)
            ensure(result and result.headline and result.reason, "the result has no headline or no reason")
            if result is not None:
                same([sum(part.points for part in parts) for parts in result.parts], scores, "the parts of the points")
                looks = {part.look for parts in result.parts for part in parts}
                ensure(all(map(KNOWN_CLASSES.fullmatch, looks)), f"unknown looks among {looks}")
                made = {part._replace(points=0) for parts in result.parts for part in parts}
                ensure(trial.seats == 1 or not sources or made <= sources, f"parts of no source: {made - sources}")
                turning = result.turning
                ensure(turning is None or 0 < turning.turn < len(curve), f"{turning} is no turn of the game")
