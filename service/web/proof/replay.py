"""Page that replays a game: the table after any step, as a viewer saw it.

The query names an event number (`at`) and a viewer (`eyes`). The page works without a script; a script plays the steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final
from uuid import UUID

from flask import Response, request, url_for
from markupsafe import Markup
from sqlalchemy import Connection

from service.handlers.lobby import Fork, fork, terms_of
from service.handlers.refusals import NoSuchEvent, NotOver, NotRunning, OneTry, UnknownGame
from service.handlers.transaction import transaction
from service.log.folding import Timeline, TimelineStep
from service.log.recorded import Recorded
from service.players.analysis import Point
from service.rules.bidi import isolated
from service.rules.kernel import GameStarted, Section
from service.rules.shared_events import GameForked, SharedEvent
from service.rules.table_parts import Line
from service.rules.tabletop.default_status import turning_point
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.story import numbers
from service.rules.tabletop.table import Table
from service.shared import clock
from service.store.games import Position, require_known
from service.texts.catalog import count
from service.texts.games import full_title
from service.views.replay import allowed_viewers
from service.views.sentences import describe_event, notation, own_events
from service.web.blueprint import compress_page, web
from service.web.game_page import game_page
from service.web.local_time import shown_moment
from service.web.pace import shown_clocks
from service.web.page import admitted, current_runtime
from service.web.play.board_overlays import all_symbols, use_symbol
from service.web.play.board_view import Overlay, view_board
from service.web.play.charts import (
    FinishedGame,
    KeyMoment,
    finished_plots,
    finished_points,
    gains_in_chances,
    gains_in_points,
    key_moments,
    points_curve,
)
from service.web.play.event_log import LogLine, numbered_marks
from service.web.play.guide import glossary
from service.web.play.panels import PanelBuilder, ShownPanel, colour_of
from service.web.proof.analysis import chances_over_steps, shown_analysis
from service.web.session import NOBODY, SCRIPT_POLICY, Visitor, page, see_other, signed_in
from service.web.viewer_context import ViewerContext, viewer_context

SPECTATOR: Final = "spectator"


@dataclass(frozen=True, slots=True)
class ReplayPoint:
    """Step of a game, by its `place` in the timeline, and the viewer whose view is shown."""

    context: ViewerContext
    timeline: Timeline
    place: int
    viewer: int | None

    @property
    def step(self) -> TimelineStep:
        """Return the step being viewed."""
        return self.timeline.steps[self.place]

    @property
    def then(self) -> Position:
        """Return the game as it was after the step."""
        return self.context.position.at(self.step.last, self.timeline.after(self.step))

    @property
    def table(self) -> Table:
        """Return the table after the step, for the viewer."""
        then, context = self.then, self.context
        return Table(then.ruleset, then.state, then.game.seats, self.viewer, context.rules_language, context.names)

    @property
    def finished(self) -> FinishedGame:
        """Return the whole game as a cache key; for finished games only."""
        position = self.context.position
        return FinishedGame(position.game.id, position.version, self.timeline)

    @property
    def open_to_all(self) -> bool:
        """Return whether everybody may know all actions, since the game is over."""
        return self.context.position.game.status == "finished"


@web.get("/games/<uuid:game_id>/replay")
def show_replay(game_id: UUID) -> Response:
    """Show the table after an event."""
    return game_page(game_id, _show)


@web.post("/games/<uuid:game_id>/fork")
@signed_in
def fork_game(visitor: Visitor, game_id: UUID) -> Response:
    """Open a fork of a finished game after the event `seq`, and go there; it begins when its seats are taken."""
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    games, seq = current_runtime().games, request.form.get("seq", 0, type=int)
    try:
        with transaction(games.engine) as db:
            seats = games.open(db, game_id).game.seats
        wanted = Fork(game_id, seq, terms_of({"start": "full"}, seats))
        position = fork(games, visitor.id, wanted, clock.now())
    except (NoSuchEvent, NotOver, NotRunning, OneTry):
        return see_other(url_for("web.show_replay", game_id=game_id))
    return see_other(url_for("web.show_game", game_id=position.game.id))


def _show(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    context = viewer_context(db, position, visitor)
    point = _point(context, current_runtime().games.timeline(db, position))
    language, alone = context.rules_language, request.args.get("only") == "step"
    analysis = shown_analysis(context, point.timeline, point.step, step_alone=alone)
    titled = full_title(position.ruleset.meta, position.game.options, context.language)
    chances = None if analysis is None else analysis.get("points")
    response = page(
        "proof/replay/parts.html" if alone else "proof/replay/page.html",
        whole_width=True,
        viewer_context=context,
        position=point.then,
        point=point,
        title=isolated(position.game.terms.name or titled),
        full_title=titled,
        count=partial(count, context.language),
        moment=partial(shown_moment, language=context.language, zone=context.zone),
        clocks=shown_clocks(replace(context, position=point.then), point.step.at),
        notation=_notation(point),
        totals=_totals(point),
        plots=[] if alone else _plots(point),
        ways=_navigation(point.timeline.steps, point.place),
        turns=_turns(point.timeline.steps),
        may_play_on=visitor is not None
        and point.open_to_all
        and not position.game.sealed_up(clock.now())
        and bool(position.ruleset.to_act(point.then.state)),
        viewers=allowed_viewers(position, context.seat),
        words=glossary(position.ruleset.guide, language),
        as_eyes=_as_eyes,
        before=_origin_address(point, visitor),
        analysis=analysis,
        moments_in="points" if chances is None else "chances",
        **_table(point, chances),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def _table(point: ReplayPoint, chances: Sequence[Point] | None) -> dict[str, Any]:
    """Return the table after the step with the step's marks, and the points over the turns of a finished game."""
    context, then = point.context, point.then
    table = Table(then.ruleset, then.state, then.game.seats, point.viewer, context.rules_language, point.context.names)
    lines, marks = told_step(table, point.step, context.zone)
    lying = view_board(table, None, Overlay(marks), partial(colour_of, context.seat), context.language)
    at_moment, sight, symbols = replace(context, position=then), table.sight, table.symbols
    side = PanelBuilder(context=at_moment, table=table, picking=None, clocks=None, marks=marks, zones={})
    panels = side.panels()
    return {
        "lines": lines,
        "board_view": lying,
        "panels": panels,
        "running": then.game.status == "running",
        "symbols": all_symbols(symbols),
        "icon": lambda name: use_symbol(symbols, name).svg,
        "as_text": then.ruleset.draw(sight.view, sight.language, sight.names).rstrip(),
        **_over_turns(point, panels, chances),
    }


def _over_turns(point: ReplayPoint, panels: Sequence[ShownPanel], chances: Sequence[Point] | None) -> dict[str, Any]:
    """Return the curve of points with the step marked, and the key moments; empty before the game's end.

    Moments follow the win probabilities of the analysis, which are drawn with them. Without an analysis they follow the
    points, and include the turning point by points.
    """
    if not point.open_to_all:
        return {"curve": "", "moments": []}
    context, timeline, alone = point.context, point.timeline, request.args.get("only") == "step"
    outcome, points = context.position.outcome, finished_points(point.finished)
    winners = () if outcome is None else outcome["winners"]
    turning = turning_point(winners, points)
    drawn = {"curve": points_curve(points, turning, panels, context.language, shown=point.step.turn)}
    if chances is None and alone:
        return {**drawn, "moments": []}
    gains = gains_in_points(timeline) if chances is None else gains_in_chances(timeline, chances)
    found = key_moments(gains, winners, turning and turning.turn if chances is None else None)
    if chances is not None:
        drawn["chances"] = chances_over_steps(context, chances, point.step.last, found)
    return {**drawn, "moments": [] if alone else [(each, _told(point, each)) for each in found]}


def _told(point: ReplayPoint, moment: KeyMoment) -> str:
    """Return the sentence of a key moment: the line with a mark, or else the first line."""
    there = replace(point, place=point.timeline.place(moment.gained.seq))
    lines, _ = told_step(there.table, there.step, point.context.zone)
    return next((each.sentence for each in lines if each.number), lines[0].sentence if lines else "")


def _point(context: ViewerContext, timeline: Timeline) -> ReplayPoint:
    """Return the step and the viewer of the query; by default the first step and the visitor's own view."""
    position = context.position
    at = min(max(1, request.args.get("at", 1, type=int)), position.version)
    wanted_viewer = request.args.get("eyes")
    allowed = {_as_eyes(viewer): viewer for viewer in allowed_viewers(position, context.seat)}
    return ReplayPoint(context, timeline, timeline.place(at), allowed.get(wanted_viewer or "", context.seat))


def _origin_address(point: ReplayPoint, visitor: Visitor | None) -> str | None:
    """Return the path to the forked moment of the original game; None if the visitor may not see that game."""
    forked = next((each.event for each in point.step.facts[:2] if isinstance(each.event, GameForked)), None)
    if forked is None:
        return None
    db = point.context.db
    try:
        origin = current_runtime().games.unfolded(db, UUID(forked.game))
        require_known(db, origin, NOBODY if visitor is None else visitor.id)
    except (UnknownGame, ValueError):
        return None
    return url_for("web.show_replay", game_id=origin.game.id, at=forked.seq, eyes=_as_eyes(point.viewer))


def _notation(point: ReplayPoint) -> str | None:
    shown = point.open_to_all or point.step.seat == point.viewer
    return notation(point.timeline.ruleset, point.step) if shown else None


def _totals(point: ReplayPoint) -> Section:
    """Return the standings after the step, as far as the viewer could know them."""
    ruleset, context = point.timeline.ruleset, point.context
    shown = ruleset.standings(point.then.state, point.viewer)
    return ruleset.explain(shown, point.viewer, context.rules_language, context.names)[0]


def _plots(point: ReplayPoint) -> Sequence[tuple[str, Markup]]:
    """Return title and chart of each measure except points; empty before the game is over."""
    if not point.open_to_all:
        return ()
    return finished_plots(point.finished, point.context.rules_language, point.context.everybody)


def _navigation(steps: Sequence[TimelineStep], place: int) -> list[tuple[str, int | None]]:
    """Return the links to other steps: text key and event number, None if there is no such step."""
    last = len(steps) - 1
    ways = (("first", 0), ("back", place - 1), ("on", place + 1), ("last", last))
    return [(key, steps[to].last if 0 <= to <= last and to != place else None) for key, to in ways]


def _turns(steps: Sequence[TimelineStep]) -> list[tuple[int, int]]:
    """Return each turn with the last event of its first step."""
    first: dict[int, int] = {}
    for step in steps:
        first.setdefault(step.turn, step.last)
    return sorted(first.items())


def _as_eyes(viewer: int | None) -> Any:
    return SPECTATOR if viewer is None else str(viewer)


# Step of a replay: sentences of its events, and their marks for the table.


def told_step(table: Table, step: TimelineStep, zone: str) -> tuple[list[LogLine], list[NumberedMark]]:
    """Return the lines of a step as the reader of the table may know them, and the marks of its changes.

    `zone` is the IANA name of the time zone for instants in sentences.
    """
    facts = own_events(step.facts)
    played = [each for each in facts if not isinstance(each.event, (GameStarted, SharedEvent))]
    happened = [(each.event, each.seat) for each in played]
    story = table.story(happened)
    drawn = {*table.board().places, *(f"@{seat}" for seat in range(table.panels))}
    marks = [mark for mark in table.changes(happened) if mark.at in drawn]
    numbered = numbers(story, marks)
    lines = _shared(table, [each for each in facts if each not in played], zone)
    lines += [_line(line, played[line.first], numbered.get(index)) for index, line in enumerate(story)]
    if not lines:
        lines = _shared(table, facts, zone)
    return lines, numbered_marks(story, marks, numbered)


def _line(line: Line, first: Recorded, number: int | None) -> LogLine:
    return LogLine(
        at=first.at,
        seat=line.seat,
        sentence=line.sentence,
        seq=first.seq,
        icon=line.icon,
        reason=line.reason,
        code=line.code,
        number=number,
    )


def _shared(table: Table, recorded: Sequence[Recorded], zone: str) -> list[LogLine]:
    """Return a line for each event that has its own sentence."""
    sight = table.sight
    texts = (
        (each, describe_event(table.ruleset, sight.names, each.event, sight.viewer, sight.language, zone))
        for each in recorded
    )
    return [LogLine(each.at, None, text, each.seq) for each, text in texts if text]
