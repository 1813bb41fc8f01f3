"""A game in play: the table, what may be done, what is done, what has happened."""

from __future__ import annotations

from typing import Any
from uuid import UUID
from zlib import crc32

from flask import Response, request

from schemas.play import (
    Choices,
    EventsAfter,
    Happenings,
    Idempotency,
    InLanguage,
    Played,
    PostedAction,
    Standings,
    Table,
)
from service.api.answers import PRIVATE, as_json, as_text
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.moves import submit
from service.api.viewers import Look, look, look_begun
from service.views.history import history
from service.views.table import choices, shown_seats, standings, table

PAGE = 100

play = Resource("play", __name__, description="Games in play.")
guard(play)

_ETAG = {"ETag": "Changes with the game, and differs by viewer."}
_LANGUAGE = {"Content-Language": "The language of the texts."}


@play.operation(
    "/games/<uuid:game_id>",
    Answers(schema=Table, headers=_ETAG),
    refuses=(404,),
    scope="games:read",
    not_modified=True,
)
def get_game(game_id: UUID) -> Response:
    """Show the table as one may see it: from one's seat, or as somebody who looks on."""
    with look(game_id) as looking:
        tag = _tag(looking)
        if request.if_none_match.contains(tag):
            answer = Response(status=304, headers=PRIVATE)
        else:
            answer = as_json(table(looking.position, looking.seat, player().language))
    answer.set_etag(tag)
    return answer


@play.operation(
    "/games/<uuid:game_id>/legal-actions",
    Answers(schema=Choices, headers=_LANGUAGE),
    refuses=(404,),
    scope="games:read",
    query=InLanguage,
)
def list_legal_actions(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List every action that one may take now; none when it is not one's turn."""
    with look(game_id) as looking:
        language = looking.language(wanted.get("language"))
        position, state = looking.position, looking.position.state
        shown = {
            "decision": None if state is None else position.ruleset.decision(state),
            "items": choices(position, looking.seat, language),
        }
    return as_json(shown, headers={**PRIVATE, "Content-Language": language})


@play.operation(
    "/games/<uuid:game_id>/actions",
    Answers(status=201, schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    bucket="actions",
    json=PostedAction,
    headers=Idempotency,
)
def post_action(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Answer a decision with an action, as JSON or in the game's notation.

    A decision that is not the current one is refused with what has happened since and the legal actions now.
    """
    return as_json(submit(game_id, posted, header.get("key")), 201)


@play.operation(
    "/games/<uuid:game_id>/events",
    Answers(schema=Happenings, headers=_LANGUAGE),
    refuses=(404,),
    scope="games:read",
    query=EventsAfter,
)
def list_events(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List what has happened after an event, as far as one may know it."""
    after, limit = wanted.get("after", 0), wanted.get("limit", PAGE)
    with look(game_id) as looking:
        language = looking.language(wanted.get("language"))
        items = history(looking.db, runtime().games, looking.position, looking.seat, after, limit, language)
    shown = {"version": looking.position.version, "items": items}
    return as_json(shown, headers={**PRIVATE, "Content-Language": language})


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


def _tag(looking: Look) -> str:
    # Whoever sees another view needs another tag, or one would be told that the other's is unchanged. Joining a game
    # and leaving it, or changing one's name, are no events, so the people count as well.
    position = looking.position
    viewer = "x" if looking.seat is None else f"s{looking.seat}"
    people = (position.game.host, [seat.player_id for seat in position.seats], shown_seats(position, player().language))
    return f"{position.version}-{position.game.status}-{crc32(repr(people).encode()):x}-{viewer}"
