"""`boardroom admin hand-over` and `league`: hosts of tables, and leagues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import click
from marshmallow import ValidationError

from schemas.names import Name
from service.commands.admin.acting import acting, chosen_account, operator_here, reason_option, yes_option
from service.commands.database import data_option
from service.commands.terminal import WRONG, Refused, say
from service.handlers import leagues, operators
from service.handlers.leagues import LeagueExists
from service.handlers.refusals import BadOption, UnknownRuleset
from service.log.ids import new_id
from service.rules.pace import PACES
from service.shared import clock
from service.store.competition import LEAGUE_FORM, League

MAX_TITLE_LENGTH = 40
"""The most letters of what the address of a league ends with."""


@click.command("hand-over")
@click.argument("game", type=click.UUID)
@click.argument("whom")
@yes_option
@reason_option
@data_option
def hand_over(game: UUID, whom: str, yes: bool, reason: str, data: Path | None) -> int:
    """Make a player at the table of GAME (WHOM: by id or verified address) its host; the table shows that."""
    with acting(data) as games:
        player = chosen_account(games, whom, "Hand the table to", yes)
        operators.hand_over_table(games, game, player, operator_here(reason), clock.now())
    say(f"player {player} is the host of game {game}")
    return 0


def _name(_: click.Context, __: click.Parameter, value: str) -> str:
    if not LEAGUE_FORM.fullmatch(value) or len(value) > MAX_TITLE_LENGTH:
        raise click.BadParameter(f"it has to have 1 to {MAX_TITLE_LENGTH} letters, as first-fridays")
    return value


def _title(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        return str(Name().deserialize(value))
    except ValidationError as wrong:
        raise click.BadParameter("it has to be a name that a table could have") from wrong


def _options(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> dict[str, Any]:
    try:
        return {name: json.loads(chosen) for name, _, chosen in (each.partition("=") for each in value)}
    except ValueError as wrong:
        raise click.BadParameter("it has to be NAME=VALUE, such as short-game=true") from wrong


@click.group("league")
def league() -> None:
    """Open and close leagues; each season begins, ends and is followed by the next one by itself."""


@league.command("open")
@click.argument("name", callback=_name)
@click.option("--title", required=True, callback=_title, help="what the league is called")
@click.option("--ruleset", required=True, help="what is played: a ruleset for three and for four")
@click.option("--option", "options", multiple=True, callback=_options, metavar="NAME=VALUE", help="an option of games")
@click.option("--pace", type=click.Choice(list(PACES)), default="daily", show_default=True, help="the clock of games")
@click.option("--rounds", type=click.IntRange(1, 8), default=4, show_default=True, help="the rounds of a season")
@click.option("--entry-days", type=click.IntRange(1, 60), default=7, show_default=True, help="how long entry is open")
@reason_option
@data_option
def open_league(name: str, reason: str, data: Path | None, pace: str, **how: Any) -> int:
    """Open a league whose address ends with NAME; its first season is open for entry at once."""
    now = clock.now()
    new = League(id=new_id(), slug=name, pace=PACES[pace], created_at=now, **how)
    try:
        with acting(data) as games:
            season = leagues.open_league(games, new, operator_here(reason), now)
    except LeagueExists as exists:
        raise Refused(f"there is a league {name} already", WRONG) from exists
    except (UnknownRuleset, BadOption) as refusal:
        raise Refused("the ruleset is not known, not for three and for four, or has no such option", WRONG) from refusal
    say(f"league {name} is open for entry until {season.entry_until:%Y-%m-%d %H:%M} UTC: /leagues/{name}")
    return 0


@league.command("close")
@click.argument("name", callback=_name)
@reason_option
@data_option
def close_league(name: str, reason: str, data: Path | None) -> int:
    """Close the league NAME: a season that runs is played to its end, and none follows."""
    with acting(data) as games:
        leagues.close_league(games, name, operator_here(reason), clock.now())
    say(f"league {name} is closed")
    return 0
