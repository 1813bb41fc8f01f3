"""A game in play: the table, what may be done, what is done, what has happened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID
from zlib import crc32

from flask import Response, request

from schemas.actions import PostedAction
from schemas.play import (
    Acting,
    Choices,
    ChoicesWanted,
    Forecast,
    Idempotency,
    InLanguage,
    Played,
    Rehearsal,
    Resignation,
    Retractable,
    Standings,
    Table,
    TakenBack,
)
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED
from service.api.moves import rehearse, retract, retractable, shown, submit
from service.api.prefer import APPLIED
from service.api.viewers import Look, look, look_begun
from service.handlers.resign import resign
from service.http.responses import PRIVATE, as_json, as_text
from service.shared import clock
from service.views.absences import away
from service.views.picker import picker
from service.views.table import choices, shown_seats, spoken, standings, table_at_present

play = Resource("play", __name__, description="Games in play.")
guard(play)

ACTION_RULE = "/games/<uuid:game_id>/actions"
_ETAG = {"ETag": "Changes with the game, and differs by viewer."}
_LANGUAGE = {"Content-Language": "The language of the texts."}


@play.operation(
    "/games/<uuid:game_id>",
    Answers(schema=Table, headers=_ETAG),
    refuses=(404,),
    scope="games:read",
)
def get_game(game_id: UUID) -> Response:
    """Show the table as one may see it: from one's seat, or as somebody who looks on."""
    # A client asks this over and over again, so its tag is known before the table is written.
    with look(game_id) as looking:
        absent = away(looking.db, looking.position, looking.seat, clock.now())
        tag = _tag(looking, absent)
        if request.if_none_match.contains(tag):
            answer = Response(status=304, headers=PRIVATE)
        else:
            answer = as_json(table_at_present(looking.position, looking.seat, absent, player().language))
    answer.set_etag(tag)
    return answer


@play.operation(
    "/games/<uuid:game_id>/legal-actions",
    Answers(schema=Choices, headers=_LANGUAGE, compressed=True),
    refuses=(404,),
    scope="games:read",
    query=ChoicesWanted,
)
def list_legal_actions(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List every action that one may take now; none when it is not one's turn.

    The compact form is a tree for a picker: each step names a part of the action, its values, and how many actions lie
    behind each. Setting the parts along a way from the root to its end makes the action, beginning with `{}`.
    """
    with look(game_id) as looking:
        language = looking.language(wanted.get("language"))
        position, state = looking.position, looking.position.state
        items = choices(position, looking.seat, language)
    compact = wanted.get("form") == "compact"
    listed = {
        "decision": None if state is None else position.decision,
        "count": len(items),
        "items": [] if compact else items,
        "tree": picker(items) if compact else None,
    }
    return as_json(listed, headers={**PRIVATE, "Content-Language": language})


@play.operation(
    ACTION_RULE,
    Answers(status=201, schema=Played, headers=REPLAYED | APPLIED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    bucket="actions",
    json=PostedAction,
    query=Rehearsal,
    headers=Acting,
    instead=Answers(schema=Forecast),
    rests_on="/games/<uuid:game_id>",
)
def post_action(posted: dict[str, Any], how: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Answer a decision with an action, as JSON or in the game's notation.

    A decision that is not the current one is refused with what has happened since and the legal actions now. A dry run
    is answered with 200, tells nothing that one could not know before acting, and changes nothing. A program that reads
    the events anyway may prefer a minimal answer.
    """
    if how.get("dry_run"):
        return as_json(rehearse(game_id, posted))
    told, headers = submit(game_id, posted, header)
    return as_json(told, 201, {**PRIVATE, **headers})


@play.operation(
    "/games/<uuid:game_id>/resignation",
    Answers(status=201, schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=Resignation,
)
def resign_game(_: dict[str, Any], game_id: UUID) -> Response:
    """Give the game up.

    As the table has it, the game ends, or the others play on and the service makes the plainest moves in one's seat. It
    always ends when no two players are left.
    """
    played = resign(runtime().games, game_id, player().id, "api", clock.now())
    seat = played.events[0].event.seat
    return as_json(shown(played, seat, spoken(played.position, player().language)), 201)


@play.operation(
    "/games/<uuid:game_id>/take-back",
    Answers(status=201, schema=Played, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=TakenBack,
    headers=Idempotency,
)
def take_back_action(asked: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Take back what one has played in answer to a decision, as long as nothing has come of it.

    That is for a short time (10 minutes, unless the service is set otherwise), while nobody has acted since, and where
    it showed nobody anything that one could not know before. The same decision is then faced again, under a new number
    where the action had led on to another. The log keeps the action, and tells that it was taken back. What can be
    taken back, GET shows.
    """
    told, headers = retract(game_id, asked["decision"], header.get("key"))
    return as_json(told, 201, {**PRIVATE, **headers})


@play.operation("/games/<uuid:game_id>/take-back", Answers(schema=Retractable), refuses=(404,), scope="games:read")
def show_take_back(game_id: UUID) -> Response:
    """Show which decision's answer one could take back now, and until when, if nobody acts before.

    Both are null where there is nothing, and for whoever looks on. Nobody is shown what others could take back.
    """
    return as_json(retractable(game_id))


@play.operation("/games/<uuid:game_id>/standings", Answers(schema=Standings), refuses=(404, 409), scope="games:read")
def get_standings(game_id: UUID) -> Response:
    """Show the scores if the game ended now, or as it has ended, with their derivation."""
    with look_begun(game_id) as looking:
        return as_json(standings(looking.position, looking.seat))


@play.operation(
    "/games/<uuid:game_id>/board",
    Answers(schema={"type": "string"}, content_type="text/plain", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_board(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Draw the table as text of at most 72 columns."""
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        view = position.ruleset.view(position.state, looking.seat)
        return as_text(position.ruleset.draw(view, language, position.names_in(language)), language)


@play.operation(
    "/games/<uuid:game_id>/board.svg",
    Answers(schema={"type": "string"}, content_type="image/svg+xml", headers=_LANGUAGE),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def draw_board_as_svg(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Draw the whole table as a picture, as one may see it: the board, and what lies beside it, as SVG."""
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        view = position.ruleset.view(position.state, looking.seat)
        drawn = position.ruleset.paint(view, language, position.names_in(language))
    return Response(drawn, headers={**PRIVATE, "Content-Language": language}, mimetype="image/svg+xml")


def _tag(looking: Look, absent: Mapping[int, datetime]) -> str:
    # Each view has a tag of its own, or a viewer would be told that another's view is unchanged. Joining a game
    # and leaving it, or changing one's name, are no events, so the people count as well.
    position = looking.position
    viewer = "x" if looking.seat is None else f"s{looking.seat}"
    people = (position.game.host, [seat.player_id for seat in position.seats], shown_seats(position, player().language))
    told = repr(people) + (repr(absent) if absent else "")
    return f"{position.version}-{position.game.status}-{crc32(told.encode()):x}-{viewer}"
