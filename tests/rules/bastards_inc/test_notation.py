"""The notation of actions: one line for each, and no other line."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.notation import notate, parse
from service.rules.kernel import Unreadable
from tests.rules.bastards_inc.support import keen_game

LINES: dict[str, a.Action] = {
    "drop a07": a.Drop(card="a07"),
    "draw": a.Draw(bonus=0),
    "draw +2": a.Draw(bonus=2),
    "keep": a.Keep(),
    "collect 1 3": a.Collect(vps=(1, 3)),
    "collect -": a.Collect(vps=()),
    "place TIG cor": a.Place(to="TIG", by="cor"),
    "place TIG cri": a.Place(to="TIG", by="cri"),
    "place TIG prize": a.Place(to="TIG", by="prize"),
    "place TIG a27": a.Place(to="TIG", by="papers"),
    "place PTY": a.Place(to="PTY"),
    "place VIP": a.Place(to="VIP"),
    "let": a.Let(),
    "fight 0": a.Fight(influence=0),
    "push": a.Push(),
    "yield": a.Yield(),
    "wars ROG TIG": a.OrderWars(regions=("ROG", "TIG")),
    "deal b01 2": a.Deal(card="b01", vps=(2,)),
    "deal b13 1 3": a.Deal(card="b13", vps=(1, 3)),
    "deal b13 1 3 for b02": a.Deal(card="b13", vps=(1, 3), replaces="b02"),
    "deal b13 1 with s2.3": a.Deal(card="b13", vps=(1,), partner=a.Delegate(seat=1, vp=3)),
    "deal b13 1 with s2.3 pay 2": a.Deal(card="b13", vps=(1,), partner=a.Delegate(seat=1, vp=3), pay=2),
    "deal b13 1 with s2.3 pay -2 for b02": a.Deal(
        card="b13", vps=(1,), partner=a.Delegate(seat=1, vp=3), pay=-2, replaces="b02"
    ),
    "launder 2": a.Launder(vp=2),
    "sell 2": a.Sell(vp=2),
    "campaign 2": a.Campaign(vp=2),
    "hire": a.Hire(),
    "prize": a.BuyPrize(),
    "pass": a.Pass(),
    "done": a.Done(),
    "play a03": a.Play(card="a03"),
    "play a10 tec": a.Play(card="a10", score="tec"),
    "play a11 s2 cor": a.Play(card="a11", seat=1, score="cor"),
    "play a12 TIG": a.Play(card="a12", field="TIG"),
    "play a18 s2.1": a.Play(card="a18", target=a.Delegate(seat=1, vp=1)),
    "play a19 s2": a.Play(card="a19", seat=1),
    "play a20 1 s2.3": a.Play(card="a20", vp=1, target=a.Delegate(seat=1, vp=3)),
    "play a01 2": a.Play(card="a01", vp=2),
    "play a26 b04": a.Play(card="a26", business="b04"),
    "play a29 2 PTY": a.Play(card="a29", vp=2, field="PTY"),
    "give s2 5": a.Give(seat=1, billions=5),
    "invite b13 1 s2.3": a.Invite(card="b13", vp=1, partner=a.Delegate(seat=1, vp=3)),
    "invite b13 1 s2.3 pay 2": a.Invite(card="b13", vp=1, partner=a.Delegate(seat=1, vp=3), pay=2),
    "agree s1": a.Agree(seat=0),
    "decline s1": a.Decline(seat=0),
    "withdraw": a.Withdraw(),
    "instruct guard open": a.Instruct(instruction="guard", setting="open"),
    "instruct watch never": a.Instruct(instruction="watch", setting="never"),
    "instruct venture closed": a.Instruct(instruction="venture", setting="closed"),
    "expose": a.Expose(),
    "silent": a.KeepSilent(),
}


def test_every_kind_of_action_has_its_line() -> None:
    assert {type(action) for action in LINES.values()} == set(a.ACTION_TYPES.values())


@pytest.mark.parametrize(("line", "action"), LINES.items())
def test_a_line_is_written_and_read_as_the_rulings_have_it(line: str, action: a.Action) -> None:
    assert notate(action) == line
    assert parse(line) == action


@pytest.mark.parametrize(("line", "action"), LINES.items())
def test_case_spaces_and_dashes_make_no_difference(line: str, action: a.Action) -> None:
    assert parse(f"  {line.upper().replace(' ', '   ')} ") == action
    assert parse(line.replace("-", "\N{MINUS SIGN}").replace(" ", "\N{NO-BREAK SPACE}")) == action


def test_commas_may_stand_between_numbers_and_regions() -> None:
    assert parse("collect 3, 1") == a.Collect(vps=(1, 3))
    assert parse("wars ROG, TIG") == a.OrderWars(regions=("ROG", "TIG"))


def test_what_a_card_needs_may_be_named_in_any_order() -> None:
    assert parse("play a29 PTY 2") == parse("play a29 2 PTY")


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("deal", "deal"),
        ("deal b13", "deal b13"),
        ("deal a03 1", "a03 1"),
        ("deal b13 1 with bob", "bob"),
        ("place", "place"),
        ("place MARS", "MARS"),
        ("place TIG med", "med"),
        ("draw +4", "+4"),
        ("draw three", "three"),
        ("fight", "fight"),
        ("fight -1", "-1"),
        ("give s2 3", "3"),
        ("give s7 5", "s7 5"),
        ("invite b13 1 s2.3 pay 1", "1"),
        ("instruct guard never", "never"),
        ("instruct mood open", "mood open"),
        ("play b01", "b01"),
        ("play a20 1 2", "2"),
        ("pass please", "please"),
        ("let him in", "him in"),
        ("sell 2 now", "now"),
        ("hire²", "hire²"),
        ("", ""),
    ],
)
def test_a_line_is_read_as_a_whole_or_not_at_all(line: str, quoted: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        parse(line)
    assert str(refusal.value).startswith(f'"{quoted}"')


def test_a_line_that_is_not_understood_is_answered_with_examples_of_its_kind() -> None:
    with pytest.raises(Unreadable, match=r"instruct guard open"):
        parse("instruct guard never")


def test_long_lines_and_control_characters_are_refused() -> None:
    for line in ("pass" + " " * 300 + "pass", "pa\x00ss", "sell 2\nsell 2"):
        with pytest.raises(Unreadable):
            parse(line)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_legal_action_of_a_game_has_a_line_of_its_own_and_is_read_from_it(seats: int) -> None:
    met: set[Any] = set()
    for step in keen_game(seats, 1):
        for seat in step.before.asked:
            met.update(legal(step.before, seat))
    lines = {notate(action): action for action in met}
    assert len(lines) == len(met)
    assert all(parse(line) == action and len(line) <= 60 for line, action in lines.items())
