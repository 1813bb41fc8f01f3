"""Challenges: who may send them, what comes of them, and what never does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from service.handlers import challenges, delete_account
from service.handlers.challenges import MOST_IN_VAIN, MOST_OPEN, ChallengeRequest
from service.handlers.lobby import Plan
from service.handlers.refusals import BadOption, ChallengeOver, NoChallenge, TooMany, UnknownChallenge, UnknownRuleset
from service.shared import clock
from service.store import operation
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import CHALLENGE_LIFETIME
from service.store.quotas import Budget, MailsSpent
from tests.builders import now_at
from tests.challenged import bot_of, challenged
from tests.people import Person, alice, bob, carol


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def mails_about(games: Games, person: Person) -> int:
    asked = text("select count(*) from outbox where kind = 'challenge' and payload ->> 'player' = :player")
    with games.engine.connect() as db:
        found: int = db.execute(asked, {"player": str(person.id)}).scalar_one()
    return found


def test_a_challenge_that_is_accepted_is_a_game_of_both_that_has_begun(games: Games, people: list[Person]) -> None:
    sent = challenged(games, people[0], people[1])
    accepted = challenges.accept(games, sent.id, people[1].id, clock.now())
    assert accepted.state == "accepted" and accepted.game
    position = now_at(games, accepted.game)
    assert [seat.player_id for seat in position.seats] == [people[0].id, people[1].id]
    assert (position.game.status, position.game.terms.pace) == ("running", sent.terms.pace)
    assert challenges.accept(games, sent.id, people[1].id, clock.now()).game == accepted.game
    with pytest.raises(ChallengeOver):
        challenges.decline(games, sent.id, people[1].id, clock.now())
    with pytest.raises(ChallengeOver):
        challenges.withdraw(games, sent.id, people[0].id, clock.now())


def test_a_game_for_more_goes_on_waiting_with_both_seated(games: Games, people: list[Person]) -> None:
    plan = Plan("new-corp-order", 3, terms=Terms(access="public"))
    sent = challenges.send(games, ChallengeRequest(people[0].id, people[1].id, plan), clock.now())
    accepted = challenges.accept(games, sent.id, people[1].id, clock.now())
    assert accepted.game
    position = now_at(games, accepted.game)
    assert (position.game.status, len(position.seats)) == ("open", 2)


def test_only_its_recipient_answers_and_only_its_sender_withdraws(games: Games, people: list[Person]) -> None:
    sent, now = challenged(games, people[0], people[1]), clock.now()
    for answer, wrong in (
        (challenges.accept, (0, 2)),
        (challenges.decline, (0, 2)),
        (challenges.withdraw, (1, 2)),
    ):
        for number in wrong:
            with pytest.raises(UnknownChallenge):
                answer(games, sent.id, people[number].id, now)
    assert challenges.decline(games, sent.id, people[1].id, now).state == "declined"
    assert challenges.decline(games, sent.id, people[1].id, now).state == "declined"
    with pytest.raises(ChallengeOver):
        challenges.accept(games, sent.id, people[1].id, now)


def test_after_seven_days_a_challenge_has_expired(games: Games, people: list[Person]) -> None:
    sent = challenged(games, people[0], people[1], clock.now() - CHALLENGE_LIFETIME)
    with pytest.raises(ChallengeOver) as over:
        challenges.accept(games, sent.id, people[1].id, clock.now())
    assert over.value.members == {"state": "expired"}
    assert challenged(games, people[0], people[1]).state == "open"


def test_one_challenge_of_a_pair_is_open_and_three_a_day_come_to_nothing(games: Games, people: list[Person]) -> None:
    now = clock.now()
    for number in range(MOST_IN_VAIN):
        sent = challenged(games, people[0], people[1], now + timedelta(minutes=number))
        with pytest.raises(NoChallenge):
            challenged(games, people[0], people[1])
        challenges.decline(games, sent.id, people[1].id, clock.now())
    with pytest.raises(NoChallenge):
        challenged(games, people[0], people[1])
    assert challenged(games, people[1], people[0]) and challenged(games, people[0], people[2])
    assert challenged(games, people[0], people[1], now + timedelta(days=1, minutes=5))


def test_two_bots_play_as_often_as_they_like(games: Games, people: list[Person]) -> None:
    one, other = bot_of(games, people[0], "One"), bot_of(games, people[1], "Other")
    for _ in range(MOST_IN_VAIN + 2):
        sent = challenged(games, one, other)
        assert challenges.accept(games, sent.id, other.id, clock.now()).game
    assert mails_about(games, other) == 0


def test_an_account_has_twenty_open_challenges_at_most(games: Games, people: list[Person]) -> None:
    others = [bob(games, email=None) for _ in range(MOST_OPEN)]
    for other in others:
        challenged(games, people[0], other)
    with pytest.raises(TooMany):
        challenged(games, people[0], people[1])


def test_nobody_challenges_themselves_the_blocked_or_the_gone_or_to_what_there_is_not(
    games: Games, people: list[Person]
) -> None:
    with pytest.raises(NoChallenge):
        challenged(games, people[0], people[0])
    sent, bot = challenged(games, people[2], people[1]), bot_of(games, people[2], "Robot")
    with games.engine.begin() as db:
        operation.block_player(db, people[2].id, "Spam.")
    for blocked in (people[2], bot):
        with pytest.raises(NoChallenge):
            challenged(games, people[0], blocked)
    with pytest.raises(NoChallenge):
        challenges.accept(games, sent.id, people[1].id, clock.now())
    delete_account.delete_account(games, people[1].id, "api", clock.now())
    with pytest.raises(NoChallenge):
        challenged(games, people[0], people[1])
    for plan, why in ((Plan("chess", 2), UnknownRuleset), (Plan("new-corp-order", 9), BadOption)):
        with pytest.raises(why):
            challenges.send(games, ChallengeRequest(people[0].id, people[2].id, plan), clock.now())


def test_a_person_gets_one_mail_from_the_budget_of_the_sender(games: Games, people: list[Person]) -> None:
    plan, small = Plan("new-corp-order", 2), Budget(0.001)
    challenges.send(games, ChallengeRequest(people[0].id, people[1].id, plan), clock.now(), budget=small)
    assert mails_about(games, people[1]) == 1
    with pytest.raises(MailsSpent):
        challenges.send(games, ChallengeRequest(people[0].id, people[2].id, plan), clock.now(), budget=small)
    assert mails_about(games, people[2]) == 0
    guest = bob(games, email=None)
    assert challenges.send(games, ChallengeRequest(people[0].id, guest.id, plan), clock.now(), budget=small)


def test_with_an_account_its_challenges_are_gone(games: Games, people: list[Person]) -> None:
    sent, got = challenged(games, people[0], people[1]), challenged(games, people[2], people[0])
    delete_account.delete_account(games, people[0].id, "api", clock.now())
    for challenge, player in ((sent, people[1]), (got, people[2])):
        with games.engine.begin() as db, pytest.raises(UnknownChallenge):
            challenges.known(db, challenge.id, player.id, clock.now())
