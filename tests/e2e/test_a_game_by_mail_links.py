"""Whole games, played by people who have nothing but their mails."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.runtime import Runtime
from tests.builders import now_at, sealed_bids, started
from tests.letters import Form, Letter, Page, letters
from tests.mail.test_play import dump
from tests.people import alice, bob
from tests.workers.solo import hurry
from workers.relay import Relay


def delivered(runtime: Runtime, relay: Relay, mailbox: Path, game: UUID) -> list[Letter]:
    """Let the relay carry out what is due, and take the mails about the game out of the box.

    If there are none, everybody lets the time pass after which one is told that one's turn goes on.
    """
    while relay.drain():
        pass
    if not (mails := letters(mailbox, game)):
        hurry(runtime)
        while relay.drain():
            pass
        mails = letters(mailbox, game)
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return mails


def answered(web: FlaskClient, letter: Letter, chance: Random) -> None:
    """Open the mail's link, pick an action in any of the ways of its page, play it, and say so again if asked."""
    address = letter.path
    while not (confirm := _confirm(web, address)):
        address = chance.choice(sorted(Page(web.get(address).text).picks))
    response = web.post(confirm.action, data=confirm.hidden)
    assert response.status_code == 200, Page(response.text).tags
    for form in Page(response.text).forms:
        if "sure" in form.hidden:
            assert web.post(form.action, data=form.hidden).status_code == 200
    assert web.get(letter.path).status_code == 410


def _confirm(web: FlaskClient, address: str) -> Form | None:
    page = web.get(address)
    assert page.status_code == 200
    return next((form for form in Page(page.text).forms if "notation" in form.hidden), None)


def played_by_mail(app: Flask, runtime: Runtime, mailbox: Path, game: UUID, seed: int) -> Iterator[Letter]:
    """Play until no mail comes any more; yield the mails."""
    relay, chance = Relay(replace(runtime, redis=None)), Random(seed)
    web = app.test_client(use_cookies=False)
    while mails := delivered(runtime, relay, mailbox, game):
        for letter in mails:
            if letter.asks:
                answered(web, letter, chance)
            yield letter


def doors(runtime: Runtime, game: UUID) -> set[str]:
    """The doors through which the game's actions came."""
    query = text("select distinct door from event where game_id = :game and seat is not null")
    with runtime.engine.connect() as db:
        return set(db.execute(query, {"game": game}).scalars())


def told_the_end(mails: list[Letter]) -> Counter[str]:
    """Count the game-over mails by address; no later mail asks for a move."""
    count = next(index for index, mail in enumerate(mails) if mail.kind == "over")
    assert not any(mail.asks for mail in mails[count:])
    return Counter(mail.recipient for mail in mails[count:])


@pytest.mark.slow
def test_two_people_play_new_corp_order_to_its_end_by_their_mails_alone_and_no_token_is_found_anywhere(
    app: Flask,
    runtime: Runtime,
    mailbox: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    position = started(runtime.games, "new-corp-order", [alice(runtime.games), bob(runtime.games)])
    game = position.game.id
    with caplog.at_level(logging.DEBUG):
        mails = list(played_by_mail(app, runtime, mailbox, game, seed=7))
    # The mail server of the tests writes down what it receives.
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name != "mail.log")
    logged += capfd.readouterr().err
    stored, tokens = "\n".join(dump(runtime.games)), {mail.token for mail in mails if mail.asks}
    assert "/t/<token>" in logged and len(tokens) > 20
    assert not [token for token in tokens if token in logged or token in stored]
    after = now_at(runtime.games, game)
    assert after.game.status == "finished"
    assert after.ruleset.outcome(after.state)
    assert doors(runtime, game) == {"link"}
    assert len(mails) > 20
    assert told_the_end(mails) == {"alice@example.org": 1, "bob@example.org": 1}


def test_three_people_play_another_game_in_which_all_act_at_once(app: Flask, runtime: Runtime, mailbox: Path) -> None:
    game = sealed_bids(runtime.games).game.id
    mails = list(played_by_mail(app, runtime, mailbox, game, seed=7))
    assert now_at(runtime.games, game).game.status == "finished"
    assert doors(runtime, game) == {"link"}
    assert Counter(mail.recipient for mail in mails if mail.asks) == dict.fromkeys(told_the_end(mails), 3)
    assert told_the_end(mails) == {"alice@example.org": 1, "bob@example.org": 1, "carol@example.org": 1}
