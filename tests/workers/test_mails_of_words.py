"""Remarks of others in mails, quoted as far as the reader knows the speaker."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from service.handlers import mail_preferences, talk
from service.runtime import Runtime
from service.shared import clock
from tests.builders import finished, started
from tests.people import alice, register
from tests.strangers import EVIL, Deliver, daily_mails, to


def test_words_of_whom_one_has_never_finished_a_game_with_stand_on_the_page_alone(
    runtime: Runtime, deliver: Deliver
) -> None:
    games, address, daily = runtime.games, f"{uuid4().hex}@example.org", f"{uuid4().hex}@example.org"
    reader, other, mallory = alice(games, address), alice(games, daily), register(games, "Mallory", None, "en")
    mail_preferences.change(games, other.id, {"digest": 7})
    game = started(games, "sealed-bids", [reader, other, mallory]).game.id
    talk.say(games, game, mallory.id, EVIL, "api", clock.now() - timedelta(hours=2))
    mails = [*to(deliver(), address), *to(daily_mails(runtime, deliver), daily)]
    told = [mail for mail in mails if "Mallory said something" in mail.text]
    assert {mail.kind for mail in told} == {"message", "digest"}
    assert not any(word in mail.message.as_string() for mail in mails for word in ("evil", "locked"))


def test_words_of_a_fellow_player_lead_nowhere(runtime: Runtime, deliver: Deliver) -> None:
    games, address = runtime.games, f"{uuid4().hex}@example.org"
    people = [alice(games, address), register(games, "Mallory", None, "en"), register(games, "Moll", None, "en")]
    finished(games, started(games, "sealed-bids", people))
    game = started(games, "sealed-bids", people).game.id
    talk.say(games, game, people[1].id, f"Well played!\n{EVIL}", "api", clock.now())
    (mail,) = [each for each in to(deliver(), address) if each.kind == "message"]
    assert "| Well played!\n| Your account is locked. Log in at\n" in mail.text
    assert "evil" not in mail.message.as_string()
