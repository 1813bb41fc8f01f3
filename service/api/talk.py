"""Talk at the table, and private notes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.play import Idempotency, NewNotes, NewRemark, Notes, Remark, Talk, TalkAfter
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.viewers import Look, look
from service.handlers import talk as handlers
from service.handlers.idempotency import Receipt
from service.handlers.refusals import NotSeated
from service.handlers.talk import Said
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json
from service.shared import clock
from service.views import talk as views

PAGE = 100

talk = Resource("talk", __name__, description="Table talk, and private notes.")
guard(talk)


@talk.operation(
    "/games/<uuid:game_id>/talk",
    Answers(status=201, schema=Remark, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=NewRemark,
    headers=Idempotency,
)
def post_remark(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Say something to those who sit at the table.

    The events of the game only tell that one has said something. Mails tell the others, as many as one may cause in a
    day (`mails` in GET /limits), and quote it to those with whom one has finished a game.
    """
    games, asking, now, words = runtime().games, player().id, clock.now(), posted["text"]
    spending = budget()

    def say(receipt: Receipt[Said] | None) -> Said:
        return handlers.say(games, game_id, asking, words, "api", now, receipt, spending)

    def show(said: Said) -> dict[str, Any]:
        return {"number": said.number, "seat": said.seat, "former": False, "at": said.at.isoformat(), "text": said.text}

    shown, headers = once("say", header, [str(game_id), words], say, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@talk.operation("/games/<uuid:game_id>/talk", Answers(schema=Talk), refuses=(404,), scope="games:read", query=TalkAfter)
def list_talk(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List what was said at the table; only for those who sit there."""
    with look(game_id) as looking:
        _seated(looking)
        items = views.talk(looking.db, game_id, player().id, wanted.get("after", 0), wanted.get("limit", PAGE))
    return as_json({"items": items})


@talk.operation("/games/<uuid:game_id>/notes", Answers(schema=Notes), refuses=(404,), scope="games:read")
def get_notes(game_id: UUID) -> Response:
    """Show one's own notes on the game, which nobody else can read."""
    with look(game_id) as looking:
        _seated(looking)
        return as_json(views.notes(looking.db, game_id, player().id))


@talk.operation(
    "/games/<uuid:game_id>/notes",
    Answers(schema=Notes),
    method="PUT",
    refuses=(404,),
    scope="games:play",
    json=NewNotes,
)
def put_notes(posted: dict[str, Any], game_id: UUID) -> Response:
    """Keep these notes in the place of earlier ones; an empty text clears them."""
    now = clock.now()
    handlers.note(runtime().games, game_id, player().id, posted["text"], now)
    return as_json({"text": posted["text"], "at": now.isoformat()})


def _seated(looking: Look) -> None:
    if looking.seat is None:
        raise NotSeated
