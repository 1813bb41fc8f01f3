"""Analysis of a finished game, on the replay page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Response, url_for
from markupsafe import Markup

from service.handlers.analysis import ask_for_analysis
from service.handlers.refusals import NotOver, OneTry
from service.log.folding import Timeline, TimelineStep
from service.players.analysis import Point
from service.shared import clock
from service.store import proof
from service.texts.catalog import say
from service.texts.games import unit_heading
from service.views.analysis import ShownAnalysis, by_turn, lost_text, shown, state_of
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.play.charts import ChanceArea, CurveLine, KeyMoment, draw_chances, draw_curve
from service.web.play.panels import colour_of
from service.web.session import Visitor, see_other, signed_in
from service.web.viewer_context import ViewerContext


@web.post("/games/<uuid:game_id>/analysis")
@signed_in
def analyse_game(visitor: Visitor, game_id: UUID) -> Response:
    """Enqueue the analysis of the game, and go back to its replay."""
    try:
        ask_for_analysis(current_runtime().games, game_id, visitor.id)
    except (NotOver, OneTry):
        return see_other(url_for("web.show_game", game_id=game_id))
    return see_other(url_for("web.show_replay", game_id=game_id, _anchor="chances"))


@dataclass(frozen=True, slots=True)
class ShownChance:
    """Win probability of a seat at the step being viewed, in per cent, and the class of the seat's colour."""

    name: str
    colour: str
    chance: int


def shown_analysis(
    context: ViewerContext, timeline: Timeline, step: TimelineStep, *, step_alone: bool
) -> dict[str, Any] | None:
    """Return the analysis of a game for the page; None before the game's end.

    The result has the state and, if the analysis is ready, its points and the chances at the step being viewed. Unless
    `step_alone`, it also has the curve with open cards, and the lines of key moments.
    """
    position = context.position
    if position.game.status != "finished" or position.game.sealed_up(clock.now()):
        return None
    stored = proof.find_analysis(context.db, position.game.id)
    state = state_of(position, stored)
    if stored is None or state != "ready":
        return {"state": state}
    made = shown(position.ruleset, position.game.seats, stored.found)
    now = [
        ShownChance(context.names[seat], colour_of(context.seat, seat), round(100 * chance))
        for seat, chance in enumerate(made.points[_place_of(step.last, made.points)].public)
    ]
    chances = {"state": state, "now": sorted(now, key=lambda each: -each.chance), "points": made.points}
    if step_alone:
        return chances
    return {
        **chances,
        "fitted": made.fitted,
        "curve": _curve(context, timeline, made),
        "turns": _turns(context, timeline, made),
        "lost": _lost(context, timeline, made),
    }


def chances_over_steps(
    context: ViewerContext, points: Sequence[Point], shown_at: int, moments: Iterable[KeyMoment]
) -> Markup:
    """Return the chances by public knowledge, the reader's at the bottom, with a dot at each moment.

    `shown_at` is the number of the last event of the step being viewed.
    """
    if len(points) < 2:
        return Markup("")
    seats = range(len(points[0].public))
    areas = [ChanceArea(colour_of(context.seat, seat), [point.public[seat] for point in points]) for seat in seats]
    areas.sort(key=lambda each: each.colour != "s1")
    dots = [_place_of(each.gained.seq, points) for each in moments]
    told = f"{say(context.language, 'an-chances')}. {say(context.language, 'an-public')}"
    return Markup(draw_chances(told, areas, _place_of(shown_at, points), dots))  # noqa: S704 # drawn here


def _place_of(seq: int, points: Sequence[Point]) -> int:
    """Return the index of the last point at or before an event."""
    return max(0, bisect_right(points, seq, key=lambda each: each.seq) - 1)


def _curve(context: ViewerContext, timeline: Timeline, made: ShownAnalysis) -> Markup:
    """Return the chances over the turns with all cards open."""
    rows = by_turn(timeline, made.points, open_cards=True)
    lines = [
        CurveLine(colour_of(context.seat, seat), context.names[seat], [chances[seat] for _, chances in rows])
        for seat in range(len(rows[0][1]))
    ]
    label = f"{say(context.language, 'an-chances')}. {say(context.language, 'an-open')}"
    return Markup(draw_curve(label, lines, None, "")) if len(rows) > 1 else Markup("")  # noqa: S704 # drawn here


def _turns(context: ViewerContext, timeline: Timeline, made: ShownAnalysis) -> Sequence[tuple[int, str, str]]:
    """Return each turning point: the event to go to, its turn, and the sentence."""
    return [
        (
            each.seq,
            _place(context, timeline, each.seq),
            say(
                context.language,
                "an-swing",
                name=context.names[each.seat],
                before=round(100 * each.before),
                after=round(100 * each.after),
            ),
        )
        for each in made.turns
    ]


def _lost(context: ViewerContext, timeline: Timeline, made: ShownAnalysis) -> Sequence[tuple[int, str, str]]:
    """Return each move that lost much: the event to go to, its turn, and the sentence."""
    return [
        (
            each.seq,
            _place(context, timeline, each.seq),
            lost_text(timeline.ruleset, each, context.names, context.language),
        )
        for each in made.lost
    ]


def _place(context: ViewerContext, timeline: Timeline, seq: int) -> str:
    """Return the turn, or round, of an event as a heading; empty for the setup."""
    turn = timeline.steps[timeline.place(seq)].turn
    return unit_heading(context.position.ruleset, turn, context.language) if turn else ""
