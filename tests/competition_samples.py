"""Mails about leagues and tournaments that stand nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from types import SimpleNamespace

from service.mail.competition import (
    CompetitionNews,
    CompetitionStanding,
    InvitedToTournament,
    competition_mail,
    tournament_invited_mail,
)
from service.mail.compose import MailReader, add_identity_headers
from service.mail.unsubscribe import Fewer
from service.rules.pace import PACES
from service.store.competition import Competition
from tests.sample_games import BASE_URL, GAME, NAMES, NOW, STAMP, WAYS, sample

SEASON = Competition(
    id=GAME,
    league=GAME,
    number=2,
    host=None,
    title="First Fridays",
    public=True,
    ruleset="new-corp-order",
    seats=4,
    options={},
    pace=PACES["daily"],
    system="groups",
    rounds=4,
    by_itself=True,
    state="running",
    round=1,
    entry_until=NOW + timedelta(days=2),
    created_at=NOW,
)


def _about(what: CompetitionNews) -> Callable[[str], EmailMessage]:
    """Return the writer of a mail to the first of a group."""

    def write(language: str) -> EmailMessage:
        group = {"tier": 1, "group_number": 1, "handle": None}
        table = [
            SimpleNamespace(name=name, place=place, points=48 - 12 * place, moves=int(place == 1), **group)
            for place, name in enumerate(NAMES[:4], 1)
        ]
        reader = MailReader("Alice", "alice@example.org", language, "Europe/Berlin", WAYS["league"].fewer)
        told = CompetitionStanding(SEASON, f"{BASE_URL}/leagues/first-fridays/2", table, table[0])
        return add_identity_headers(competition_mail(what, told, reader, BASE_URL, GAME), STAMP, "league", 1)

    return write


def _invited(language: str) -> EmailMessage:
    """Return the mail about a tournament that a host invites to."""
    tournament = replace(SEASON, league=None, number=None, host=GAME, title="Spring Cup", system="swiss", state="entry")
    fewer = Fewer(f"{BASE_URL}/u/{'k7' * 20}", "challenge")
    reader = MailReader("Alice", "alice@example.org", language, "Europe/Berlin", fewer)
    meta = sample("new-corp-order", 2, 0, language).position.ruleset.meta
    mail = tournament_invited_mail(InvitedToTournament(tournament, "Bob"), meta, reader, BASE_URL)
    return add_identity_headers(mail, STAMP, "challenge", 1)


MAILS: dict[str, Callable[[str], EmailMessage]] = {
    "league-begun": _about("competition-begun"),
    "league-over": _about("competition-over"),
    "league-reminder": _about("entry-reminder"),
    "tournament-invited": _invited,
}
