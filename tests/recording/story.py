"""The story: Alice, Bob and Carol do everything that the API offers, and everything that it refuses.

Each chapter is a module beside this one. Whoever adds an operation or a problem adds the line that has it answered; a
test names what is missing.
"""

from __future__ import annotations

from dataclasses import replace

import yaml

from service.api.document import document
from service.app import create_app
from service.runtime import Runtime
from tests.live import listening
from tests.recording import (
    absences,
    accounts,
    acquaintances,
    agreement,
    challenges,
    channels,
    clock,
    computers,
    deals,
    faults,
    follow,
    leagues,
    mail,
    play,
    ratings,
    records,
    reports,
    substitutes,
    tables,
    webhooks,
)
from tests.recording.scribe import Book, Scribe


def told(runtime: Runtime) -> Book:
    """Play the story on a running server and return what was written down."""
    house = replace(
        runtime, settings=replace(runtime.settings, rate_limits=1.0, base_url="https://boardroom.example.org")
    )
    book = Book(yaml.load(document(create_app(house)), yaml.CSafeLoader))
    with listening(house, relayed=False) as url:
        nobody = Scribe(url, book)
        seats = accounts.the_players(house, nobody)
        accounts.the_accounts(house, nobody, seats[0])
        game = tables.the_lobby(seats)
        webhooks.the_webhook_of_the_table(seats[0], game)
        play.the_game(seats, game)
        records.while_it_runs(seats[0], game)
        follow.while_it_runs(seats[0], game)
        reports.the_reports(house, seats[1], game)
        reports.the_blocked(house, nobody)
        webhooks.half_of_the_time(house)
        mail.the_mails(house, nobody, seats[0], game)
        webhooks.the_webhooks(seats[0])
        channels.the_channels(seats[0])
        challenges.the_challenges(nobody, seats)
        ratings.the_leaderboard(house, seats)
        leagues.the_league(house, seats)
        leagues.the_tournament(house, seats)
        acquaintances.the_friends(seats)
        absences.the_absence(seats[0])
        seats[0].get("/me/export")
        absences.the_absence_is_off(seats[0])
        tables.the_other_tables(house, nobody, seats)
        clock.the_clocks(house, seats)
        substitutes.the_substitute(nobody, seats)
        computers.the_computers(seats)
        deals.the_deal(house, nobody, seats[0])
        agreement.the_agreements(seats)
        agreement.without_a_clock(seats)
        faults.what_cannot_be_read(nobody, seats[0])
        faults.what_the_lobby_refuses(seats, game)
        faults.what_the_game_refuses(seats, game)
        play.the_end(seats, game)
        webhooks.the_lapse(house, seats)
        follow.when_it_is_over(seats[0], game)
        records.when_it_is_over(house, nobody, seats[0], game)
        records.without_a_chain(house, seats[0])
    webhooks.the_messages(house, seats[0])
    faults.what_goes_wrong(house, seats[0], game)
    return book
