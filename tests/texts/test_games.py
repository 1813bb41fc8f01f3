"""Words about a game: units, and games that speak fewer languages than the service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.app import create_app
from service.handlers.talk import Said
from service.mail import play
from service.mail.blocks import BoardPicture, Content, Paragraph
from service.mail.compose import MailReader
from service.mail.digest import Digest, digest_mail
from service.mail.lobby import Invited, invitation_mail
from service.mail.play import ReplyOutcome, TurnPrompt
from service.rules.kernel import AnyRuleset
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.games import unit_count, unit_heading, unit_name, unit_number
from service.views.history import recap_of
from service.views.lobby import UsualLengths
from tests.browsing import browser
from tests.builders import finished, first_legal, now_at, opened, started
from tests.games.sealed_bids import RULESET
from tests.games.sealed_bids.actions import Bid
from tests.letters import PRESSED, Letter, letters, text_of, turn_mails
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from tests.rules.playouts import RULESETS
from tests.sample_games import BASE_URL, NOW, WAY, sample
from workers.jobs import carry_out

ROUNDS = RULESETS["bastards-inc"]
TURNS = RULESETS["new-corp-order"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Round", "round 3", "Round 3", "1 round", "7 rounds"]),
        ("de", ["Runde", "Runde 3", "Runde 3", "1 Runde", "7 Runden"]),
        ("fr", ["Manche", "manche 3", "Manche 3", "1 manche", "7 manches"]),
    ],
)
def test_a_game_of_rounds_says_rounds(language: str, said: list[str]) -> None:
    told = [unit_name(ROUNDS, language), unit_number(ROUNDS, 3, language), unit_heading(ROUNDS, 3, language)]
    assert [*told, unit_count(ROUNDS, 1, language), unit_count(ROUNDS, 7, language)] == said


@pytest.mark.parametrize(("language", "said"), [("en", "2 turns"), ("de", "2 Züge"), ("fr", "2 tours")])
def test_a_game_that_says_nothing_of_it_has_turns(language: str, said: str) -> None:
    assert unit_count(TURNS, 2, language) == said
    assert unit_heading(TURNS, 2, language).lower() == unit_number(TURNS, 2, language).lower()


NOTE = "Dieses Spiel gibt es nur auf Englisch."
ENGLISH_NOTE = "This game speaks English only."
FRENCH_NOTE = "Ce jeu n’existe qu’en anglais."


def in_english(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of a ruleset that has no words for any other language."""

    def spoken(*args: Any) -> Any:
        if {"de", "fr"} & {each for each in args if isinstance(each, str)}:
            raise KeyError(args)
        return function(*args)

    return spoken


def english_only() -> AnyRuleset:
    """Sealed Bids, as if it had only ever been written in English."""
    meta = RULESET.meta
    return replace(
        RULESET,
        meta=replace(
            meta,
            languages=("en",),
            summary={"en": meta.summary["en"]},
            options=tuple(replace(each, describe={"en": each.describe["en"]}) for each in meta.options),
        ),
        measures=tuple(replace(each, title={"en": each.title["en"]}) for each in RULESET.measures),
        **{
            name: in_english(getattr(RULESET, name))
            for name in ("describe", "ask", "draw", "paint", "caption", "explain", "guide")
        },
    )


@pytest.fixture(scope="module")
def house(runtime: Runtime) -> Runtime:
    """A service whose one game is in English."""
    return replace(runtime, games=Games(runtime.engine, {"sealed-bids": english_only()}))


@pytest.fixture(scope="module")
def site(house: Runtime) -> Flask:
    return create_app(house)


@pytest.fixture
def people(house: Runtime) -> list[Person]:
    """Bob, who reads German, as the host; Alice and Carol, who read English and French."""
    return [bob(house.games), alice(house.games), carol(house.games)]


@pytest.fixture
def position(house: Runtime, people: list[Person]) -> Position:
    """A game at its first decision."""
    return started(house.games, "sealed-bids", people)


def seen(site: Flask, house: Runtime, person: Person, path: str) -> str:
    answer = browser(site, house.games, person).get(path)
    assert answer.status_code == 200, path
    return answer.text


def mailed(house: Runtime, position: Position, mailbox: Path) -> Letter:
    """Bob's mail about the move that waits for him."""
    carry_out(house, turn_mails(house.games, position)[0].id)
    (letter,) = letters(mailbox, position.game.id)
    return letter


def words_of(letter: Letter) -> str:
    return " ".join(letter.text.split())


def test_the_pages_before_a_game_say_so_to_those_who_read_another_language(site: Flask, house: Runtime) -> None:
    guest = site.test_client()
    for path in ("/", "/rules/sealed-bids"):
        assert guest.get(f"{path}?language=de").text.count(f'<p class="note">{NOTE}</p>') == 1, path
        assert FRENCH_NOTE in guest.get(f"{path}?language=fr").text
        assert ENGLISH_NOTE not in guest.get(f"{path}?language=en").text
    page = guest.get("/rules/sealed-bids?language=de").text
    assert page.index(NOTE) < page.index("The highest bid gets the lot.")


def test_the_list_of_several_games_says_so_of_the_one(runtime: Runtime) -> None:
    others = {**runtime.games.rulesets, "sealed-bids": english_only()}
    site = create_app(replace(runtime, games=Games(runtime.engine, others)))
    for path in ("/", "/rules"):
        page = site.test_client().get(f"{path}?language=de").text
        assert page.count(NOTE) == 1 and page.index("Sealed Bids") < page.index(NOTE), path


def test_the_pages_of_a_table_that_waits_say_so(site: Flask, house: Runtime, people: list[Person]) -> None:
    game = opened(house.games, "sealed-bids", people)
    for path in ("/games/new", f"/games/{game}"):
        page = seen(site, house, people[0], path)
        assert page.index(NOTE) < page.index("Three lots, three cards, secret bids")
        assert ENGLISH_NOTE not in seen(site, house, people[1], path)


def test_the_page_of_a_game_says_so_and_is_played_on(
    site: Flask, house: Runtime, people: list[Person], position: Position
) -> None:
    page = seen(site, house, people[0], f"/games/{position.game.id}")
    assert page.count(NOTE) == 1
    assert '<html lang="de">' in page and "Bid" in page
    over = finished(house.games, position)
    for path in ("", "/replay"):
        page = seen(site, house, people[0], f"/games/{over.game.id}{path}")
        assert page.count(NOTE) == 1, path
        assert ENGLISH_NOTE not in seen(site, house, people[1], f"/games/{over.game.id}{path}")
    assert "Lot 1 is worth" in seen(site, house, people[0], f"/games/{over.game.id}/listing.txt")


def test_the_pages_behind_a_mailed_link_say_so(site: Flask, house: Runtime, position: Position, mailbox: Path) -> None:
    path, web = mailed(house, position, mailbox).path, site.test_client(use_cookies=False)
    action = position.ruleset.notate(first_legal(position, 0))
    for address in (path, f"{path}/all/1", f"{path}?notation={action}"):
        page = web.get(address, follow_redirects=True)
        assert (page.status_code, page.text.count(NOTE)) == (200, 1), address
    pressed = {"decision": position.decision, "notation": action, "sure": "yes"}
    played = web.post(path, data=pressed)
    assert (played.status_code, played.text.count(NOTE)) == (200, 1)
    assert now_at(house.games, position.game.id).version > position.version
    assert NOTE in web.get(path).text
    back = web.post(f"{path}/link/back", data=PRESSED)
    assert (back.status_code, back.text.count(NOTE)) == (200, 1)


def test_a_mail_says_so_before_the_words_of_the_game(house: Runtime, position: Position, mailbox: Path) -> None:
    words = words_of(mailed(house, position, mailbox))
    assert words.count(NOTE) == 1
    assert words.index(NOTE) < words.index("Lot 1")


def test_an_invitation_says_so_to_a_stranger(house: Runtime, people: list[Person]) -> None:
    position = now_at(house.games, opened(house.games, "sealed-bids", people))
    for language, note in (("de", NOTE), ("fr", FRENCH_NOTE), ("en", "")):
        whom = Invited("somebody@example.org", language, clock.now(), known=False)
        words = " ".join(
            text_of(invitation_mail(position, whom, "https://boardroom.example/join/x", UsualLengths({}))).split()
        )
        assert f"{note} Three lots, three cards, secret bids" in words
        assert ENGLISH_NOTE not in words


def test_a_problem_of_the_rules_says_so_before_the_reason(
    site: Flask, house: Runtime, people: list[Person], position: Position
) -> None:
    card = next(card for card in range(1, 20) if card not in position.state.hands[0])
    body = {"decision": position.decision, "notation": position.ruleset.notate(Bid(card=card))}
    answer = Caller(site.test_client(), people[0].token).post(f"/games/{position.game.id}/actions", body)
    told = refused(answer, 409, "illegal-action")
    assert (told["detail"], told["language"]) == (f"{NOTE} Card {card} is not in the hand.", "en")


@pytest.mark.parametrize("kind", ["turn", "started", "over", "message", "receipt", "digest"])
def test_every_mail_of_a_game_says_so_once_before_its_table(kind: str) -> None:
    blocks = mail(kind, "de").blocks
    assert blocks.count(Paragraph(NOTE)) == 1
    assert blocks.index(Paragraph(NOTE)) < next(
        at for at, block in enumerate(blocks) if isinstance(block, BoardPicture)
    )
    assert Paragraph(ENGLISH_NOTE) not in mail(kind, "en").blocks


def mail(kind: str, language: str) -> Content:
    """A mail about a game of the ruleset in English, to a reader of the language."""
    found = sample("sealed-bids", 3, 3_000 if kind == "over" else 2, language)
    position = replace(found.position, ruleset=english_only())
    lately = recap_of(position, found.recorded, 0, "en")
    if kind == "turn":
        return play.turn_mail(position, 0, lately, WAY, TurnPrompt())
    if kind == "started":
        return play.started_mail(position, 0, lately, WAY)
    if kind == "over":
        return play.game_over_mail(position, 0, lately, WAY)
    if kind == "message":
        return play.said_mail(position, 0, [Said(1, 1, NOW, "Hello!")], WAY)
    if kind == "receipt":
        return play.receipt_mail(position, 0, ReplyOutcome("No.", ("This is not possible.",)), WAY)
    reader = MailReader("Bob", "bob@example.org", language, "UTC")
    return digest_mail(Digest(reader, NOW, waiting=[(position, 0, WAY)], count=1), BASE_URL)
