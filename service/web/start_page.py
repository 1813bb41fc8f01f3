"""Start page: play at once, watch a game, learn a game, and the shelf of all games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from flask import Response
from markupsafe import Markup

from service.handlers.refusals import UnknownGame
from service.handlers.transaction import transaction
from service.http.replica_routing import games_listed, opened
from service.rules.bidi import isolated
from service.rules.table_parts import Board
from service.shared import clock
from service.store.games import Games, RulesNotInstalled
from service.texts.catalog import count, say
from service.texts.games import unit_number
from service.texts.locales import listed
from service.views.games import GameFilter
from service.views.lobby import usual_lengths
from service.views.table import spoken, view_of_game
from service.web.blueprint import compress_page, web
from service.web.competition.deal import card
from service.web.pace import usual_told
from service.web.page import current_runtime
from service.web.play.guide import board_of, cover, lessons
from service.web.session import NOBODY, SCRIPT_POLICY, current_visitor, language, page

MAX_COUNTED: Final = 50
_RUNNING: Final = GameFilter(mine=False, status="running")
_OPEN: Final = GameFilter(open_to_me=True)


@dataclass(frozen=True, slots=True)
class Watched:
    """Public running game, as everybody may see it."""

    id: UUID
    called: str
    players: str
    turn: str
    status: str
    board: Board
    picture: Markup


@web.get("/")
def start() -> Response:
    """Show the start page; the lessons are those of the first ruleset."""
    rulesets = list(current_runtime().games.rulesets.values())
    watched, running, open_tables = _around()
    with transaction(current_runtime().engine) as db:
        deal, usual = card(db), usual_lengths(db)
    covers = [cover(each, usual) for each in rulesets]
    response = page(
        "start.html",
        description=say(language(), "start"),
        covers=covers,
        solo=next((each for each in covers if each.alone), None),
        lessons=lessons(rulesets[0]),
        length=usual_told(usual, rulesets[0].meta),
        watched=watched,
        deal=deal,
        running=count(language(), "start-running", running) if running else None,
        open_tables=count(language(), "start-open", open_tables) if open_tables else None,
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def _around() -> tuple[Watched | None, int, int]:
    """Return a running public game, and the numbers of running and of open games that the visitor may see.

    The game is the newest; games whose ruleset draws its own thumbnail come first.
    """

    def plain(row: Any) -> bool:
        return games.rulesets[row.ruleset].contributions.glimpse is None

    games, visitor, now, here = current_runtime().games, current_visitor(), clock.now(), language()
    player = NOBODY if visitor is None else visitor.id
    running = games_listed(games, player, _RUNNING, MAX_COUNTED, now)
    open_tables = len(games_listed(games, player, _OPEN, MAX_COUNTED, now))
    known = sorted((row for row in running if row.ruleset in games.rulesets), key=plain)
    watched = next(filter(None, (_watched(games, each.id, player, here) for each in known)), None)
    return watched, len(running), open_tables


def _watched(games: Games, game: UUID, player: UUID, here: str) -> Watched | None:
    """Return a running game; None if its rules are not installed, or the game is no longer public."""
    try:
        with opened(games, game, player) as (_, position):
            rules_language = spoken(position, here)
            players = listed([isolated(name) for name in position.everybody_in(rules_language)], here)
            table = view_of_game(position, None, here)
    except (UnknownGame, RulesNotInstalled):
        return None
    board = table.board()
    return Watched(
        game,
        position.game.terms.name or position.ruleset.meta.title,
        players,
        unit_number(position.ruleset, table.sight.turn, here) if table.sight.turn else "",
        table.status().sentence,
        board,
        board_of(board),
    )
