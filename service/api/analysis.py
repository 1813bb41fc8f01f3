"""The analysis of a finished game: asked for once, then there for all who may see the game."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.play import InLanguage
from schemas.proof import Analysis
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.viewers import look_begun
from service.handlers.analysis import ask_for_analysis
from service.handlers.refusals import NotOver
from service.http.responses import PRIVATE, as_json
from service.store import proof
from service.views.analysis import as_json as in_json
from service.views.analysis import shown, state_of

analysis = Resource("analysis", __name__, description="Estimates of how a finished game went.")
guard(analysis)


@analysis.operation(
    "/games/<uuid:game_id>/analysis",
    Answers(status=202, schema=Analysis),
    method="POST",
    refuses=(404, 409),
    scope="games:read",
)
def analyse_game(game_id: UUID) -> Response:
    """Have a finished game analysed, which takes some seconds.

    Anybody may ask who may see the game. It is made once: asking again changes nothing.
    """
    state = ask_for_analysis(runtime().games, game_id, player().id)
    return as_json({"state": state}, 202)


@analysis.operation(
    "/games/<uuid:game_id>/analysis",
    Answers(schema=Analysis, headers={"Content-Language": "The language of the texts."}),
    refuses=(404, 409),
    scope="games:read",
    query=InLanguage,
)
def get_analysis(wanted: dict[str, Any], game_id: UUID) -> Response:
    """Show everybody's chance to win over a finished game, its turning points, and the moves that lost most.

    All figures are estimates of a computer player that looks one move ahead.
    """
    with look_begun(game_id) as looking:
        position, language = looking.position, looking.language(wanted.get("language"))
        if position.game.status != "finished":
            raise NotOver
        stored = proof.find_analysis(looking.db, game_id)
    ruleset, answer = position.ruleset, {"state": state_of(position, stored)}
    if stored is not None and answer["state"] == "ready":
        made = shown(ruleset, position.game.seats, stored.found)
        answer |= in_json(ruleset, made, position.names_in(language), language)
    return as_json(answer, headers={**PRIVATE, "Content-Language": language})
