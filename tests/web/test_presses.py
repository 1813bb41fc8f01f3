"""How often a player presses something: for each kind of turn, and over whole solo games; nothing is remembered."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from flask import Flask

from service.handlers import lobby
from service.handlers.play import play_automaton
from service.rules.games.new_corp_order.actions import Discard, Infiltrate, Plot, TakeOver
from service.rules.games.new_corp_order.legal import takeover_succeeds
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, now_at, started, table_for
from tests.e2e.mail_game import seeded
from tests.people import Person, alice, bob
from tests.web.test_table import Visit

SOLO_GAMES, MOST_PRESSES, SEED = 10, 75 / 37, 1_000
"""Presses for a decision, on the average of games dealt alike each time: 75 in a game of 37 decisions."""
PLACE = re.compile(r'<a class="(?:place|piece)[^"]*\bcan\b[^"]*"[^>]*>')
CHOICE = re.compile(r'<a class="button step (?!chosen)[^"]*"[^>]*>')
KIND = re.compile(r'<a class="step"[^>]*>')


class Presser:
    """A player who presses what is there, and counts how often."""

    def __init__(self, app: Flask, games: Games, position: Position, person: Person) -> None:
        self.visit, self.games, self.game = Visit(app, games, position, person), games, position.game.id
        self.page, self.presses = self.visit.look(), 0
        self.picked: dict[str, list[str]] = {}

    @property
    def confirming(self) -> bool:
        """Whether there is a button that plays something."""
        return 'class="confirm"' in self.page

    def press(self, link: str) -> None:
        """Follow a link."""
        found = re.search(r'href="([^"]*)"', link)
        assert found
        self.page, self.presses = self.visit.look(unescape(found[1]).partition("#")[0]), self.presses + 1
        self.picked = _picks(link)

    def place(self, name: str) -> None:
        """Press a place of the board, or a piece."""
        self.press(next(each for each in re.findall(r"<a [^>]*>", self.page) if f'data-place="{name}"' in each))

    def kind(self, word: str) -> None:
        """Press a kind of action."""
        self.press(next(each for each in KIND.findall(self.page) if f"kind={word}" in unescape(each)))

    def confirm(self) -> None:
        """Press the button that plays what is chosen."""
        answer = self.visit.send(self.page, "/action")
        assert answer.status_code == 303
        query = urlsplit(answer.headers["Location"])._replace(path="", fragment="").geturl()
        self.page, self.presses, self.picked = self.visit.look(query), self.presses + 1, {}

    def anything(self, chance: Random) -> None:
        """Press a place that can be chosen, else a choice in words, else a kind; nothing that is chosen is changed."""
        act_part = self.page.partition('<section id="act"')[2].partition("</section>")[0]
        for offered in (PLACE.findall(self.page), CHOICE.findall(act_part), KIND.findall(act_part)):
            if further := [each for each in offered if len(_picks(each)) > len(self.picked)]:
                self.press(chance.choice(further))
                return
        raise AssertionError("nothing further can be chosen")


def _picks(link: str) -> dict[str, list[str]]:
    found = re.search(r'href="([^"]*)"', link)
    return parse_qs(urlsplit(unescape(found[1])).query) if found else {}


def turn_with(games: Games, people: list[Person], wanted: type[Any], seat: int = 0) -> Position:
    """A game that was played at random until the seat may take an action of this type, one that does not fail."""
    chance = Random(1)
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    while True:
        if not position.awaited:
            position = started(games, "new-corp-order", people, **{"first-player": 0})
        legal = position.ruleset.legal(position.state, min(position.awaited))
        if seat in position.awaited and any(isinstance(each, wanted) and _wins(position, each) for each in legal):
            return position
        position = act(games, position, min(position.awaited), chance.choice(legal)).position


def _wins(position: Position, action: Any) -> bool:
    if not isinstance(action, TakeOver):
        return True
    source, target = (position.state.companies[each] for each in (action.source, action.target))
    return source.colour != target.colour and takeover_succeeds(target, source.colour, action.agents, action.use)


def at_own_turn(app: Flask, games: Games, wanted: type[Any]) -> Presser:
    """Alice, in a game of two, at a turn in which she may take an action of this type."""
    people = [alice(games, None), bob(games)]
    return Presser(app, games, turn_with(games, people, wanted), people[0])


def played(games: Games, game: UUID, version: int) -> bool:
    """Whether something was played since."""
    return now_at(games, game).version > version


def test_a_plot_of_two_open_cards_is_three_presses_and_one_more_if_it_is_asked_twice(app: Flask, games: Games) -> None:
    player = at_own_turn(app, games, Plot)
    version = now_at(games, player.game).version
    for place in re.findall(r'<a class="piece[^"]*" href="[^"]*" data-place="(\d)"', player.page)[:2]:
        player.place(place)
    player.confirm()
    assert player.presses == 3
    if 'name="sure"' in player.page:
        player.confirm()
    assert played(games, player.game, version)


def test_a_takeover_with_the_preselected_source_is_two_presses(app: Flask, games: Games) -> None:
    player = at_own_turn(app, games, TakeOver)
    position = now_at(games, player.game)
    target = next(each.target for each in position.ruleset.legal(position.state, 0) if isinstance(each, TakeOver))
    player.place(target)
    player.confirm()
    assert played(games, player.game, position.version) and player.presses == 2


@pytest.mark.parametrize(("wanted", "most"), [(Infiltrate, 3), (Discard, 2)])
def test_a_card_of_the_hand_is_played_in_few_presses(app: Flask, games: Games, wanted: type[Any], most: int) -> None:
    player = at_own_turn(app, games, wanted)
    version = now_at(games, player.game).version
    player.place(re.findall(r'data-place="(hand-[a-z]+)"', player.page)[0])
    player.confirm()
    assert played(games, player.game, version) and player.presses <= most


@pytest.mark.slow
def test_a_solo_game_takes_few_presses(app: Flask, games: Games) -> None:
    total, decisions = 0, 0
    for number in range(SOLO_GAMES):
        person, chance = alice(games, None), Random(number)
        with seeded(SEED + number):
            game = table_for(games, "new-corp-order", person, 1)
            dealt = lobby.start(games, game, person.id, clock.now())
        player = Presser(app, games, dealt, person)
        while (position := now_at(games, game)).game.status == "running":
            if position.ruleset.automaton(position.state) is not None:
                play_automaton(games, game)
                player.page = player.visit.look()
            elif player.confirming:
                player.confirm()
                decisions += 1
            else:
                player.anything(chance)
        total += player.presses
    print(f"{total / SOLO_GAMES:.1f} presses a solo game, for {decisions / SOLO_GAMES:.1f} decisions")
    assert total / decisions <= MOST_PRESSES
