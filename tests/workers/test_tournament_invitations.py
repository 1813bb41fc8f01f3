"""The mail about a tournament that a host invites somebody to: who gets it, how often, and how to get none."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import people, tournaments
from service.mail.competition import tournaments_untold
from service.mail.preferences import IN_DIGEST
from service.runtime import Runtime
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.competition import Competition
from service.store.games import Games
from service.store.quotas import Budget, MailsSpent
from tests.challenged import bot_of, called
from tests.competing import carried, tournament_of
from tests.letters import text_of
from tests.people import Person, alice, bob, carol, guest, new_address, register

_ROWS = text("""
select state, last_error from outbox where kind = 'tournament-invited' and payload ->> 'player' = :player order by id
""")
_LEFT = text("update outbox set state = 'skipped', last_error = :why where kind = 'tournament-invited'")


def invited(games: Games, opened: Competition, person: Person) -> None:
    assert opened.host is not None
    tournaments.invite(games, opened.id, opened.host, person.id, clock.now())


def rows(games: Games, person: Person) -> list[tuple[str, str | None]]:
    with games.engine.connect() as db:
        return [(row.state, row.last_error) for row in db.execute(_ROWS, {"player": str(person.id)})]


def sent(runtime: Runtime, mailbox: Path, person: Person) -> list[EmailMessage]:
    """Return the mails to a person that have left when all that is due has."""
    carried(runtime, "tournament-invited")
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(mailbox.glob("*.eml"))]
    return [mail for mail in mails if isinstance(mail, EmailMessage) and person.email and person.email in mail["To"]]


def test_who_is_invited_gets_one_mail_that_leads_to_the_tournament(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    host, other = alice(games), register(games, "Bob", new_address(), "en")
    opened = tournament_of(games, host, public=False)
    for _ in range(2):
        invited(games, opened, other)
    tournaments.leave(games, opened.id, other.id)
    invited(games, opened, other)
    (mail,) = sent(runtime, mailbox, other)
    assert mail["Subject"] == "Alice invites you to the tournament Spring Cup"
    assert "/tournaments/mine\n" in text_of(mail) and host.email not in mail.as_string()


def test_the_link_of_the_mail_ends_mails_of_its_kind_without_a_game_and_without_signing_in(
    app: Flask, runtime: Runtime, mailbox: Path
) -> None:
    games = runtime.games
    host, other = alice(games), register(games, "Bob", new_address(), "en")
    invited(games, tournament_of(games, host), other)
    (mail,) = sent(runtime, mailbox, other)
    fewer = re.fullmatch(r"<(.*/u/[a-z2-7]{40})>", mail["List-Unsubscribe"])
    assert fewer
    web, path = app.test_client(), urlsplit(fewer[1]).path
    shown = web.get(path)
    assert (
        shown.status_code == 200
        and "you may miss your turns" not in shown.text
        and "#" not in shown.text.split("<h1")[1]
    )
    assert web.get(f"{path[:-1]}{'a' if path[-1] != 'a' else 'e'}").status_code == 404
    assert web.post(path, data={"scope": "game"}).status_code == 200
    invited(games, tournament_of(games, host), other)
    assert len(sent(runtime, mailbox, other)) == 2
    assert web.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    invited(games, tournament_of(games, host), other)
    assert len(sent(runtime, mailbox, other)) == 2 and rows(games, other)[-1] == ("skipped", "unwanted")
    web.post(path, data={"scope": "kind-again"})
    invited(games, tournament_of(games, host), other)
    assert len(sent(runtime, mailbox, other)) == 3


def test_a_block_is_above_invitations_before_and_after(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    host, other, third = alice(games), bob(games, new_address()), carol(games, new_address())
    called(games, host, name := f"h{host.id.hex[-10:]}")
    opened = tournament_of(games, host, public=False)
    invited(games, opened, other)
    people.block_player(games, other.id, name, clock.now())
    assert sent(runtime, mailbox, other) == [] and rows(games, other) == [("skipped", None)]
    with games.engine.connect() as db, pytest.raises(tournaments.UnknownTournament):
        tournaments.known(db, opened.id, other.id)
    with pytest.raises(NotFound):
        invited(games, opened, other)
    with pytest.raises(NotFound):
        tournaments.invite(games, opened.id, host.id, bot_of(games, third, "Robot").id, clock.now())
    invited(games, opened, third)
    tournaments.close(games, opened.id, host.id, clock.now())
    assert sent(runtime, mailbox, third) == []


def test_the_mail_is_from_the_budget_of_the_host_and_goes_to_confirmed_addresses_only(games: Games) -> None:
    host, first, second = alice(games), bob(games, new_address()), carol(games, new_address())
    opened, small = tournament_of(games, host), Budget(0.001)
    tournaments.invite(games, opened.id, host.id, first.id, clock.now(), small)
    with pytest.raises(MailsSpent):
        tournaments.invite(games, opened.id, host.id, second.id, clock.now(), small)
    with games.engine.connect() as db, pytest.raises(tournaments.UnknownTournament):
        tournaments.known(db, tournament_of(games, host, public=False).id, second.id)
    unconfirmed = guest(games, new_address())
    tournaments.invite(games, opened.id, host.id, unconfirmed.id, clock.now(), small)
    assert (len(rows(games, first)), rows(games, second), rows(games, unconfirmed)) == (1, [], [])


def test_an_invitation_left_to_the_digest_is_a_line_of_it(games: Games) -> None:
    host, other = alice(games), bob(games, new_address())
    opened = tournament_of(games, host)
    invited(games, opened, other)
    with games.engine.begin() as db:
        db.execute(_LEFT, {"why": IN_DIGEST})
        (line,) = tournaments_untold(db, other.id, "de")
    assert "lädt dich zum Turnier" in line[1] and "Spring Cup" in line[1]
    tournaments.leave(games, opened.id, other.id)
    with games.engine.begin() as db:
        assert list(tournaments_untold(db, other.id, "de")) == []
