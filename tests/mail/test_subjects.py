"""The subjects of an inbox say what each mail is about: the state, the table, the reason, the time; and no secret."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from msgspec import structs

from service.mail import compose
from service.mail.compose import TurnPrompt
from service.mail.subjects import LONGEST_NAME, LONGEST_REASON, beginnings, called, subject
from service.mail.times import times_of
from service.views.sentences import describe_event
from tests.clocked_games import clocked
from tests.mail.test_secrets import TABLES, drawn
from tests.rules.playouts import times
from tests.sample_games import LANGUAGES, NOW, WAY, WAYS, Sample, later, sample


def named(found: Sample, name: str | None) -> Sample:
    """The same game at a table of another name."""
    game = found.position.game
    return replace(
        found, position=replace(found.position, game=structs.replace(game, terms=replace(game.terms, name=name)))
    )


def test_a_turn_mail_says_state_table_reason_and_time() -> None:
    found = clocked(later("new-corp-order", 4, 40))
    turn = TurnPrompt(times=times_of(found.position, found.seat, NOW))
    assert found.turn(turn=turn).subject == (
        "Your move: Friday night (Dave took a black card from slot 5) · 3 days left"
    )
    reminder = found.turn(turn=replace(turn, reminds=True), way=WAYS["reminder"])
    assert reminder.subject == "3 days left: Friday night, your move"


def test_the_mail_about_the_end_says_who_has_won() -> None:
    over = sample("new-corp-order", 3, 3_000)
    told = [
        compose.game_over_mail(over.position, seat, over.lately(seat), replace(WAY, token=None)).subject
        for seat in range(3)
    ]
    assert told == [
        "Bob wins, 30 to 18 to 16: Friday night",
        "You win, 30 to 18 to 16: Friday night",
        "Bob wins, 30 to 18 to 16: Friday night",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_subjects_of_an_inbox_differ_in_their_first_thirty_characters(language: str) -> None:
    turns = [
        named(later("new-corp-order", seats, 21, language), name).turn().subject
        for seats, name in ((2, "Friday table"), (3, "Nordic rivals"), (4, "Sunday duel"))
    ]
    over = named(sample("new-corp-order", 2, 3_000, language), "Friday table")
    ended = compose.game_over_mail(over.position, 0, over.lately(0), replace(WAY, token=None)).subject
    due = clocked(named(later("new-corp-order", 2, 21, language), "Friday table"))
    reminds = TurnPrompt(reminds=True, times=times_of(due.position, due.seat, NOW))
    assert len({each[:30] for each in (*turns, ended, due.turn(turn=reminds).subject)}) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_without_a_name_are_told_apart_by_their_marks(language: str) -> None:
    found = named(later("new-corp-order", 4, 21, language), None)
    assert called(found.position, 0, language) == "#0000a1 Bob, Carol +1"
    assert "#0000a1" in found.turn().subject[:30]
    alone = named(later("new-corp-order", 1, 9, language), None)
    assert called(alone.position, 0, language) == f"#0000a1 {'SOD' if language == 'fr' else 'ODS'}"


def test_a_long_name_and_a_long_reason_are_shortened() -> None:
    found = named(later("new-corp-order", 2, 21), "An exceedingly long name of a table, even for us")
    told = subject(found.position, 0, "en", "turn", "Bob " * 40)
    assert len(told) <= len("Your move:  ()") + LONGEST_NAME + LONGEST_REASON
    assert told.startswith("Your move: An exceedingly long name")


def test_a_name_that_would_be_a_link_is_none() -> None:
    found = named(later("new-corp-order", 2, 21), "Buy at www.evil.example")
    assert "evil" not in found.turn().subject


@pytest.mark.parametrize(("name", "seats"), TABLES)
@drawn
@times(6)
def test_the_reason_is_a_sentence_that_every_spectator_may_read(name: str, seats: int, seed: int, steps: int) -> None:
    found = later(name, seats, steps if name == "new-corp-order" else steps % 8, "en", seed=seed)
    told = re.fullmatch(r"(?:Your|Still your) move: Friday night(?: \((.*)\))?", found.turn().subject)
    assert told is not None
    public = {
        describe_event(found.position.ruleset, found.position.names_in("en"), each.event, None, "en").rstrip(".")
        for each in found.lately(found.seat).recorded
    }
    assert not told[1] or any(each.startswith(told[1].removesuffix("…")) for each in public)


def test_an_answer_to_any_mail_begins_as_the_mails_of_the_game_do() -> None:
    found = later("new-corp-order", 2, 21)
    begin = beginnings(found.position, "en")
    assert any(found.turn().subject.startswith(each) for each in begin)
    assert "New Corp Order #0000a1" in begin
