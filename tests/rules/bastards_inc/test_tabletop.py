"""Contributions of Ba$tard$ Inc. to the page of a table, beyond what holds for every game."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.events import Boom, EventRevealed, GameEnded
from service.rules.games.bastards_inc.state import Folder, State
from service.rules.games.bastards_inc.tabletop.choices import FORMS
from service.rules.games.bastards_inc.tabletop.english import ENGLISH
from service.rules.games.bastards_inc.tabletop.french import FRENCH
from service.rules.games.bastards_inc.tabletop.german import GERMAN
from service.rules.games.bastards_inc.tabletop.paint import paint
from service.rules.games.bastards_inc.terms import LOCATIONS, Scores
from service.rules.games.bastards_inc.view import view
from service.rules.table_parts import Choice, Piece
from service.rules.tabletop.table import Table
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, placing, table, take
from tests.rules.playouts import names_of

PLACED = a.Place(to="TIG", by="cor")
FIELDS = re.compile(r"\{(\w+)\}")


def page(state: State, viewer: int | None = ALICE, language: str = "en") -> Table:
    seats = len(state.companies)
    return Table(RULESET, state, seats, viewer, language, names_of(seats))


def choice(shown: Table, kind: str, **wanted: str) -> Choice:
    """The choice of a kind whose part has a value."""
    ((part, value),) = wanted.items()
    (found,) = [each for each in shown.choices({"kind": kind}).choices if (each.part, each.value) == (part, value)]
    return found


def told(state: State, seat: int, action: Any, viewer: int | None = CAROL) -> list[str]:
    """The lines of the log for what an action causes."""
    taken = take(state, seat, action)
    return [line.sentence for line in page(taken.state, viewer).story([(event, seat) for event in taken.events])]


def pieces(shown: Table, zone: str) -> tuple[Piece, ...]:
    return next((each.pieces for each in shown.zones() if each.id == zone), ())


def test_the_words_of_the_page_have_the_same_fields_in_every_language() -> None:
    for texts in (GERMAN, FRENCH):
        assert {key: sorted(set(FIELDS.findall(text))) for key, text in texts.items()} == {
            key: sorted(set(FIELDS.findall(text))) for key, text in ENGLISH.items()
        }


def test_every_kind_of_action_can_be_picked() -> None:
    assert set(FORMS) == set(a.ACTION_TYPES.values())
    assert {form.icon for form in FORMS.values()} <= set(RULESET.contributions.symbols("en"))


def test_a_region_is_pressed_and_the_cheaper_score_is_preselected() -> None:
    shown = page(placing({ALICE: 2}, companies={ALICE: {"scores": Scores(1, 3, 3, 3)}}))
    pressed = choice(shown, "place", to="TIG")
    assert (pressed.place, pressed.gain) == ("TIG", 0)
    assert shown.choices(pressed.picks).action == a.Place(to="TIG", by="cri")


def test_the_last_vp_comes_by_the_cheaper_score_too_though_nobody_knows_what_follows() -> None:
    shown = page(placing({ALICE: 1}, companies={ALICE: {"scores": Scores(1, 3, 3, 3), "hand": ("a27",)}}))
    pressed = choice(shown, "place", to="TIG")
    assert pressed.gain is None and shown.choices(pressed.picks).action == a.Place(to="TIG", by="cri")


def test_a_price_that_influence_has_to_pay_costs_three_times_as_much_worth() -> None:
    shown = page(placing({ALICE: 2}, companies={ALICE: {"scores": Scores(3, 2, 3, 3), "billions": 0}}))
    assert choice(shown, "place", to="RST").gain == -6


def test_whoever_arrives_where_others_stand_may_be_kept_out() -> None:
    shown = page(placing({ALICE: 1}, companies={BOB: {"vps": ("TIG", "VIP")}}))
    assert choice(shown, "place", to="TIG").prospect == "open"
    assert choice(shown, "place", to="KOR").prospect == "good"
    assert "may fight" in shown.preview(a.Place(to="TIG", by="cor")).told.consequence


def test_nobody_keeps_the_laureate_out_of_a_region() -> None:
    shown = page(placing({ALICE: 1}, companies={BOB: {"vps": ("TIG", "TLK")}}, laureate=ALICE))
    assert choice(shown, "place", to="TIG").prospect == "good"
    assert choice(shown, "place", to="TLK").prospect == "open"


def test_a_sale_into_the_grey_is_open_only_while_a_journalist_watches() -> None:
    stuff = (2, 2, 1, 1, 2, 1)
    for vps, prospect in ((("NWS", "VIP"), "open"), (("TLK", "VIP"), "good")):
        shown = page(table(companies={ALICE: {"vps": ("ROG", "VIP")}, BOB: {"vps": vps}}, stuff=stuff))
        assert choice(shown, "sell", vp="1").prospect == prospect
        assert "illegal" in shown.preview(a.Sell(vp=1)).told.consequence


def test_what_a_sale_brings_is_what_is_gained_and_the_verdict() -> None:
    shown = page(table(companies={ALICE: {"vps": ("TIG", "VIP")}}))
    assert choice(shown, "sell", vp="1").gain == 5
    assert shown.preview(a.Sell(vp=1)).told.verdict == "+5"


def test_a_field_stands_for_the_first_of_several_vps() -> None:
    shown = page(table(companies={ALICE: {"vps": (("KOR", 3), ("KOR", 4))}}))
    assert choice(shown, "launder", vp="1").place == "KOR"
    assert choice(shown, "launder", vp="2").place is None


def test_a_business_with_a_partner_is_one_of_its_choices() -> None:
    ally: dict[str, Any] = {"vps": ("RST", "VIP"), "venture": "open"}
    shown = page(table(companies={ALICE: {"vps": ("TIG", "VIP"), "hand": ("b13",)}, BOB: ally}))
    made = shown.choices({"kind": "deal", "card": "b13"})
    assert made.action == a.Deal(card="b13", vps=(1,), partner=a.Delegate(seat=BOB, vp=1))


def test_whoever_is_asked_reads_who_comes_and_what_is_announced() -> None:
    came = take(placing({BOB: 2}, active=BOB, companies={ALICE: {"vps": ("TIG", "VIP")}}), BOB, PLACED).state
    assert page(came).choices().ask.startswith("Bob arrives.")
    fought = take(came, ALICE, a.Fight(influence=2)).state
    assert page(fought, BOB).choices().ask == "Pay 3 Influence, or give up."
    companies: dict[int, dict[str, Any]] = {
        BOB: {"vps": ("KOR", "VIP"), "hand": ("b11",)},
        ALICE: {"vps": ("NWS", "VIP")},
    }
    acted = take(table(active=BOB, companies=companies), BOB, a.Deal(card="b11", vps=(1,))).state
    assert page(acted).choices().ask.startswith("Bob: The Toll Gate That Moves.")


def test_instructions_are_offered_only_once_their_kind_is_picked() -> None:
    shown = page(table(companies={ALICE: {"vps": ("TIG", "VIP")}}))
    assert "instruct" not in {each.picks["kind"] for each in shown.choices().choices}
    assert {each.value for each in shown.choices({"kind": "instruct"}).choices} == {"guard", "watch", "venture"}


def test_a_hand_and_instructions_are_shown_to_nobody_else() -> None:
    state = table(companies={ALICE: {"hand": ("a03", "b01")}})
    assert [each.place for each in pieces(page(state), "hand")] == ["a03", "b01"]
    assert len(pieces(page(state), "instructions")) == 3
    for viewer in (BOB, None):
        assert not [each for each in pieces(page(state, viewer), "hand") if each.place in {"a03", "b01"}]
    assert not pieces(page(state, None), "instructions")


def test_a_panel_tells_money_scores_prize_and_businesses() -> None:
    folder = Folder("b01", turned=True)
    shown = page(table(companies={BOB: {"billions": 7, "portfolio": (folder,)}}, laureate=BOB)).panel(BOB)
    assert [chip.number for chip in shown.chips] == [7, 5, 3, 3, 3, 3]
    assert [each.symbol for each in shown.emblems] == ["prize", "card-b01"]
    assert shown.points == 7 + 3 * 5 + 12


def test_a_nuclear_war_leaves_nothing_but_the_worth_of_the_bunker() -> None:
    over = GameEnded(reason="nuclear-war", winners=(BOB,), worths=(0, 25, 0))
    state = table(phase="over", asked=frozenset(), bunker=BOB, result=over)
    result = page(state).result()
    assert result is not None and "Bob" in result.reason
    assert [sum(part.points for part in parts) for parts in result.parts] == [0, 25, 0]
    assert [page(state).panel(seat).points for seat in range(3)] == [0, 25, 0]


def test_a_winner_by_influence_at_equal_worth_is_explained() -> None:
    tie = "At equal worth, more Influence wins, then more VPs."
    for worths, winners, explained in ((20, 20, 3), (BOB,), True), ((20, 19, 3), (ALICE,), False):
        over = GameEnded(reason="last-round", winners=winners, worths=worths)
        result = page(table(phase="over", asked=frozenset(), result=over)).result()
        assert result is not None and (tie in result.reason) is explained


def test_after_a_nuclear_war_everybody_reads_that_all_have_lost() -> None:
    over = GameEnded(reason="nuclear-war", winners=(), worths=(0, 0, 0))
    state = table(phase="over", asked=frozenset(), result=over)
    assert page(state).status().sentence == "Nuclear war: everybody has lost."


def test_a_price_is_told_with_what_it_was_for() -> None:
    state = placing({ALICE: 2}, companies={ALICE: {"scores": Scores(3, 2, 3, 3)}})
    assert told(state, ALICE, a.Place(to="TIG", by="cri")) == ["Alice pays 2 Billions and places a VP in the Tigers."]


def test_a_card_is_told_with_what_it_did() -> None:
    state = table(companies={ALICE: {"hand": ("a19",), "vps": ("TIG", "VIP")}, BOB: {"vps": ("TIG", "VIP")}})
    lines = told(state, ALICE, a.Play(card="a19", seat=BOB))
    assert lines[0] == "Alice plays Hot Coffee Lawsuit and takes 5 Billions from Bob."


def test_those_who_pass_unasked_share_a_line() -> None:
    poor: dict[str, Any] = {"billions": 0, "influence": 0}
    state = table(companies={ALICE: {"vps": ("TIG", "VIP")}, BOB: poor, CAROL: poor})
    assert "Bob and Carol pass unasked." in told(state, ALICE, a.Sell(vp=1))


def test_a_drawn_card_is_named_to_its_owner_alone() -> None:
    state = table(companies={ALICE: {"hand": ("a21",), "vps": ("TIG", "VIP")}}, cards=("b05", "b06", "b07"))
    drawn = "Alice plays Paper Shredder in Reverse and draws "
    assert told(state, ALICE, a.Play(card="a21"), BOB)[0] == f"{drawn}2 cards."
    assert told(state, ALICE, a.Play(card="a21"), ALICE)[0] == f"{drawn}Celebrities Eat Bark and Tank with Cup Holders."


def test_a_vp_that_is_placed_has_an_arrow_from_the_lounge() -> None:
    taken = take(placing({ALICE: 2}), ALICE, a.Place(to="TIG", by="cor"))
    marks = page(taken.state, BOB).changes([(event, ALICE) for event in taken.events])
    assert [(mark.kind, mark.origin, mark.at, mark.actor) for mark in marks] == [("move", "VIP", "TIG", ALICE)]


def test_an_order_is_marked_where_its_vps_stand() -> None:
    shown = page(table(companies={ALICE: {"vps": ("TIG", "RST"), "hand": ("b13",)}}), ALICE)
    assert [mark.at for mark in shown.intended(a.Deal(card="b13", vps=(1, 2)))] == ["TIG", "RST"]


def test_whoever_passes_until_woken_does_not_come_next() -> None:
    state = table(4, companies={BOB: {"done": True}})
    assert page(state, 3).upcoming() == [CAROL, 3]
    assert page(state, ALICE).upcoming() == []


def test_at_a_glance_a_field_has_the_colour_of_whoever_has_most_vps_there() -> None:
    state = table(companies={ALICE: {"vps": ("KOR", "TIG")}, BOB: {"vps": ("SUP", "TIG")}})
    cells = page(state).glimpse().cells
    assert cells == ("c7", "seat-2", "c7", "c2", "c7", "c3", "seat-1", "c5", "c6")


def test_at_a_glance_the_sixth_seat_has_a_colour_too() -> None:
    assert "seat-6" in page(table(6, companies={5: {"vps": ("KOR",)}})).glimpse().cells


def test_a_place_tells_in_words_what_is_drawn_on_it() -> None:
    state = table(companies={BOB: {"vps": (("KOR", 4), "KOR")}}, wars=("KOR",))
    label = page(state).board().places["KOR"].label
    assert label.startswith("KOR Corruptistan, Corruption 1, Crime 3") and "at war" in label
    assert "2 VPs of Bob with 4 Billions of black money" in label


# The picture of the table.

SVG = "{http://www.w3.org/2000/svg}"
MARIGOLD = "#f6b42c"


def painted(state: State, viewer: int | None = ALICE, language: str = "en") -> Element:
    return fromstring(paint(view(state, viewer), language, names_of(len(state.companies))))


def texts(drawn: Element) -> list[str]:
    return [each.text or "" for each in drawn.iter(f"{SVG}text")]


def place(drawn: Element, name: str) -> Element:
    (found,) = [each for each in drawn.iter(f"{SVG}g") if each.get("data-place") == name]
    return found


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_place_is_a_square_of_the_picture(seats: int, language: str) -> None:
    drawn = painted(table(seats), language=language)
    named = [each.get("data-place") for each in drawn.iter(f"{SVG}g") if each.get("class") == "square"]
    assert sorted(filter(None, named)) == sorted(LOCATIONS)


def test_a_vp_stands_on_its_field_with_its_black_money() -> None:
    drawn = place(painted(table(companies={BOB: {"vps": (("KOR", 4), "VIP")}})), "KOR")
    assert {"2", "4"} <= set(texts(drawn)[5:])
    assert len(list(drawn.iter(f"{SVG}circle"))) == 1


def test_four_vps_of_each_of_six_seats_find_room_in_the_lounge() -> None:
    state = table(6, companies={seat: {"vps": ("VIP",) * 4} for seat in range(6)})
    drawn = place(painted(state), "VIP")
    middles = [(float(each.get("cx", 0)), float(each.get("cy", 0))) for each in drawn.iter(f"{SVG}circle")]
    assert len(set(middles)) == 24
    assert all(13 <= x <= 216 - 13 and 13 <= y <= 124 - 13 for x, y in middles)


def test_the_values_in_force_are_those_that_are_drawn() -> None:
    event = EventRevealed(event="e12", booms=(Boom("POO", 2),))
    calm, boom = (painted(table(in_force=each)) for each in (None, event))
    assert "3" in texts(place(calm, "POO")) and "5" in texts(place(boom, "POO"))
    assert any("Gold Rush" in each for each in texts(boom))


def test_the_reader_sees_their_own_hand_and_no_other() -> None:
    state = table(companies={ALICE: {"hand": ("a03",)}, BOB: {"hand": ("b05",)}})
    assert any("Too Big to Pay" in each for each in texts(painted(state, ALICE)))
    assert not any("Celebrities Eat Bark" in each for each in texts(painted(state, ALICE)))
    assert not any("Too Big to Pay" in each for each in texts(painted(state, None)))


def test_the_pieces_of_the_reader_are_marigold() -> None:
    state = table(companies={ALICE: {"vps": ("KOR", "VIP")}, BOB: {"vps": ("TIG", "VIP")}})
    for viewer, field in ((ALICE, "KOR"), (BOB, "TIG")):
        (disc,) = place(painted(state, viewer), field).iter(f"{SVG}circle")
        assert disc.get("fill") == MARIGOLD


def test_businesses_are_named_under_their_company() -> None:
    state = table(companies={BOB: {"portfolio": (Folder("b01", turned=False), Folder("b02", turned=True))}})
    assert "b01 Sneaker Cathedral · b02 Credit for a Goat" in texts(painted(state))
