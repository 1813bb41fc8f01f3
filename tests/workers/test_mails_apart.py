"""Turns as mails of their own: no threads for the player, who plays by answering as everybody does."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import UUID

from sqlalchemy import text

from service.handlers import lobby, mail_preferences
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import now_at, table_for
from tests.letters import Letter, threads
from tests.people import alice, bob
from tests.replying import NOTATION, delivered, move_in, outcomes, reply, take

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"
SOON = text("update outbox set not_before = now() where kind = 'message' and state = 'pending'")


def all_mails_of(house: Runtime, mailbox: Path, game: UUID) -> dict[str, list[Letter]]:
    """Every mail of a game that is played to its end by answers, while Carol asks for help and Bob says something."""
    found: dict[str, list[Letter]] = {ALICE: [], BOB: [], CAROL: []}
    first = {CAROL: "aide", BOB: "{}\nsag: Gutes Spiel!"}
    while mails := delivered(house, mailbox, game):
        for address, letters in mails.items():
            found[address] += letters
            for letter in (each for each in letters if NOTATION.search(each.text)):
                take(house, reply(letter, first.pop(address, "{}").format(move_in(letter))))
        with house.engine.begin() as db:
            db.execute(SOON)
    return found


def test_each_mail_of_a_game_played_by_answers_stands_apart_for_those_who_wish_it(
    runtime: Runtime, mailbox: Path, position: Position
) -> None:
    game = position.game.id
    for seat in position.seats[1:]:
        # The first mails are on their way already: it holds for them, too.
        mail_preferences.change(runtime.games, seat.player_id, {"mails_apart": True})
    found = all_mails_of(runtime, mailbox, game)
    assert now_at(runtime.games, game).game.status == "finished"
    assert sorted(map(str, outcomes(runtime, game))) == ["help", *["played"] * 9]
    ours = [each.message for each in found[ALICE]]
    assert len(threads(ours)) == 1
    assert len({str(each["Subject"]) for each in ours}) > 1
    for address, kinds in ((BOB, {"turn", "receipt", "over"}), (CAROL, {"turn", "receipt", "over", "message"})):
        own = [each.message for each in found[address]]
        assert {each.kind for each in found[address]} == kinds
        assert len(threads(own)) == len(own)
        assert not [each for each in own if each["References"] or each["In-Reply-To"]]
        turns = [str(each.message["Subject"]) for each in found[address] if each.kind == "turn"]
        assert len(set(turns)) == len(turns) > 1
    last = next(str(each.message["Subject"]) for each in found[CAROL] if each.kind == "over")
    assert re.match(r".*(gagne|victoire).* : Sealed Bids avec Alice et Bob", last)
    (said,) = (str(each.message["Subject"]) for each in found[CAROL] if each.kind == "message")
    assert said == "Dit à la table : Sealed Bids avec Alice et Bob (Bob) (n° 1)"


def test_a_table_called_off_is_told_apart_as_well(runtime: Runtime, games: Games, mailbox: Path) -> None:
    host, guest = alice(games), bob(games)
    mail_preferences.change(games, guest.id, {"mails_apart": True})
    game = table_for(games, "sealed-bids", host, 3)
    lobby.join(games, game, guest.id, clock.now())
    lobby.cancel_game(games, game, host.id)
    (told,) = delivered(runtime, mailbox, game)[BOB]
    assert str(told.message["Subject"]) == "Abgesagt: Sealed Bids mit Alice und Bob"
    assert told.message["References"] is None and told.message["List-Unsubscribe"]
