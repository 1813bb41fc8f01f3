"""Refusals about leagues and tournaments: 404 and 409."""

from __future__ import annotations

from service.shared.refusal import Refusal


class UnknownLeague(Refusal):
    """There is no league of this name, or no such season in it."""

    code = "unknown-league"
    status = 404
    title = "There is no such league, or no such season"
    remedy = "Take the name from `GET /leagues`, and the number from the seasons of the league."


class UnknownTournament(Refusal):
    """There is no tournament with this id, or it is by invitation and you are neither its host nor invited."""

    code = "unknown-tournament"
    status = 404
    title = "There is no such tournament"
    remedy = "Take the id from `GET /tournaments`, or ask its host to invite you."


class EntryOver(Refusal):
    """Nobody can enter or leave before the start any more: it has begun, is over, or was called off. Or, where `reason`
    is `full`, as many have entered as may.
    """

    code = "entry-over"
    status = 409
    title = "Entry is over"
    remedy = "Enter the next season of the league, or another tournament."
    cases = (None, "full")


class RoundNotReady(Refusal):
    """The host cannot go on with the tournament now: games of the round are still played (`games`), too few
    players for one table have entered (`entrants`), or the tournament is over (`over`).
    """

    code = "round-not-ready"
    status = 409
    title = "The tournament cannot go on now"
    remedy = "Wait until the games of the round are over, or more players have entered."
    cases = ("games", "entrants", "over")
