"""Subjects of mails and threads in mail programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any
from uuid import UUID

import pytest
from msgspec import structs

from service.log.recorded import Recorded
from service.mail import play
from service.mail.compose import Addressee, Stamp, address_game_mail, text_part
from service.mail.play import Lead, TurnPrompt, lead_of
from service.mail.sentences import times_of
from service.mail.subject_line import MAX_NAME_LENGTH, MAX_REASON_LENGTH, subject_beginnings, subject_line, table_label
from service.rules.games.new_corp_order.events import CardTaken, DecisionReached, EndTriggered, TurnBegan
from service.rules.shared_events import SeatResigned
from service.views.history import recap_of
from tests.clocked_games import clocked
from tests.letters import threads
from tests.mail.test_secrets import TABLES, drawn, others_dreams
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
        "Your move: Friday night (Bob adds 2 black agents to A3) · until Tue 12:45"
    )
    reminder = found.turn(turn=replace(turn, reminds=True), way=WAYS["reminder"])
    assert reminder.subject == "Your time runs until Tue 12:45: Friday night"


def test_the_mail_about_the_end_says_who_has_won() -> None:
    over = sample("new-corp-order", 3, 3_000)
    told = [
        play.game_over_mail(over.position, seat, over.lately(seat), replace(WAY, token=None)).subject
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
    ended = play.game_over_mail(over.position, 0, over.lately(0), replace(WAY, token=None)).subject
    due = clocked(named(later("new-corp-order", 2, 21, language), "Friday table"))
    reminds = TurnPrompt(reminds=True, times=times_of(due.position, due.seat, NOW))
    assert len({each[:30] for each in (*turns, ended, due.turn(turn=reminds).subject)}) == 5


@pytest.mark.parametrize(
    ("language", "two", "three", "four", "alone"),
    [
        ("en", "with Bob", "with Bob and Carol", "with Bob and 2 others", "New Corp Order solo"),
        ("de", "mit Bob", "mit Bob und Carol", "mit Bob und 2 anderen", "New Corp Order, Solopartie"),
        ("fr", "avec Bob", "avec Bob et Carol", "avec Bob et 2 autres", "New Corp Order en solo"),
    ],
)
def test_tables_without_a_name_go_by_the_game_and_the_opponents(
    language: str, two: str, three: str, four: str, alone: str
) -> None:
    for seats, others in ((2, two), (3, three), (4, four)):
        found = named(later("new-corp-order", seats, 21, language), None)
        assert table_label(found.position, 0, language) == f"New Corp Order {others}"
        assert "#" not in found.turn().subject
    assert table_label(named(later("new-corp-order", 1, 9, language), None).position, 0, language) == alone


def test_a_long_name_and_a_long_reason_are_shortened() -> None:
    found = named(later("new-corp-order", 2, 21), "An exceedingly long name of a table, even for us")
    told = subject_line(found.position, 0, "en", "turn", "Bob " * 40)
    assert len(told) <= len("Your move:  ()") + MAX_NAME_LENGTH + MAX_REASON_LENGTH
    assert told.startswith("Your move: An exceedingly long name")


def test_a_name_that_would_be_a_link_is_none() -> None:
    found = named(later("new-corp-order", 2, 21), "Buy at www.evil.example")
    assert "evil" not in found.turn().subject


@pytest.mark.parametrize(("name", "seats"), TABLES)
@drawn
@times(6)
def test_a_reason_follows_from_what_every_spectator_may_know(name: str, seats: int, seed: int, steps: int) -> None:
    found = later(name, seats, steps if name == "new-corp-order" else steps % 8, "en", seed=seed)
    asked: set[int | None] = set()

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(thing: Any, viewer: int | None, *more: Any) -> Any:
            asked.add(viewer)
            return function(thing, viewer, *more)

        return call

    ruleset = found.position.ruleset
    spied = {each: watched(getattr(ruleset, each)) for each in ("redact", "describe", "view", "standings", "imagine")}
    position = replace(found.position, ruleset=replace(ruleset, **spied))
    recap = found.lately(found.seat)
    led = lead_of(position, found.seat, recap)
    assert led == lead_of(found.position, found.seat, recap)
    assert asked <= {None}
    for dream in others_dreams(found, None):
        assert lead_of(dream.position, found.seat, recap) == led


def test_of_a_hidden_card_a_subject_tells_that_it_was_taken() -> None:
    found = later("new-corp-order", 2, 21)
    told = set()
    for card in ("red", "white"):
        taken = CardTaken(seat=1, source="deck", card=card, to="hand")
        recorded = [Recorded(1, taken, 1, "link", 0, None, NOW, "card-taken")]
        told.add(lead_of(found.position, 0, recap_of(found.position, recorded, 0, "en")))
    assert told == {Lead(1, "Bob takes a card from the deck")}


def test_a_player_who_gives_up_outweighs_what_the_others_do() -> None:
    found = later("new-corp-order", 3, 21)
    happened = [
        Recorded(1, SeatResigned(seat=2, ends=False), 2, "link", 0, None, NOW, "seat-resigned"),
        Recorded(2, EndTriggered(seat=1), 1, "link", 0, None, NOW, "end-triggered"),
    ]
    assert lead_of(found.position, 0, recap_of(found.position, happened, 0, "en")) == Lead(1, "Carol gives up")
    assert lead_of(found.position, 0, recap_of(found.position, happened[1:], 0, "en")) == Lead(
        2, "Bob starts the last round"
    )


def test_whose_turn_it_is_is_never_a_reason() -> None:
    found = later("new-corp-order", 2, 21)
    for event in (TurnBegan(seat=1), TurnBegan(seat=0), DecisionReached(seat=1, decision="discard")):
        happened = [Recorded(1, event, 1, "link", 0, None, NOW, "turn-began")]
        assert lead_of(found.position, 0, recap_of(found.position, happened, 0, "en")) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_to_any_mail_begins_as_the_mails_of_the_game_do(language: str) -> None:
    for table in ("Friday night", None):
        found = clocked(named(later("new-corp-order", 2, 21, language), table))
        prompt = TurnPrompt(times=times_of(found.position, found.seat, NOW))
        begin = subject_beginnings(found.position, language)
        for turn in (prompt, replace(prompt, goes_on=True), replace(prompt, reminds=True)):
            assert any(found.turn(turn=turn).subject.startswith(each) for each in begin)


def test_subjects_of_earlier_versions_are_recognised() -> None:
    found = named(later("new-corp-order", 2, 21), None)
    begin = subject_beginnings(found.position, "en")
    for earlier in ("New Corp Order #0000a1", "Your move: #0000a1 Bob (Bob took a card)", "Your answer: #0000a1 Bob"):
        assert any(earlier.startswith(each) for each in begin)
    assert ": #0000a1, your move" in begin


OTHER_GAME = UUID(int=77)


def arrived(
    found: Sample, row: int, seat: int | None = None, game: UUID | None = None, *, apart: bool = False
) -> EmailMessage:
    """A turn mail as it arrives: read from its bytes."""
    seat = found.seat if seat is None else seat
    position = replace(found.position, game=structs.replace(found.position.game, id=game or found.position.game.id))
    content = replace(found, position=position).turn(seat)
    stamp = Stamp(row, "Boardroom <b@boardroom.example>", NOW)
    whom = Addressee(position.game.id, position.seats[seat], apart=apart)
    raw = address_game_mail(content, "turn", whom, stamp).as_bytes()
    return message_from_bytes(raw, policy=policy.default)  # type: ignore[return-value]


def rewritten(mail: EmailMessage, number: int) -> EmailMessage:
    """The mail with a Message-ID of its relay's own, as Amazon SES gives it."""
    del mail["Message-ID"]
    mail["Message-ID"] = f"<0100{number:04x}@eu-west-1.amazonses.com>"
    return mail


def test_the_mails_of_a_game_are_one_thread_even_after_a_relay_gave_them_other_ids() -> None:
    mails = [arrived(later("new-corp-order", 2, steps), row) for row, steps in enumerate((0, 4, 8, 12))]
    alices = [mail for mail in mails if mail["To"].addresses[0].addr_spec == mails[0]["To"].addresses[0].addr_spec]
    assert len(alices) > 1
    assert len(threads(alices)) == 1
    assert len(threads([rewritten(mail, number) for number, mail in enumerate(alices)])) == 1
    assert len({str(mail["Subject"]) for mail in mails}) > 1


def test_two_games_and_two_players_are_never_one_thread() -> None:
    found = later("sealed-bids", 3, 0)
    mails = [arrived(found, 1, 0), arrived(found, 2, 1), arrived(found, 3, 0, OTHER_GAME)]
    assert threads(mails) == [{0}, {1}, {2}]


def test_who_wants_each_turn_as_a_mail_of_its_own_gets_no_thread_and_no_subject_twice() -> None:
    places = [later("new-corp-order", 2, steps) for steps in range(12)]
    turns = [*{found.position.decision: found for found in places if 0 in found.position.awaited}.values()]
    own = [arrived(found, row, 0, apart=True) for row, found in enumerate(turns)]
    assert len(threads(own)) == len(own) > 1
    numbers = [f"(no. {found.position.decision})" for found in turns]
    assert all(str(mail["Subject"]).endswith(number) for mail, number in zip(own, numbers, strict=True))
    others = [arrived(found, row, 0) for row, found in enumerate(turns)]
    assert len(threads(others)) == 1
    assert not any("(no. " in str(mail["Subject"]) for mail in others)
    assert [mail["Message-ID"] for mail in others] == [mail["Message-ID"] for mail in own]


@pytest.mark.parametrize(("name", "seats"), [("new-corp-order", 1), ("new-corp-order", 4), ("sealed-bids", 3)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_new_stands_first_and_on_the_button(name: str, seats: int, language: str) -> None:
    places = [later(name, seats, steps, language) for steps in range(12)]
    # Backwards, so that of each decision the beginning is kept, which is when the mail goes out.
    turns = {found.position.decision: found for found in reversed(places) if 0 in found.position.awaited}
    contents = [found.turn(0) for found in turns.values()]
    begins = [text_part(content)[:200] for content in contents]
    assert len(begins) > 1
    assert len(set(begins)) == len(begins)
    buttons = [block.label for content in contents for block in content.blocks if type(block).__name__ == "Button"]
    assert len(set(buttons)) == len(contents)
