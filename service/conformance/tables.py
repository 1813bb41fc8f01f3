"""Checks of a game's part in the page of a table: contributions, log lines, marks, board, symbols, pictures.

The law of secrets: a contribution follows from what the viewer may know, so it is the same for all states that look
alike to the viewer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.playouts import Broken, chance_of
from service.conformance.words import check_typeset
from service.rules.kernel import AnyRuleset, Json, fold
from service.rules.svg import Svg
from service.rules.table_parts import Board, Choices, NoSuchChoice, Picks, Seat
from service.rules.table_plugin import Contributions
from service.rules.tabletop.default_words import LONGEST, SHORTEST
from service.rules.tabletop.drawing import ROLES, small_look
from service.rules.tabletop.story import numbers
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


# The log on the page: lines, marks, turns, next seats.

STORIES = Checks()


@STORIES.games(1, "Let each mark be at a place that is there, and belong to one line of `story`.")
def marks_are_at_places_that_exist_and_belong_to_lines_of_the_log(trial: Trial) -> None:
    """Check marks and lines."""
    game = trial.game
    for first in range(0, len(game.steps), 12):
        events = game.happened(first, first + 12)
        for viewer in trial.viewers:
            page = table(trial, game.states[min(first + 12, len(game.steps))], viewer)
            marks, lines, places = page.changes(events), page.story(events), page.places()
            at = {each for mark in marks for each in (mark.at, mark.origin or mark.at)}
            ensure(at <= places, f"marks at places that are not there: {sorted(at - places)}")
            told = [line for line in lines for mark in marks if line.first <= mark.event <= line.last]
            ensure(len(told) == len(marks), "a mark belongs to no line, or to two")
            same([line.first for line in lines], sorted(line.first for line in lines), "the order of the lines")
            ensure({line.icon for line in lines} <= set(page.symbols), "a line has an icon that is no symbol")
            given = numbers(lines, marks).values()
            ensure(sorted(given) == list(range(1, len(given) + 1)) and len(given) <= 9, f"numbers of lines: {given}")


@STORIES.games(1, "Name in `turns` all events with which `turn` rises, or none.")
def every_event_has_the_number_of_its_turn(trial: Trial) -> None:
    """Check the turns of the log."""
    ruleset, events = trial.ruleset, trial.game.happened(0, None)
    told = table(trial, trial.game.states[-1], None).turns(events)
    if not ruleset.contributions.turns:
        same(told, (), "turns")
        return
    state, counted = trial.game.start, []
    for event, _ in events:
        state = ruleset.evolve(state, event)
        counted.append(ruleset.turn(state))
    same(list(told), counted, "turns")


@STORIES.games(1, "Let `upcoming` name seats of players that do not have to act now, each once.")
def who_comes_next_is_somebody_else_than_who_is_to_act(trial: Trial) -> None:
    """Check who comes next."""
    for state in [*trial.game.states[::9], trial.game.states[-1]]:
        for viewer in trial.viewers:
            coming = table(trial, state, viewer).upcoming()
            others = not set(coming) & trial.ruleset.to_act(state) and len(coming) == len(set(coming))
            ensure(others and all(0 <= seat < trial.seats for seat in coming), f"seats {coming} come next")


@STORIES.games(1, "Let `story` and `describe` use of an event what `redact` tells the viewer, and nothing else.")
def what_is_told_of_the_log_is_the_same_for_whoever_sees_the_same(trial: Trial) -> None:
    """Check that sentences tell no more than redacted events."""
    ruleset, game = trial.ruleset, trial.game
    for viewer in trial.viewers:
        page = table(trial, game.states[-2], viewer)
        for fact, seat in game.happened(0, None)[:60]:
            told = ruleset.redact(fact, viewer)
            alike = [
                other
                for other, _ in game.happened(0, None)
                if type(other) is type(fact) and ruleset.redact(other, viewer) == told
            ]
            ensure(len({repr(page.story([(other, seat)])) for other in alike[:3]}) == 1, f"{told} is told in two ways")


@STORIES.games(1, "Give each of `headlines` the index of an event, a weight from 1 to 100, and a sentence in one line.")
def a_headline_is_of_an_event_and_weighs_something(trial: Trial) -> None:
    """Check the subjects of mails."""
    for number, state, events in _stretches(trial):
        language = trial.ruleset.meta.languages[number % len(trial.ruleset.meta.languages)]
        for reader in range(trial.seats):
            for each in table(trial, state, None, language).headlines(events, reader):
                ensure(0 <= each.event < len(events), f"{each} is of no event")
                ensure(1 <= each.weight <= 100, f"{each} weighs too little or too much")
                whole = each.sentence.splitlines() == [each.sentence.strip()] and not each.sentence.endswith(".")
                ensure(whole, f"{each} is empty, of several lines, or ends in a full stop")
                check_typeset(language, each.sentence)


@STORIES.games(1, "Let `headlines` use nothing but the Sight of a spectator and what `redact` shows a spectator.")
def a_headline_tells_nothing_that_a_spectator_may_not_know(trial: Trial) -> None:
    """Check that headlines are the same for all that looks alike to a spectator."""
    ruleset = trial.ruleset
    for _, state, events in _stretches(trial):
        told = table(trial, state, None).headlines(events, 0)
        for other in list(ruleset.imagine(state, None))[1:3]:
            same(table(trial, other, None).headlines(events, 0), told, "what a subject tells")


def _stretches(trial: Trial) -> Iterator[tuple[int, Any, Sequence[tuple[Any, Seat | None]]]]:
    """Yield the number of each stretch of a game, the state after it, and what happened in it."""
    game = trial.game
    for first in range(0, len(game.steps), 12):
        yield first // 12, game.states[min(first + 12, len(game.steps))], game.happened(first, first + 12)


# Pictures of the whole table, and captions.

PICTURES = Checks()
SVG: Final = "{http://www.w3.org/2000/svg}"
HOSTILE: tuple[str, ...] = ("</title><script>&\"'", "\x00\x1b\ud800", "محمد", "李小龙🎉", "")
"""Names that are more than letters."""
_HARMLESS: Final = frozenset({"svg", "g", "title", "text", "rect", "circle", "ellipse", "polygon", "path"})
_SQUARE: Final = re.compile(r"\b[A-Z][0-9]\b")


@PICTURES.games(1, "Build the picture with `picture` of svg.py, with `caption` as its title, from the view alone.")
def the_table_is_painted_as_a_picture_that_stands_for_itself(trial: Trial) -> None:
    """Check the picture of the table."""
    ruleset, game, names = trial.ruleset, trial.game, trial.names
    for number, state in enumerate([*game.states[::25], game.states[-1]]):
        shown = ruleset.view(state, trial.viewers[number % (trial.seats + 1)])
        for language in ruleset.meta.languages:
            painted = ruleset.paint(shown, language, names)
            drawn = parsed(painted)
            whole = drawn.tag == f"{SVG}svg" and drawn.get("role") == "img" and drawn.get("viewBox")
            ensure(whole, "the picture is no <svg> with role and viewBox")
            same(drawn.findtext(f"{SVG}title"), ruleset.caption(shown, language, names), "the title of the picture")
            check_harmless(drawn)
            again = ruleset.paint(json.loads(json.dumps(shown)), language, names)
            ensure(painted == again, "a view that went through JSON gives another picture")


@PICTURES.games(1, "A replay stops at any event: let `view`, `draw`, `paint`, `caption` do without what comes later.")
def the_table_can_be_looked_at_after_every_event(trial: Trial) -> None:
    """Check the states between the events of a step, those of the setup above all."""
    ruleset, languages, state = trial.ruleset, trial.ruleset.meta.languages, None
    for number, event in enumerate(trial.game.log()):
        state = ruleset.evolve(state, event)
        ruleset.to_act(state), ruleset.decision(state), ruleset.turn(state), ruleset.outcome(state)
        for at, viewer in enumerate(trial.viewers):
            try:
                shown = ruleset.view(state, viewer)
                # Each event is drawn for one viewer, in one language: there are many.
                if number < len(trial.game.setup) or number % len(trial.viewers) == at:
                    _look(trial, shown, languages[number % len(languages)])
            except Exception as error:
                raise Broken(f"event {number + 1}, {type(event).__name__}, viewer {viewer}: {error!r}") from error


def _look(trial: Trial, shown: Json, language: str) -> None:
    ruleset, names = trial.ruleset, trial.names
    ensure(ruleset.draw(shown, language, names), "the table as text is empty")
    drawn = parsed(ruleset.paint(shown, language, names))
    same(drawn.findtext(f"{SVG}title"), ruleset.caption(shown, language, names), "the title of the picture")


@PICTURES.games(1, "Draw a `place` of svg.py for each square that the notation names, such as B3.")
def every_square_that_an_action_names_is_in_the_picture(trial: Trial) -> None:
    """Check the places of the picture."""
    ruleset = trial.ruleset
    for state in trial.game.states[:-1:15]:
        for seat in ruleset.to_act(state) & set(range(trial.seats)):
            squares = places_of(ruleset.paint(ruleset.view(state, seat), "en", trial.names))
            same(sorted(squares), sorted(set(squares)), "the squares of the picture")
            for action in ruleset.legal(state, seat):
                lacking = set(_SQUARE.findall(ruleset.notate(action))) - set(squares)
                ensure(not lacking, f"{ruleset.notate(action)} names {sorted(lacking)}, which the picture has not")


@PICTURES.games(1, "Let `caption` be one sentence of at most 250 characters with any names; shorten them.")
def a_position_has_a_caption_in_every_language(trial: Trial) -> None:
    """Check the caption."""
    ruleset, game = trial.ruleset, trial.game
    for state in game.states[::3] + game.states[-1:]:
        for language in ruleset.meta.languages:
            for names in (trial.names, ["W" * 60] * trial.seats):
                caption = ruleset.caption(ruleset.view(state, None), language, names)
                ensure(0 < len(caption) <= 250 and caption.endswith("."), f"{len(caption)} characters: {caption!r}")
                ensure(caption.replace("\N{NO-BREAK SPACE}", " ").isprintable(), f"not printable: {caption!r}")
                check_typeset(language, caption)


@PICTURES.games(1, "Write names with `line_of` or `said` of svg.py.")
def a_name_is_nothing_but_text_in_a_picture(trial: Trial) -> None:
    """Check a picture with hostile names."""
    view = trial.ruleset.view(trial.game.states[-1], 0)
    drawn = parsed(trial.ruleset.paint(view, "en", (HOSTILE * 2)[: trial.seats]).encode())
    check_harmless(drawn)
    ensure(any("<script>" in text for text in drawn.itertext()), "the name of the first seat is not in the picture")


def parsed(svg: str | bytes) -> Element:
    """Return a picture as elements; ParseError if it is no XML."""
    return fromstring(svg)  # noqa: S314 - it is what the game itself draws


def places_of(painted: str) -> list[str]:
    """Return the names of the places in a picture."""
    return [each.get("data-place", "") for each in parsed(painted).iter(f"{SVG}g") if each.get("class") == "square"]


def check_harmless(drawn: Element, space: str = SVG) -> None:
    """Check that a picture runs nothing, fetches nothing, and needs no style that a strict policy refuses."""
    for each in drawn.iter():
        ensure(each.tag.removeprefix(space) in _HARMLESS, f"a picture has no element {each.tag}")
        for key, value in each.items():
            harmful = key.startswith("on") or "href" in key or key in {"style", "id"}
            ensure(not harmful, f"a picture has no attribute {key}")
            ensure("url(" not in value and "//" not in value, f"a picture fetches nothing: {value}")


# Drawings: board, symbols, colours.

DRAWINGS = Checks()
LARGE: Final = 17
SMALL: Final = 24
"""No text of a board is smaller, in its largest and in its smallest look."""
CONTRAST: Final = 4.5


@DRAWINGS.games(1, "Build boards with `plates` or with Place and `lettered` of tabletop/drawing.py.")
def a_board_is_harmless_and_can_be_read(trial: Trial) -> None:
    """Check the board."""
    languages = trial.ruleset.meta.languages
    for number, state in enumerate([*trial.game.states[::15], trial.game.states[-1]]):
        viewer = trial.viewers[number % (trial.seats + 1)]
        board = table(trial, state, viewer, languages[number % len(languages)]).board()
        drawn = parsed(board.svg)
        check_harmless(drawn)
        same(drawn.get("viewBox"), f"0 0 {board.width:g} {board.height:g}", "the box of the board")
        named = {
            each.get("data-place"): each.get("aria-label") for each in drawn.iter(f"{SVG}g") if each.get("data-place")
        }
        same(named, {name: place.label for name, place in board.places.items()}, "the places of the board")
        ensure(drawn.get("aria-label") and all(named.values()), "board or places have no label")
        _check_places(board)
        ensure(all(size >= LARGE for size in _sizes(board.svg)), f"a text is smaller than {LARGE}")
        ensure(all(size >= SMALL for size in _sizes(small_look(board.svg))), f"a small text is smaller than {SMALL}")
        check_harmless(parsed(small_look(board.svg)))
        json.dumps({name: place[:5] for name, place in board.places.items()})


def _check_places(board: Board) -> None:
    for name, place in board.places.items():
        inside = place.x >= 0 and place.x + place.width <= board.width
        inside = inside and place.y >= 0 and place.y + place.height <= board.height
        ensure(inside and place.x <= place.anchor[0] <= place.x + place.width, f"{name} is not within the board")


def _sizes(svg: str) -> list[float]:
    """Return the sizes of all texts of a picture, each of a role."""
    texts = list(parsed(svg).iter(f"{SVG}text"))
    for each in texts:
        role = str(each.get("class")).split()[0].removeprefix("t-")
        ensure(role in ROLES, f"a text of the board has no role of {sorted(ROLES)}: {role}")
    return [float(each.get("font-size", 0)) for each in texts]


@DRAWINGS.games(1, "Write names with `lettered` or `said`.")
def a_name_is_nothing_but_text_on_a_board(trial: Trial) -> None:
    """Check a board with hostile names."""
    page = Table(trial.ruleset, trial.game.states[-1], trial.seats, 0, "en", (HOSTILE * 2)[: trial.seats])
    for svg in (page.board().svg, small_look(page.board().svg)):
        check_harmless(parsed(svg.encode(errors="surrogatepass")))
    ensure(page.status().sentence and page.result(), "status or result are missing")


@DRAWINGS.ruleset("Make each symbol an element `symbol` with its name as id and a viewBox; names in kebab case.")
def symbols_can_stand_on_a_page(ruleset: AnyRuleset) -> None:
    """Check the symbols."""
    for language in ruleset.meta.languages:
        for name, symbol in ruleset.contributions.symbols(language).items():
            drawn = parsed(symbol)
            whole = drawn.tag == "symbol" and drawn.get("id") == name and drawn.get("viewBox")
            ensure(whole and re.fullmatch(r"[a-z0-9-]+", name), f"the symbol {name} is none")
            inside = symbol.replace(f' id="{name}"', "").replace("symbol", "g")
            check_harmless(parsed(Svg("<svg>") + inside + "</svg>"), "")


@DRAWINGS.ruleset("Choose `looks` in which `on-cN` can be read on `cN`, by day and by night.")
def words_can_be_read_on_every_colour_of_a_game(ruleset: AnyRuleset) -> None:
    """Check the contrast of colours."""
    looks = ruleset.contributions.looks
    below = {name for name in looks if not name.startswith("on-")}
    same({name.removeprefix("on-") for name in looks.keys() - below}, below, "the colours with words on them")
    for name in below:
        for ground, words in zip(looks[name], looks[f"on-{name}"], strict=True):
            ensure(contrast(ground, words) >= CONTRAST, f"{words} on {ground} ({name}) has less than {CONTRAST}")


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear: list[float] = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
