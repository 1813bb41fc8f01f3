"""The page that replays a game: the table after any step, as a viewer saw it.

The query names a moment (`at`, the number of an event) and a viewer (`eyes`). The page works without a script; with
one it plays the steps.
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

from service.handlers.fork import Fork, fork
from service.handlers.refusals import NoSuchEvent, NotOver, NotRunning, OneTry, UnknownGame
from service.handlers.terms import terms_of
from service.handlers.transaction import transaction
from service.log.timeline import Timeline, TimelineStep
from service.players.analysis import Point
from service.rules.isolation import isolated
from service.rules.kernel import Section
from service.rules.shared_events import GameForked
from service.rules.tabletop.plain_scores import turning_point
from service.rules.tabletop.table import Table
from service.shared import clock
from service.store.position import Position
from service.store.visibility import require_known
from service.texts.catalog import count
from service.texts.games import full_title
from service.views.replay import allowed_viewers
from service.views.sentences import notation
from service.web.analysis import chances_over_steps, shown_analysis
from service.web.blueprint import web
from service.web.clocks import shown_clocks
from service.web.compression import compress_page
from service.web.felt import Overlay, all_symbols, felt, use
from service.web.game import game_page
from service.web.glossary import glossary
from service.web.local_time import shown_moment
from service.web.moments import Moment, gains_in_chances, gains_in_points, moments
from service.web.page import admitted, current_runtime
from service.web.panels import ShownPanel, Side, colour_of
from service.web.points import FinishedGame, finished_plots, finished_points, points_curve
from service.web.replay_step import told_step
from service.web.session import NOBODY, SCRIPT_POLICY, Visitor, page, see_other, signed_in
from service.web.sitting import Sitting, sitting_of

SPECTATOR: Final = "spectator"


@dataclass(frozen=True, slots=True)
class ReplayPoint:
    """A step of a game, by its `place` in the timeline, and the viewer whose view is shown."""

    sitting: Sitting
    timeline: Timeline
    place: int
    viewer: int | None

    @property
    def step(self) -> TimelineStep:
        """The step that is shown."""
        return self.timeline.steps[self.place]

    @property
    def then(self) -> Position:
        """The game as it was after the step."""
        return self.sitting.position.at(self.step.last, self.timeline.after(self.step))

    @property
    def table(self) -> Table:
        """The table after the step, for the viewer."""
        then, sitting = self.then, self.sitting
        return Table(then.ruleset, then.state, then.game.seats, self.viewer, sitting.rules_language, sitting.names)

    @property
    def finished(self) -> FinishedGame:
        """The whole game, if it is over."""
        position = self.sitting.position
        return FinishedGame(position.game.id, position.version, self.timeline)

    @property
    def open_to_all(self) -> bool:
        """Whether everybody may know all actions, since the game is over."""
        return self.sitting.position.game.status == "finished"


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
    sitting = sitting_of(db, position, visitor)
    point = _point(sitting, current_runtime().games.timeline(db, position))
    language, alone = sitting.rules_language, request.args.get("only") == "step"
    analysis = shown_analysis(sitting, point.timeline, point.step, step_alone=alone)
    titled = full_title(position.ruleset.meta, position.game.options, sitting.language)
    chances = None if analysis is None else analysis.get("points")
    response = page(
        "replay/parts.html" if alone else "replay/page.html",
        whole_width=True,
        sitting=sitting,
        position=point.then,
        point=point,
        title=isolated(position.game.terms.name or titled),
        full_title=titled,
        count=partial(count, sitting.language),
        moment=partial(shown_moment, language=sitting.language, zone=sitting.zone),
        clocks=shown_clocks(replace(sitting, position=point.then), point.step.at),
        notation=_notation(point),
        totals=_totals(point),
        plots=[] if alone else _plots(point),
        ways=_navigation(point.timeline.steps, point.place),
        turns=_turns(point.timeline.steps),
        may_play_on=visitor is not None
        and point.open_to_all
        and not position.game.sealed_up(clock.now())
        and bool(position.ruleset.to_act(point.then.state)),
        viewers=allowed_viewers(position, sitting.seat),
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
    """Return the table at the moment with the marks of the step, and the points of a finished game over its turns."""
    sitting, then = point.sitting, point.then
    table = Table(then.ruleset, then.state, then.game.seats, point.viewer, sitting.rules_language, point.sitting.names)
    lines, marks = told_step(table, point.step, sitting.zone)
    lying = felt(table, None, Overlay(marks), partial(colour_of, sitting.seat), sitting.language)
    at_moment, sight, symbols = replace(sitting, position=then), table.sight, table.symbols
    side = Side(sitting=at_moment, table=table, picking=None, clocks=None, marks=marks, zones={})
    panels = side.panels()
    return {
        "lines": lines,
        "felt": lying,
        "panels": panels,
        "running": then.game.status == "running",
        "symbols": all_symbols(symbols),
        "icon": lambda name: use(symbols, name).svg,
        "as_text": then.ruleset.draw(sight.view, sight.language, sight.names).rstrip(),
        **_over_turns(point, panels, chances),
    }


def _over_turns(point: ReplayPoint, panels: Sequence[ShownPanel], chances: Sequence[Point] | None) -> dict[str, Any]:
    """Return the curve of the points with the moment on it, and the moments of the game; nothing before its end.

    The moments go by the chances of the analysis, which are drawn with them. If there is none they go by the points,
    and one of them is what decided the game by these.
    """
    if not point.open_to_all:
        return {"curve": "", "moments": []}
    sitting, timeline, alone = point.sitting, point.timeline, request.args.get("only") == "step"
    outcome, points = sitting.position.outcome, finished_points(point.finished)
    winners = () if outcome is None else outcome["winners"]
    turning = turning_point(winners, points)
    drawn = {"curve": points_curve(points, turning, panels, sitting.language, shown=point.step.turn)}
    if chances is None and alone:
        return {**drawn, "moments": []}
    gains = gains_in_points(timeline) if chances is None else gains_in_chances(timeline, chances)
    found = moments(gains, winners, turning and turning.turn if chances is None else None)
    if chances is not None:
        drawn["chances"] = chances_over_steps(sitting, chances, point.step.last, found)
    return {**drawn, "moments": [] if alone else [(each, _told(point, each)) for each in found]}


def _told(point: ReplayPoint, moment: Moment) -> str:
    """Return what happened at a moment in one sentence, the one that has a mark if there are several."""
    there = replace(point, place=point.timeline.place(moment.gained.seq))
    lines, _ = told_step(there.table, there.step, point.sitting.zone)
    return next((each.sentence for each in lines if each.number), lines[0].sentence if lines else "")


def _point(sitting: Sitting, timeline: Timeline) -> ReplayPoint:
    """Return the moment and the viewer that the query names, or else the first step and the visitor's own view."""
    position = sitting.position
    at = min(max(1, request.args.get("at", 1, type=int)), position.version)
    wanted_viewer = request.args.get("eyes")
    allowed = {_as_eyes(viewer): viewer for viewer in allowed_viewers(position, sitting.seat)}
    return ReplayPoint(sitting, timeline, timeline.place(at), allowed.get(wanted_viewer or "", sitting.seat))


def _origin_address(point: ReplayPoint, visitor: Visitor | None) -> str | None:
    """Return the path to the moment of the game that this one was forked from; None if the visitor may not see it."""
    forked = next((each.event for each in point.step.facts[:2] if isinstance(each.event, GameForked)), None)
    if forked is None:
        return None
    db = point.sitting.db
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
    ruleset, sitting = point.timeline.ruleset, point.sitting
    shown = ruleset.standings(point.then.state, point.viewer)
    return ruleset.explain(shown, point.viewer, sitting.rules_language, sitting.names)[0]


def _plots(point: ReplayPoint) -> Sequence[tuple[str, Markup]]:
    """Return the title and the chart of each measure but the points; none before the game is over."""
    if not point.open_to_all:
        return ()
    return finished_plots(point.finished, point.sitting.rules_language, point.sitting.everybody)


def _navigation(steps: Sequence[TimelineStep], place: int) -> list[tuple[str, int | None]]:
    """Return the links to other steps: the key of each text, and the event that it leads to, None if there is none."""
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
