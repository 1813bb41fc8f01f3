"""Playing by answering mails, through the doors that mail servers use, as workers carry it out."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers.play import Move, play
from service.handlers.take_back import Wish, take_back
from service.mail.smtp import Mailer
from service.rules.lookahead import afterwards
from service.runtime import Runtime
from service.shared import clock
from service.store.engine import build_engine
from service.store.games import Games, Position
from service.store.pruning import prune
from tests.builders import now_at, started
from tests.letters import Letter, Page
from tests.people import alice, bob, carol, guest
from tests.replying import (
    NOTATION,
    address_of,
    answer,
    answers,
    by_reply,
    delivered,
    move_in,
    outcomes,
    place,
    post,
    reply,
    take,
)
from workers.inbox import Inbox

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"
SECRET = re.compile(r"(?<=[+/])[a-z2-7]{26}\b")
BACK = re.compile(r"solange niemand sonst gezogen\s+hat:?\n(\S+)$", re.MULTILINE)


@pytest.fixture
def inbox(runtime: Runtime) -> Iterator[str]:
    with Inbox(runtime, "smtp://127.0.0.1:0") as listening:
        yield listening.url


def test_three_people_play_a_whole_game_in_three_languages_by_answering_their_mails(
    runtime: Runtime, mailbox: Path, game: UUID, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("INFO")
    with Inbox(runtime, "smtp://127.0.0.1:0") as smtp, Inbox(runtime, "lmtp://127.0.0.1:0") as lmtp:
        doors, played = cycle((smtp.url, lmtp.url)), 0
        languages: set[str] = set()
        secrets: set[str] = set()
        while mails := delivered(runtime, mailbox, game):
            for letter in (mail for each in mails.values() for mail in each):
                languages.add(letter.message["Content-Language"])
                secrets |= set(SECRET.findall(letter.raw.decode()))
                # Whoever has sealed the last bid of a lot finds the next one in the answer to it.
                if NOTATION.search(letter.text):
                    post(next(doors), reply(letter, f"{move_in(letter)}\n\n> {letter.text}"))
                    played += 1
    assert now_at(runtime.games, game).game.status == "finished"
    assert played == 9
    assert set(outcomes(runtime, game)) == {"played"}
    assert languages == {"en", "de", "fr"}
    logged = caplog.text + "".join(capfd.readouterr())
    assert "mail came in" in logged
    assert len(secrets) > played and not [each for each in secrets if each in logged]


@pytest.mark.parametrize("identity", ["<one@example.org>", None])
def test_the_same_mail_five_times_plays_once(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], identity: str | None
) -> None:
    message = reply(mails[ALICE], move_in(mails[ALICE]), Message_ID=identity)
    taken = [take(runtime, message) for _ in range(5)]
    assert taken == ["stored", *["known"] * 4]
    assert len(answers(runtime, mailbox, game, ALICE)) == 1
    assert take(runtime, message) == "known"
    assert not answers(runtime, mailbox, game, ALICE)
    assert by_reply(runtime, game) == 1


def test_an_answer_says_what_came_of_it_and_can_itself_be_answered(
    app: Flask, runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    move = move_in(mails[BOB])
    take(runtime, reply(mails[BOB], f"{move.upper()}.\nsag: viel Glück euch allen"))
    (letter,) = answers(runtime, mailbox, game, BOB)
    assert all(each in letter.text for each in (f"„{move}“ gespielt", "können jetzt deine Nachricht lesen", "„zurück“"))
    assert letter.message["In-Reply-To"] == mails[BOB].message["In-Reply-To"]
    web = app.test_client(use_cookies=False)
    page = web.get(urlsplit(BACK.findall(letter.text)[0]).path)
    assert [form.action for form in Page(page.text).forms if form.action.endswith("/link/back")]
    take(runtime, reply(letter, "zurück"))
    assert "zurückgenommen" in answer(runtime, mailbox, game, BOB)
    assert outcomes(runtime, game) == ["played", "undone"]
    assert 1 in now_at(runtime.games, game).awaited


def test_a_receipt_quotes_what_was_said_and_what_was_left_out(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    words = (
        "sag: viel Glück\n\nund bis Sonntag\nVon: meiner Seite\nalles gut\n-- \nBob\n\nVan: Boardroom\nAan: Bob\n\nhold"
    )
    take(runtime, reply(mails[BOB], f"{move_in(mails[BOB])}\n{words}"))
    told = answer(runtime, mailbox, game, BOB)
    with runtime.engine.connect() as db:
        said = db.execute(text("select text from talk where game_id = :game"), {"game": game}).scalar_one()
    assert said == "viel Glück\nund bis Sonntag Von: meiner Seite alles gut"
    assert "können jetzt deine Nachricht lesen:\n| viel Glück\n| und bis Sonntag Von: meiner Seite alles gut\n" in told
    assert "Signatur aussieht:\n| Bob\n" in told
    # and without a signature the line with which the quote begins
    take(runtime, reply(mails[BOB], "sag: noch etwas\n\nVan: Boardroom\nAan: Bob\n\nhold"))
    told = answer(runtime, mailbox, game, BOB)
    assert "| noch etwas\n" in told and "scheint:\n| Van: Boardroom\n" in told


def test_letters_that_may_be_wrong_are_told(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    message = reply(mails[BOB], "x")
    message.set_payload("sag: schön".encode("cp1252"))
    message.replace_header("Content-Type", "text/plain; charset=x-klingon")
    take(runtime, message)
    told = " ".join(answer(runtime, mailbox, game, BOB).split())
    assert "| schön" in told and "nennt „x-klingon“ als Zeichensatz" in told


def test_a_form_that_cannot_be_read_is_named_and_a_reaction_uses_up_no_answer(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for number in range(4):
        reaction = reply(mails[ALICE], f"{number} Alice reacted via Gmail")
        reaction.add_alternative("{}", subtype="vnd.google.email-reaction+json")
        take(runtime, reaction)
    assert not answers(runtime, mailbox, game, ALICE)
    sealed = reply(mails[ALICE], "x")
    sealed.replace_header("Content-Type", "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m")
    take(runtime, sealed)
    assert "came as S/MIME, a form that is not readable" in " ".join(answer(runtime, mailbox, game, ALICE).split())
    assert outcomes(runtime, game) == [*["automatic"] * 4, "form"]


def test_what_a_mail_says_is_told_without_control_characters(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    take(runtime, reply(mails[BOB], "sag: viel\0 Glück\x1b[31m euch\tallen\x07"))
    assert "können jetzt deine Nachricht lesen" in answer(runtime, mailbox, game, BOB)
    with runtime.engine.connect() as db:
        said = db.execute(text("select text from talk where game_id = :game"), {"game": game}).scalar_one()
    assert said == "viel Glück[31m euch allen"


def test_an_answer_to_an_old_mail_plays_nothing_and_shows_the_table(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for letter in mails.values():
        take(runtime, reply(letter, move_in(letter)))
    delivered(runtime, mailbox, game)
    before = now_at(runtime.games, game).version
    take(runtime, reply(mails[CAROL], "hold"))
    told = answer(runtime, mailbox, game, CAROL)
    assert "avez déjà pris la décision" in " ".join(told.split()) and "Lot 2" in told
    assert now_at(runtime.games, game).version == before


IDLE = (
    ("aide", "help", "« dis: bonne chance ! »"),
    ("montre", "shown", "Voici la table"),
    ("bid 99", "illegal", "n’est pas possible"),
    ("bid 1\nbid 2", "several", '"bid 1", "bid 2"'),
    ("Merci, à demain !", "nothing", "Votre message commence par : « Merci, à demain ! »."),
    ("castle", "nothing", "Votre message commence par : « castle »."),
    ("annuler", "nothing-to-undo", "Vous n’avez joué aucun coup"),
    ("abandonner", "resign-asked", "« abandonner oui »"),
    ("dis: " + "x" * 501, "too-long", "500"),
)


def test_what_plays_nothing_is_answered_with_what_to_do(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    before = now_at(runtime.games, game).version
    for words, _, told in IDLE:
        take(runtime, reply(mails[CAROL], words))
        written = answer(runtime, mailbox, game, CAROL)
        assert told in " ".join(written.split())
        assert NOTATION.search(written)
        with runtime.engine.begin() as db:
            db.execute(text("update inbound_mail set answered_at = answered_at - interval '1 hour'"))
    assert outcomes(runtime, game) == [outcome for _, outcome, _ in IDLE]
    assert now_at(runtime.games, game).version == before


def test_who_means_it_resigns_and_who_wants_quiet_gets_it(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    take(runtime, reply(mails[ALICE], "Resign YES"))
    take(runtime, reply(mails[BOB], "stumm"))
    found = delivered(runtime, mailbox, game)
    assert "resigned from this game" in found[ALICE][-1].text
    assert "keine Mails mehr" in found[BOB][-1].text
    assert now_at(runtime.games, game).resigned == (0,)
    with runtime.engine.connect() as db:
        assert db.execute(text("select count(*) from mail_mute where game_id = :game"), {"game": game}).scalar() == 1


@pytest.mark.parametrize(("verdict", "outcome"), [("pass", "played"), ("fail", "not-believed")])
def test_a_mail_plays_only_if_our_own_server_believes_its_sender(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], verdict: str, outcome: str
) -> None:
    checked = replace(runtime, settings=replace(runtime.settings, inbound_server="mx.example.net"))
    message = reply(mails[ALICE], move_in(mails[ALICE]))
    forged = b"Authentication-Results: mx.example.net; dmarc=pass\r\n"
    raw = f"Authentication-Results: mx.example.net; dmarc={verdict}\r\n".encode() + forged + message.as_bytes()
    with Inbox(checked, "smtp://127.0.0.1:0") as inbox, smtplib.SMTP(*place(inbox.url)) as server:
        server.sendmail(ALICE, [message["To"].addresses[0].addr_spec], raw)
    (letter,) = answers(checked, mailbox, game, ALICE)
    assert outcomes(runtime, game) == [outcome]
    assert by_reply(runtime, game) == (outcome == "played")
    assert ("Nothing was played" in letter.text) == (outcome == "not-believed")


@pytest.mark.parametrize("foreign", [False, True])
def test_the_mailbox_of_an_address_with_a_plus_plays_unless_it_is_another_accounts(
    runtime: Runtime, mailbox: Path, foreign: bool
) -> None:
    base = f"{uuid4().hex}@example.org"
    tagged = base.replace("@", "+bg@")
    games = runtime.games
    game = started(games, "sealed-bids", [alice(games, tagged), bob(games), carol(games)]).game.id
    letter = delivered(runtime, mailbox, game)[tagged][0]
    if foreign:
        alice(games, base)
    else:
        # Whoever only types an address in has not got it.
        guest(games, base)
    checked = replace(runtime, settings=replace(runtime.settings, inbound_server="mx.example.net"))
    message = reply(letter, move_in(letter), From=base)
    verdict = b"Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\r\n"
    with Inbox(checked, "smtp://127.0.0.1:0") as inbox, smtplib.SMTP(*place(inbox.url)) as server:
        server.sendmail(base, [address_of(letter)], verdict + message.as_bytes())
    # The answer goes to the address of the account in any case.
    assert list(delivered(checked, mailbox, game)) == [tagged]
    assert outcomes(runtime, game) == ["not-believed" if foreign else "played"]


def test_a_mail_from_elsewhere_brings_its_player_a_link_and_nothing_else(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], inbox: str
) -> None:
    post(inbox, reply(mails[ALICE], move_in(mails[ALICE]), From="mallory@example.com"))
    found = delivered(runtime, mailbox, game)
    assert list(found) == [ALICE]
    assert found[ALICE][0].message["Reply-To"] != mails[ALICE].message["Reply-To"]
    assert "/t/" in found[ALICE][0].text
    assert not by_reply(runtime, game)
    # Where nobody checks senders, what comes from another machine is not believed either.
    take(runtime, reply(mails[BOB], move_in(mails[BOB])), own=False)
    delivered(runtime, mailbox, game)
    assert outcomes(runtime, game) == ["not-believed", "not-believed"]


def test_the_address_of_a_reply_may_be_in_upper_case_and_fits_every_server(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], inbox: str
) -> None:
    local = mails[ALICE].message["Reply-To"].addresses[0].username
    assert len(local) <= 64
    post(inbox, reply(mails[ALICE], move_in(mails[ALICE]), To=f"{local.upper()}@EXAMPLE.ORG"))
    assert len(answers(runtime, mailbox, game, ALICE)) == 1
    assert outcomes(runtime, game) == ["played"]


def test_the_door_says_at_once_what_it_cannot_take(runtime: Runtime, mails: dict[str, Letter], inbox: str) -> None:
    with smtplib.SMTP(*place(inbox)) as server:
        server.ehlo("client.example.org")
        server.mail(ALICE)
        assert server.rcpt("alice@example.org")[0] == 550
        assert server.rcpt(f"z+{'a' * 26}@example.org")[0] == 550
        assert server.rcpt(mails[ALICE].message["Reply-To"].addresses[0].addr_spec)[0] == 250
    gone = replace(runtime, games=Games(build_engine("postgresql+psycopg://nobody@127.0.0.1:1/none"), {}))
    with Inbox(gone, "lmtp://127.0.0.1:0") as away, smtplib.LMTP(*place(away.url)) as server:
        server.ehlo("client.example.org")
        server.mail(ALICE)
        assert server.rcpt(mails[ALICE].message["Reply-To"].addresses[0].addr_spec)[0] == 451


def test_lmtp_answers_for_each_recipient(runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]) -> None:
    both = [mails[each].message["Reply-To"].addresses[0].addr_spec for each in (ALICE, BOB)]
    with Inbox(runtime, "lmtp://127.0.0.1:0") as inbox, smtplib.LMTP(*place(inbox.url)) as server:
        server.sendmail(ALICE, both, reply(mails[ALICE], "show").as_bytes())
        assert server.getreply()[0] == 250
    found = delivered(runtime, mailbox, game)
    assert "table now" in found[ALICE][0].text
    # It is Alice's mail, and so Bob is asked whether it was his.
    assert "nicht deine ist" in " ".join(found[BOB][0].text.split())


def test_an_answer_that_cannot_be_sent_is_sent_later_and_the_move_is_played_once(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    take(runtime, reply(mails[ALICE], move_in(mails[ALICE])))
    assert not delivered(replace(runtime, mailer=Mailer("smtp://127.0.0.1:1", "boardroom@example.org")), mailbox, game)
    assert by_reply(runtime, game) == 1
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set not_before = now() where kind = 'reply'"))
    assert "You played" in answer(runtime, mailbox, game, ALICE)
    assert by_reply(runtime, game) == 1


def test_mails_are_kept_sealed_for_a_fortnight(runtime: Runtime, game: UUID, mails: dict[str, Letter]) -> None:
    take(runtime, reply(mails[ALICE], "say: a word that nobody may read"))
    with runtime.engine.connect() as db:
        row = repr(db.execute(text("select * from inbound_mail where game_id = :game"), {"game": game}).one())
    assert "word" not in row and mails[ALICE].token not in row and "alice" not in row
    prune(runtime.engine, clock.now() + timedelta(days=13))
    assert outcomes(runtime, game) == [None]
    prune(runtime.engine, clock.now() + timedelta(days=15))
    assert outcomes(runtime, game) == []


def test_a_turn_that_is_taken_back_before_it_is_answered_is_withdrawn_by_a_mail(
    app: Flask, runtime: Runtime, mailbox: Path
) -> None:
    games = runtime.games
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    game = position.game.id
    first = delivered(runtime, mailbox, game)[ALICE][0]
    # given Bob's mail that it is his move
    take(runtime, reply(first, open_notation(position)))
    asked = delivered(runtime, mailbox, game)
    mine = next(each for each in asked[ALICE] if each.message["Auto-Submitted"] == "auto-replied")
    # when Alice takes her move back
    take(runtime, reply(mine, "undo"))
    told = delivered(runtime, mailbox, game)
    # then a mail tells Bob that there is nothing to do
    (withdrawn,) = told[BOB]
    assert "hat einen Zug zurückgenommen" in withdrawn.text and "Doch noch nicht" in withdrawn.message["Subject"]
    # and his old mail says so as well, by its link and by a reply
    page = app.test_client(use_cookies=False).get(asked[BOB][0].path)
    assert "gibt es nichts zu entscheiden" in page.text
    take(runtime, reply(asked[BOB][0], "P D"))
    assert "wurde zurückgenommen; ihre Entscheidung" in " ".join(answer(runtime, mailbox, game, BOB).split())
    # and Alice, who answers the mail of the decision that she took back, hears that she did so
    take(runtime, reply(first, open_notation(position)))
    assert "You have taken back your move" in " ".join(answer(runtime, mailbox, game, ALICE).split())
    assert outcomes(runtime, game)[-2:] == ["stale", "stale"]


def test_a_turn_that_was_answered_already_is_told_as_such(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    position = started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": 0})
    game = position.game.id
    first = delivered(runtime, mailbox, game)[ALICE][0]
    for _ in range(2):
        take(runtime, reply(first, open_notation(position)))
    assert "You have already taken the decision" in " ".join(answers(runtime, mailbox, game, ALICE)[-1].text.split())


def test_nobody_is_told_of_a_withdrawn_turn_who_had_not_heard_of_it(runtime: Runtime, mailbox: Path) -> None:
    games = runtime.games
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    game = position.game.id
    delivered(runtime, mailbox, game)
    play(games, Move(game, 0, position.decision, passing_on(position), "api"))
    take_back(games, Wish(game, 0, position.decision, "api"), timedelta(minutes=10), clock.now())
    assert BOB not in delivered(runtime, mailbox, game)


def open_notation(position: Position) -> str:
    """An action that shows nothing, and after which it is the other player's move."""
    return position.ruleset.notate(passing_on(position))


def passing_on(position: Position) -> Any:
    ruleset = position.ruleset
    for action in ruleset.legal(position.state, 0):
        after = afterwards(ruleset, position.state, 2, 0, action)
        if after is not None and ruleset.to_act(after) == {1}:
            return action
    raise AssertionError("there is none such")
