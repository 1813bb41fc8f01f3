"""Beside the links that are the reader's alone stands the one that may be shared, where anybody may look on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from service.mail.play import send_turn_mail
from service.runtime import Runtime
from service.store.tables import game as game_table
from tests.builders import now_at, sealed_bids
from tests.letters import Page, letters, turn_mails

MAILED, ON_PAGE = "you may share this link", "Others may watch by this link"


@pytest.mark.parametrize(
    ("terms", "shared"),
    [({"spectators": True}, True), ({"spectators": False}, False), ({"access": "invitation"}, False)],
)
def test_the_table_is_offered_for_sharing_where_anybody_may_look_on(
    app: Flask, runtime: Runtime, mailbox: Path, terms: dict[str, Any], shared: bool
) -> None:
    games, position = runtime.games, sealed_bids(runtime.games)
    with games.engine.begin() as db:
        db.execute(update(game_table).where(game_table.c.id == position.game.id).values(**terms))
    position = now_at(games, position.game.id)
    assert send_turn_mail(runtime, turn_mails(games, position)[0]) == "done"
    (mail,) = letters(mailbox, position.game.id)
    table, web = f"/games/{position.game.id}", app.test_client(use_cookies=False)
    page = web.get(mail.path).text
    assert (MAILED in " ".join(mail.text.split()), ON_PAGE in page) == (shared, shared)
    assert (table in Page(page).links) == shared
    seen = web.get(table)
    assert seen.status_code == (200 if shared else 404)
    assert "Please do not forward" in " ".join(mail.text.split()) and "Hand:" not in seen.text
