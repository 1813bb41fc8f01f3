"""Whatever fails on a mail's way, in the end what is still due has left: hardly ever twice, and never unnoticed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from freezegun import freeze_time
from redis import Redis
from sqlalchemy import event, text

from service.handlers import mail_preferences, sign_in
from service.mail.smtp import Mailer
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.store.mail import find_suppression, note_suppression, suppression_digest
from service.store.outbox import MAX_ATTEMPTS
from tests.builders import act, first_legal, sealed_bids, started
from tests.faulty import DROP, OK, Faulty
from tests.games.sealed_bids.actions import Hold
from tests.people import alice, bob
from tests.workers.solo import hurry, state_of
from workers import jobs
from workers.jobs import carry_out
from workers.mail import AGAIN
from workers.main import new_worker
from workers.relay import Relay


class Died(BaseException):
    """The worker's process has ended."""


@contextmanager
def dying(house: Runtime, words: str) -> Iterator[None]:
    """Let the worker die when it comes to the first statement with these words."""

    def die(*call: Any) -> None:
        if words in str(call[2]):
            raise Died

    event.listen(house.engine, "before_cursor_execute", die)
    try:
        with pytest.raises(Died):
            yield
    finally:
        event.remove(house.engine, "before_cursor_execute", die)


@contextmanager
def served(house: Runtime, mailbox: Path, **answers: list[str]) -> Iterator[Runtime]:
    """The house with a mail server that gives these answers."""
    with Faulty(mailbox, **answers) as sink:
        mailer = Mailer(sink.url, house.settings.mail_from)
        yield replace(house, mailer=mailer, redis=None)
        mailer.close()


MAILS = "kind not in ('night', 'seal')"


def row_of(house: Runtime, position: Position, seat: int = 0) -> int:
    """The row of the mail that asks the seat to act."""
    query = text("select id from outbox where game_id = :game and payload ->> 'seat' = :seat and kind = 'turn-mail'")
    with house.engine.connect() as db:
        row: int = db.execute(query, {"game": position.game.id, "seat": str(seat)}).scalar_one()
        return row


def rows(house: Runtime) -> dict[str, int]:
    with house.engine.connect() as db:
        return dict(db.execute(text(f"select state, count(*) from outbox where {MAILS} group by 1")).all())  # type: ignore[arg-type]


def ids(mailbox: Path) -> list[str]:
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(mailbox.glob("*.eml"))]
    return [str(mail["Message-ID"]) for mail in mails]


def run(house: Runtime) -> None:
    relay = Relay(replace(house, redis=None))
    while relay.drain():
        pass


@pytest.mark.parametrize(
    ("words", "copies"),
    [("for update skip locked", 1), ("from seat s join player p", 1), ("insert into action_link", 1), ("done_at", 2)],
    ids=["before it begins", "before it asks for wishes", "before it sends", "before it notes that it has sent"],
)
def test_a_worker_that_dies_costs_at_most_a_copy_and_never_the_mail(
    runtime: Runtime, tmp_path: Path, words: str, copies: int
) -> None:
    row = row_of(runtime, sealed_bids(runtime.games))
    with served(runtime, tmp_path) as house:
        with dying(house, words):
            carry_out(house, row)
        assert state_of(house, row) == ("pending", 1)
        carry_out(house, row)
        assert state_of(house, row) == ("done", 2)
    assert len(ids(tmp_path)) == copies
    assert len(set(ids(tmp_path))) == 1


def test_a_server_that_hangs_up_after_the_mail_gets_it_once_more(runtime: Runtime, tmp_path: Path) -> None:
    row = row_of(runtime, sealed_bids(runtime.games))
    with served(runtime, tmp_path, mail=[DROP, OK]) as house:
        carry_out(house, row)
        assert state_of(house, row) == ("pending", 1)
        carry_out(house, row)
        assert state_of(house, row) == ("done", 2)
    assert len(ids(tmp_path)) == 2
    assert len(set(ids(tmp_path))) == 1


def test_a_server_that_always_hangs_up_gets_no_third_copy(runtime: Runtime, tmp_path: Path) -> None:
    row = row_of(runtime, sealed_bids(runtime.games))
    with served(runtime, tmp_path, mail=[DROP]) as house:
        for _ in range(3):
            carry_out(house, row)
        assert state_of(house, row) == ("dead", 2)
    assert len(ids(tmp_path)) == 2


def test_a_mail_refused_for_now_is_tried_five_times_more_and_then_known_to_be_undelivered(
    runtime: Runtime, tmp_path: Path
) -> None:
    row = row_of(runtime, sealed_bids(runtime.games))
    waits = text("select not_before - clock_timestamp() from outbox where id = :id")
    with served(runtime, tmp_path, recipient=["451 4.7.1 greylisted"]) as house:
        for wait in AGAIN:
            carry_out(house, row)
            with house.engine.connect() as db:
                left: timedelta = db.execute(waits, {"id": row}).scalar_one()
            assert wait - timedelta(seconds=30) < left <= wait
        carry_out(house, row)
        assert state_of(house, row) == ("dead", len(AGAIN) + 1)


@pytest.mark.parametrize("wrong", [timedelta(hours=-2), timedelta(hours=2)], ids=["behind", "ahead"])
def test_a_worker_whose_clock_is_wrong_sends_mails_and_tries_them_again_in_time(
    runtime: Runtime, tmp_path: Path, wrong: timedelta
) -> None:
    row, left_of = row_of(runtime, sealed_bids(runtime.games)), "select not_before - clock_timestamp() from outbox"
    with served(runtime, tmp_path, recipient=["451 4.7.1 greylisted", OK]) as house, house.engine.connect() as db:
        with freeze_time(clock.now() + wrong, tick=True):
            carry_out(house, row)
        left = db.execute(text(f"{left_of} where id = :id"), {"id": row}).scalar_one()
        assert state_of(house, row) == ("pending", 1) and AGAIN[0] - timedelta(seconds=30) < left <= AGAIN[0]
        with freeze_time(clock.now() + wrong, tick=True):
            carry_out(house, row)
    assert state_of(runtime, row) == ("done", 2)


def test_an_unknown_address_is_shown_and_a_policy_is_not_the_players_fault(runtime: Runtime, tmp_path: Path) -> None:
    games = runtime.games
    one, other = alice(games, "gone.for.good@example.org"), bob(games, "well@example.org")
    position = started(games, "new-corp-order", [one, other], **{"first-player": 0})
    row = row_of(runtime, position)
    with served(runtime, tmp_path, recipient=["550 5.7.1 blocked"]) as house:
        carry_out(house, row)
    assert state_of(runtime, row) == ("dead", 1)
    again = row_of(runtime, started(games, "new-corp-order", [one, other], **{"first-player": 0}))
    with served(runtime, tmp_path, recipient=["550 5.1.1 unknown"]) as house, house.engine.connect() as db:
        assert find_suppression(db, str(one.email)) is None
        carry_out(house, again)
        found = find_suppression(db, str(one.email))
        assert found is not None and (found.cause, found.status) == ("unknown-address", "5.1.1")


@pytest.mark.slow
def test_an_outage_of_hours_loses_no_mail_and_afterwards_only_current_turns_are_told(
    runtime: Runtime, games: Games, tmp_path: Path
) -> None:
    people = [alice(games, "a@example.org"), bob(games, "b@example.org")]
    for each in people:
        mail_preferences.change(games, each.id, {"kinds": {"started": False, "over": False}})
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    waiting = row_of(runtime, sealed_bids(games))
    mailer = Mailer("smtp://127.0.0.1:1", runtime.settings.mail_from)
    away = replace(runtime, mailer=mailer, redis=None)
    # More attempts than any other failure is allowed.
    for _ in range(MAX_ATTEMPTS * 2):
        carry_out(away, waiting)
        mailer.outage.end()
    for _ in range(200):
        seats = position.ruleset.to_act(position.state)
        if not seats:
            position = started(games, "new-corp-order", people, **{"first-player": 0})
            continue
        position = act(games, position, min(seats), first_legal(position, min(seats))).position
    run(away)
    assert state_of(runtime, waiting)[0] == "pending"
    with served(runtime, tmp_path) as house:
        hurry(house)
        run(house)
    assert "pending" not in rows(runtime)
    current = "select sum(cardinality(awaited)) from game where id in (select game_id from outbox)"
    with runtime.engine.connect() as db:
        assert len(ids(tmp_path)) == db.execute(text(current)).scalar_one()
    assert len(set(ids(tmp_path))) == len(ids(tmp_path))


def test_a_queue_that_is_emptied_midway_costs_no_mail(
    runtime: Runtime, queue: Redis, mailbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "runtime", lambda: runtime)
    sealed_bids(runtime.games)
    relay = Relay(runtime)
    relay.drain()
    new_worker(queue, "mails", runtime.heart).work(burst=True, max_jobs=1, logging_level="CRITICAL")
    queue.flushdb()
    assert rows(runtime) == {"done": 1, "pending": 2}
    hurry(runtime)
    relay.drain()
    new_worker(queue, "mails", runtime.heart).work(burst=True, logging_level="CRITICAL")
    assert rows(runtime) == {"done": 3}
    assert len(set(ids(mailbox))) == 3 == len(ids(mailbox))


def test_who_wants_no_mails_about_games_still_gets_those_asked_for(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    one = alice(games, "quiet@example.org")
    position = started(games, "new-corp-order", [one, bob(games, None)], **{"first-player": 0})
    mail_preferences.mute(games, position.game.id, one.id)
    run(runtime)
    assert ids(mailbox) == []
    with runtime.engine.begin() as db:
        assert list(db.execute(text(f"select state, last_error from outbox where {MAILS}")).all()) == [
            ("skipped", "muted")
        ]
        mail_preferences.want_nothing(db, one.id)
        note_suppression(db, suppression_digest(str(one.email)), "unknown-address", "5.1.1", clock.now())
    sign_in.ask(games, str(one.email), "Alice", "en", clock.now())
    run(runtime)
    assert len(ids(mailbox)) == 1


def test_two_turns_in_the_same_second_are_two_mails(runtime: Runtime, games: Games, mailbox: Path) -> None:
    people = [alice(games), bob(games, email=None)]
    for _ in range(2):
        started(games, "new-corp-order", people, **{"first-player": 0})
    run(runtime)
    assert len(set(ids(mailbox))) == 2


def test_who_plays_on_at_once_gets_no_mail(runtime: Runtime, games: Games, mailbox: Path) -> None:
    unhurried = replace(runtime, settings=replace(runtime.settings, mail_delay=3))
    position = sealed_bids(games)
    run(unhurried)
    for seat in range(3):
        mail_preferences.change(games, position.seats[seat].player_id, {"kinds": {"over": False}})
        act(games, position, seat, Hold())
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox where payload ->> 'decision' <> '1'"))
        db.execute(text("update outbox set added_at = added_at - interval '4 min', not_before = now()"))
    run(unhurried)
    assert ids(mailbox) == []
    assert rows(runtime) == {"skipped": 3}


def test_a_signature_covers_the_headers_by_which_programs_unsubscribe(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    started(games, "new-corp-order", [alice(games), bob(games, email=None)], **{"first-player": 0})
    run(runtime)
    (path,) = mailbox.glob("*.eml")
    raw = path.read_bytes()
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    public = b"".join(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).splitlines()[1:-1])
    covered = [b"from", b"to", b"subject", b"date", b"message-id", b"list-id", b"list-unsubscribe"]
    signature = dkim.sign(raw, b"mail", b"example.org", secret, include_headers=[*covered, b"list-unsubscribe-post"])
    record = b"v=DKIM1; k=rsa; p=" + public

    def verified(mail: bytes) -> bool:
        return bool(dkim.verify(signature + mail, dnsfunc=lambda *_, **__: record))

    assert verified(raw)
    (url,) = [line for line in raw.split(b"\r\n") if line.startswith(b"List-Unsubscribe: ")]
    assert url.startswith(b"List-Unsubscribe: <http") and url.endswith(b">"), "on one line"
    assert not verified(raw.replace(url, url.replace(b"/u/", b"/v/")))
    assert not verified(raw.replace(b"List-Unsubscribe=One-Click", b"List-Unsubscribe=No-Click"))
