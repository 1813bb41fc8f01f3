"""Hints for a player who is to act."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from schemas.play import Hints
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers.hints import take_hint
from service.http.responses import PRIVATE, as_json
from service.views.hints import described, reasons
from service.views.table import spoken

hints = Resource("hints", __name__, description="Hints for a player who is to act.")
guard(hints)


@hints.operation(
    "/games/<uuid:game_id>/hints",
    Answers(schema=Hints, headers={"Content-Language": "The language of the texts."}),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def take_hints(game_id: UUID) -> Response:
    """Take a hint: up to three moves, and what speaks for each of them.

    Only in training games, and in games alone against the computer. The record counts one hint for each decision.
    Asking again gives the same.
    """
    me = player()
    position, seat, found = take_hint(runtime().games, game_id, me.id, "api")
    ruleset, language = position.ruleset, spoken(position, me.language)
    names = position.names_in(language)
    others = [name for at, name in enumerate(position.everybody_in(language)) if at != seat]
    items = [
        {
            "notation": ruleset.notate(each.action),
            "text": described(ruleset, each, seat, language, names),
            "reasons": reasons(ruleset, position.game.seats, each, language, others),
        }
        for each in found
    ]
    answer = {"decision": position.decision, "items": items}
    return as_json(answer, headers={**PRIVATE, "Content-Language": language})
