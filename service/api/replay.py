"""A game looked at again, step by step."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.play import InLanguage
from schemas.proof import Moment, Replay, ReplayViewer
from service.api.auth import guard, runtime
from service.api.contract import Answers, Resource
from service.api.viewers import Look, look_begun
from service.handlers.refusals import NoSuchEvent, NotOver
from service.http.responses import PRIVATE, as_json, as_text
from service.shared.refusal import NotFound
from service.texts.games import full_title
from service.views import replay as views
from service.views.listing import listing
from service.views.plots import measure_named, plot

replay = Resource("replay", __name__, description="Games looked at again.")
guard(replay)

_LANGUAGE = {"Content-Language": "The language of the texts."}


@replay.operation(
    "/games/<uuid:game_id>/replay",
    Answers(schema=Replay, headers=_LANGUAGE, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    query=ReplayViewer,
)
def list_steps(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List the steps of a game from its beginning, what was taken back among them.

    While it runs one sees what one's own seat may know. When it is over, everybody who may see the game may look
    through the eyes of every seat, as that seat saw it then.
    """
    with look_begun(game_id) as looking:
        viewer, language = _viewer(looking, wanted), looking.language(wanted.get("language"))
        unrolled = runtime().games.timeline(looking.db, looking.position)
    shown = views.replay(looking.position, unrolled, viewer, language)
    return as_json(shown, headers={**PRIVATE, "Content-Language": language})


@replay.operation(
    "/games/<uuid:game_id>/replay/<int:seq>",
    Answers(schema=Moment, headers=_LANGUAGE, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    query=ReplayViewer,
)
def get_moment(wanted: dict[str, Any], game_id: UUID, seq: int) -> Response:
    """Show the table as it was after an event, through the eyes of a seat; `seq` is the event's number, from 1."""
    with look_begun(game_id) as looking:
        viewer, language = _viewer(looking, wanted), looking.language(wanted.get("language"))
        if not 0 < seq <= looking.position.version:
            raise NoSuchEvent(looking.position.version)
        unrolled = runtime().games.timeline(looking.db, looking.position)
    shown = views.moment(looking.position, unrolled, seq, viewer, language)
    return as_json(shown, headers={**PRIVATE, "Content-Language": language})


@replay.operation(
    "/games/<uuid:game_id>/listing",
    Answers(schema={"type": "string"}, content_type="text/plain", headers=_LANGUAGE, compressed=True),
    refuses=(404, 409),
    scope="games:read",
    query=ReplayViewer,
)
def list_game(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Show the whole game as a text: what was done in each turn, in the notation and in words.

    While it runs the notation tells one's own actions only; when it is over, all of them.
    """
    with look_begun(game_id) as looking:
        viewer, language = _viewer(looking, wanted), looking.language(wanted.get("language"))
        position, unrolled = looking.position, runtime().games.timeline(looking.db, looking.position)
    titled = full_title(position.ruleset.meta, position.game.options, language)
    title, names = position.game.terms.name or titled, position.names_in(language)
    over = position.game.status == "finished"
    return as_text(listing(unrolled, title, names, viewer, language, everything=over), language)


@replay.operation(
    "/games/<uuid:game_id>/plots/<name>.svg",
    Answers(schema={"type": "string"}, content_type="image/svg+xml", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_plot(wanted: dict[str, Any], game_id: UUID, name: str) -> Response:
    """Draw something that is counted over a finished game, turn by turn, as SVG.

    `name` is one of those that the list of steps names in `plots`.
    """
    drawn, language = _plotted(wanted, game_id, name)
    return Response(drawn, headers={**PRIVATE, "Content-Language": language}, mimetype="image/svg+xml")


@replay.operation(
    "/games/<uuid:game_id>/plots/<name>.png",
    Answers(schema={"type": "string", "format": "binary"}, content_type="image/png", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_plot_as_png(wanted: dict[str, Any], game_id: UUID, name: str) -> Response:
    """Draw something that is counted over a finished game, turn by turn, as PNG."""
    # Imported here, because a web server that draws none goes without 4 MB of painters.
    from service.mail.picture import png

    drawn, language = _plotted(wanted, game_id, name)
    return Response(png(drawn), headers={**PRIVATE, "Content-Language": language}, mimetype="image/png")


def _plotted(wanted: dict[str, Any], game_id: UUID, name: str) -> tuple[str, str]:
    """Return a plot as SVG, and its language; NotFound, NotOver."""
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        measure = measure_named(position.ruleset, name)
        if measure is None:
            raise NotFound("plot")
        if position.game.status != "finished":
            raise NotOver
        unrolled = runtime().games.timeline(looking.db, position)
    return plot(unrolled, measure, language, position.everybody_in(language)), language


def _viewer(looking: Look, wanted: dict[str, Any]) -> int | None:
    """Return the seat that is asked for, None for a spectator; NotFound, NotOver."""
    asked = wanted.get("seat")
    if asked is None:
        return looking.seat
    viewer = None if asked == "spectator" else int(asked)
    if viewer is not None and viewer >= looking.position.game.seats:
        raise NotFound("seat")
    if viewer not in views.allowed_viewers(looking.position, looking.seat):
        raise NotOver
    return viewer
