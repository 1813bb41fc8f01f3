"""`boardroom admin`: operators find what waits, and act; each act needs a reason and stands in their log."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from sqlalchemy import text

from service.commands.admin.group import ACTS
from service.commands.cli import main
from service.handlers.reports import Complaint, complain
from service.handlers.talk import say
from service.log.ids import new_id
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import mail
from service.store.games import Games
from service.store.tables import seed
from tests.builders import now_at, started
from tests.operating import acts_of, last_act, nothing_in_force, verified
from tests.people import Person, bob, carol, new_address, register

Output = pytest.CaptureFixture[str]
WHY = ("--reason", "spam at every table")


@pytest.fixture(autouse=True)
def there(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of somebody who runs the house."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [register(games, "Alice", new_address(), "en"), bob(games), carol(games)]


def told(capsys: Output, *words: str) -> str:
    """Return the output of a command that succeeds."""
    capsys.readouterr()
    assert main(["admin", *words]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def refused(capsys: Output, *words: str) -> str:
    """Return the error output of a refused command."""
    capsys.readouterr()
    assert main(["admin", *words]) != 0
    return capsys.readouterr().err


@pytest.mark.parametrize("name", ACTS)
def test_each_command_has_help_of_its_own(name: str, capsys: Output) -> None:
    assert told(capsys, name, "--help").startswith(f"Usage: boardroom admin {name} ")
    assert f"\n  {name} " in told(capsys, "--help")


def test_no_act_is_done_without_a_reason(games: Games, people: list[Person], capsys: Output) -> None:
    for reason in ((), ("--reason", "  "), ("--reason", "x" * 501)):
        assert "reason" in refused(capsys, "block", str(people[0].id), *reason)
    assert acts_of(games, "player", people[0].id) == []


def test_a_player_is_found_by_id_address_and_name_with_what_waits_and_why(
    games: Games, people: list[Person], capsys: Output
) -> None:
    game = started(games, "sealed-bids", people).game.id
    with games.engine.begin() as db:
        mail.note_suppression(
            db, mail.suppression_digest(people[0].email or ""), "unknown-address", "5.1.1", clock.now()
        )
    shown = [told(capsys, "find", words) for words in (str(people[0].id), (people[0].email or "").upper())]
    assert shown[0] == shown[1]
    assert f"seat 0       game {game} running" in shown[0] and "asked since" in shown[0]
    assert "unknown-address 5.1.1" in shown[0] and "turn-mail, pending" in shown[0]
    assert str(people[0].id) in told(capsys, "find", "alice")
    assert "nothing was found" in refused(capsys, "find", "nobody-of-this-name")


def test_a_game_is_found_with_its_seats_and_nothing_hidden(games: Games, people: list[Person], capsys: Output) -> None:
    position = started(games, "new-corp-order", people)
    shown = told(capsys, "find", str(position.game.id))
    assert all(f"player {person.id}" in shown for person in people)
    with games.engine.connect() as db:
        kept = bytes(db.execute(seed.select().where(seed.c.game_id == position.game.id)).one().seed).hex()
        nonces = db.execute(text("select nonce from seat where game_id = :id"), {"id": position.game.id}).scalars()
        hidden = [kept, *nonces, *(person.token for person in people)]
    assert not [each for each in hidden if each in shown]


@pytest.mark.parametrize(
    "act",
    [
        ("block",),
        ("unblock",),
        ("close",),
        ("erase",),
        ("export", "--out", "no.json"),
        ("operator", "add"),
        ("operator", "remove"),
        ("hand-over", str(new_id())),
    ],
)
def test_no_act_takes_a_name_or_an_unverified_address_for_an_account(
    games: Games, people: list[Person], capsys: Output, act: tuple[str, ...]
) -> None:
    boss = new_address()
    with games.engine.begin() as db:
        # Such names were allowed once.
        db.execute(text("update player set name = :name where id = :id"), {"name": boss, "id": people[0].id})
    for words in (boss, people[0].email or "", "Alice"):
        assert "no account has this id, or has verified this address" in refused(capsys, *act, words, "--yes", *WHY)
    assert acts_of(games, "player", people[0].id) == []


def test_an_account_is_shown_before_an_act_which_waits_for_an_answer(
    games: Games, people: list[Person], capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    whom = verified(games, people[0])
    started(games, "sealed-bids", people)
    for answer, done in (("", False), ("n\n", False), ("y\n", True)):
        monkeypatch.setattr("sys.stdin", StringIO(answer))
        capsys.readouterr()
        assert (main(["admin", "block", whom.email or "", *WHY]) == 0) == done
        shown = capsys.readouterr().out
        assert f"account {whom.id}\n  name         Alice\n  address      {whom.email}, verified\n" in shown
        assert "0 days ago\n  games        1 open or running, 0 finished; bots: 0\n" in shown
        assert "Block this account?" in shown
        assert acts_of(games, "player", whom.id) == ["blocked"] * done


def test_blocking_and_unblocking_are_in_the_log_with_the_user_of_the_machine(
    games: Games, people: list[Person], capsys: Output
) -> None:
    verified(games, people[0])
    assert "is blocked" in told(capsys, "block", (people[0].email or "").upper(), "--yes", *WHY)
    assert last_act(games).actor.startswith("shell:")
    assert "blocked      spam at every table" in told(capsys, "find", str(people[0].id))
    told(capsys, "unblock", str(people[0].id), "--yes", *WHY)
    assert f"unblocked player {people[0].id}: spam at every table" in told(capsys, "log")
    assert "there is nothing of the kind" in refused(capsys, "unblock", str(people[0].id), "--yes", *WHY)
    told(capsys, "block", "spam@example.org", "--address", "--yes", *WHY)
    told(capsys, "unblock", "spam@example.org", "--address", "--yes", *WHY)
    assert "spam@example.org" not in told(capsys, "log")


def test_a_person_is_exported_and_erased(games: Games, people: list[Person], tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "alice.json"
    game = started(games, "sealed-bids", people).game.id
    say(games, game, people[0].id, "I live in Elm Street", "api", clock.now())
    told(capsys, "export", str(people[0].id), "--out", str(file), "--yes", *WHY)
    kept = json.loads(file.read_text())
    assert (kept["account"]["email"], kept["talk"][0]["text"]) == (people[0].email, "I live in Elm Street")
    assert kept["operator_acts"][0]["act"] == "exported"
    assert file.stat().st_mode & 0o077 == 0
    assert people[0].token not in file.read_text()
    assert "is there already" in refused(capsys, "export", str(people[0].id), "--out", str(file), "--yes", *WHY)
    told(capsys, "erase", str(people[0].id), "--yes", *WHY)
    assert now_at(games, game).resigned == (0,)
    assert acts_of(games, "player", people[0].id) == ["exported", "erased"]
    told(capsys, "close", str(people[1].id), "--yes", *WHY)
    assert acts_of(games, "player", people[1].id) == ["closed"]


def test_the_outbox_lists_what_is_dead_or_late_and_runs_or_drops_it(
    games: Games, people: list[Person], capsys: Output
) -> None:
    game = started(games, "sealed-bids", people).game.id
    with games.engine.begin() as db:
        query = text("select id from outbox where game_id = :game and kind = 'turn-mail' order by id")
        dead, late, fine = db.execute(query, {"game": game}).scalars()
        db.execute(text("update outbox set state = 'dead', last_error = 'NotSent' where id = :id"), {"id": dead})
        db.execute(text("update outbox set due_at = now() - interval '1 hour' where id = :id"), {"id": late})
    listed = told(capsys, "outbox", "list")
    assert f"effect {dead}: turn-mail, dead" in listed and "NotSent" in listed
    assert f"effect {late}: turn-mail, late" in listed and f"effect {fine}:" not in listed
    told(capsys, "outbox", "run", str(dead), *WHY)
    told(capsys, "outbox", "drop", str(late), *WHY)
    listed = told(capsys, "outbox", "list")
    assert f"effect {late}:" not in listed
    assert "there is nothing" in refused(capsys, "outbox", "drop", str(late), *WHY)


def test_a_table_is_handed_over_and_refused_with_a_sentence(games: Games, people: list[Person], capsys: Output) -> None:
    game = started(games, "sealed-bids", people).game.id
    assert "is the host" in told(capsys, "hand-over", str(game), str(people[1].id), "--yes", *WHY)
    assert "is the host already" in refused(capsys, "hand-over", str(game), str(people[1].id), "--yes", *WHY)
    assert "there is no game" in refused(capsys, "hand-over", str(people[1].id), str(people[1].id), "--yes", *WHY)


def test_a_league_is_opened_and_closed_and_refused_with_a_sentence(games: Games, capsys: Output) -> None:
    name = f"fridays-{new_id().hex[-12:]}"
    how = ("--title", "First Fridays", "--ruleset", "new-corp-order", "--option", "short-game=true", *WHY)
    assert f"/leagues/{name}" in told(capsys, "league", "open", name, *how)
    assert last_act(games).act == "league-opened"
    assert "is a league" in refused(capsys, "league", "open", name, *how)
    for wrong in (("--option", "no-such=true"), ("--ruleset", "chess")):
        assert "the ruleset is not known" in refused(capsys, "league", "open", f"{name}-b", *how, *wrong)
    for wrong in (("--option", "short-game"), ("--rounds", "9"), ("--title", " ")):
        assert "Invalid value" in refused(capsys, "league", "open", f"{name}-b", *how, *wrong)
    assert "Invalid value" in refused(capsys, "league", "open", "Not A Name", *how)
    assert "is closed" in told(capsys, "league", "close", name, *WHY)
    assert "there is nothing" in refused(capsys, "league", "close", name, *WHY)


def test_keys_are_rotated_and_the_steps_told(games: Games, capsys: Output) -> None:
    for key in ("seal", "mail", "webhooks"):
        assert "new key: " in told(capsys, "rotate", "steps", key)
        told(capsys, "rotate", key, *WHY)
        assert (last_act(games).act, last_act(games).subject) == ("keys-rotated", key)


def test_read_only_and_announcements_are_switched_by_commands(runtime: Runtime, games: Games, capsys: Output) -> None:
    with nothing_in_force(runtime):
        told(capsys, "read-only", "on", "--until", "2030-01-01T00:00", *WHY)
        runtime.mode.look()
        assert runtime.mode.read_only
        told(capsys, "read-only", "off", *WHY)
        spans = ("--from", "2029-01-01T00:00+01:00", "--until", "2029-01-01T02:00")
        words = [word for language in ("en", "de", "fr") for word in ("--text", f"{language}=x = y")]
        assert "in every language" in refused(capsys, "announce", *spans, *words[:4], *WHY)
        told(capsys, "announce", *spans, *words, *WHY)
        runtime.mode.look()
        assert runtime.mode.now.maintenance
        assert runtime.mode.now.maintenance.texts["fr"] == "x = y"
        told(capsys, "announce", "--withdraw", *WHY)
    assert last_act(games).act == "maintenance-withdrawn"


def test_only_an_account_that_signs_in_with_an_address_becomes_operator(
    games: Games, people: list[Person], capsys: Output
) -> None:
    assert "not as this act needs it" in refused(capsys, "operator", "add", str(people[0].id), "--yes", *WHY)
    verified(games, people[0])
    with games.engine.begin() as db:
        # The address is verified, and nobody has signed in with it for a long time.
        db.execute(text("delete from token where player_id = :id and browser"), {"id": people[0].id})
    assert "not as this act needs it" in refused(capsys, "operator", "add", str(people[0].id), "--yes", *WHY)
    verified(games, people[0])
    told(capsys, "operator", "add", str(people[0].id), "--yes", *WHY)
    told(capsys, "operator", "remove", str(people[0].id), "--yes", *WHY)
    assert acts_of(games, "player", people[0].id) == ["operator-added", "operator-removed"]


def test_reports_are_listed_and_an_answer_closes_them(games: Games, people: list[Person], capsys: Output) -> None:
    game = started(games, "sealed-bids", people).game.id
    say(games, game, people[1].id, "You fool", "api", clock.now())
    made = complain(games, people[0].id, Complaint(game, "talk", 1, "This is rude"), clock.now())
    listed = told(capsys, "reports", "list")
    assert f"report {made}" in listed and "You fool" in listed and "This is rude" in listed
    told(capsys, "reports", "answer", str(made), "--text", "We have told them.", *WHY)
    assert f"report {made}" not in told(capsys, "reports", "list")
    assert "there is nothing" in refused(capsys, "reports", "answer", str(made), "--text", "Again", *WHY)
