"""Alice plays by links in mails against computer players, whom the mails name as what they are."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from service.mail.play import send_turn_mail
from service.runtime import Runtime
from tests.builders import now_at
from tests.letters import buttons, letters, press, turn_mails
from tests.people import alice
from tests.seating import against, let_computers_play

ALICE = 0


def test_turns_against_two_computer_players_are_played_by_links_only(
    app: Flask, runtime: Runtime, mailbox: Path
) -> None:
    games = runtime.games
    position = against(games, "new-corp-order", alice(games), ["easy", "easy"])
    game = position.game.id
    for _ in range(3):
        position = let_computers_play(games, game)
        row = turn_mails(games, position)[-1]
        assert (row.payload["seat"], send_turn_mail(runtime, row)) == (ALICE, "done")
        mail = letters(mailbox, game)[-1]
        move = buttons(app.test_client(), mail.path)[0]
        assert press(app.test_client(), mail.path, **{**move, "sure": "yes"}).status_code < 400
        assert now_at(games, game).version > position.version
    assert "Computer (easy)" in mail.text and "Computer 2 (easy)" in mail.text
    html = mail.message.get_body(("html",))
    assert html is not None and "Computer 2 (easy)" in str(html.get_content())
