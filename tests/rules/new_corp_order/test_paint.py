from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.tabletop.draw import caption
from service.rules.games.new_corp_order.tabletop.paint import look, paint
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.kernel import fold
from service.rules.text_width import SMALLEST
from tests.rules.new_corp_order.support import BOB, CAROL, HQ, Tile, solo, table, won
from tests.rules.playouts import names_of, random_game

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = ("red", "black", "blue", "white")
WRITTEN_ON = {
    "ink": ("paper", "panel", *(f"tint-{colour}" for colour in COLOURS)),
    "faint": ("paper",),
    "mark": ("paper",),
    "paper": ("ink",),
    **{f"on-{colour}": (f"conglomerate-{colour}",) for colour in COLOURS},
    "on-black": ("conglomerate-black", "ods"),
}


def picture(facts: list[Any], viewer: int | None = 0, language: str = "en", names: Any = None) -> Element:
    state = fold(RULESET, facts)
    return fromstring(paint(RULESET.view(state, viewer), language, names or names_of(state.seats)))


def place(drawn: Element, name: str) -> Element:
    (found,) = [each for each in drawn.iter(f"{SVG}g") if each.get("data-place") == name]
    return found


def texts(drawn: Element) -> list[str]:
    return [each.text or "" for each in drawn.iter(f"{SVG}text")]


def things(drawn: Element, look: str) -> list[Element]:
    return [each for each in drawn.iter() if look in (each.get("class") or "").split()]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted(luminance(str(look(name)["fill"])) for name in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_all_that_actions_name_is_in_the_picture(seats: int) -> None:
    for state in random_game("new-corp-order", seats, 1).states[:-1:9]:
        for seat in RULESET.to_act(state) & set(range(seats)):
            painted = paint(RULESET.view(state, seat), "en", names_of(seats))
            places = set(re.findall(r'data-place="([^"]+)"', painted))
            for action in RULESET.legal(state, seat):
                line = RULESET.notate(action)
                named = line.split()[1:] if line.startswith("P ") else re.findall(r"@\d|\b[A-D]\d\b", line)
                assert set(named) <= places, line


def test_a_company_shows_its_whole_name_its_type_and_its_agents() -> None:
    drawn = picture(table(4, grid={"B3": Tile("black", 7, "broadcast-network")}), language="de")
    company = place(drawn, "B3")
    assert company.findtext(f"{SVG}title") == "B3: ThoughtApparatus Inc. (Sendernetz), 7 schwarze Agenten"
    assert texts(company) == ["B3", "Sender", "Thought", "Apparatus Inc.", "7"]
    assert len([each for each in things(company, "edge") if each.tag == f"{SVG}rect"]) == 7
    assert things(company, "tint-black")


def test_no_name_is_cut_off_in_any_language() -> None:
    for language in RULESET.meta.languages:
        state = fold(RULESET, table(4, hqs=[HQ(consultants=("military-contractor", "dealmaker"))]))
        drawn = fromstring(paint(RULESET.view(state, 0), language, names_of(4)))
        assert not [text for text in texts(drawn) if "…" in text]
        written = "".join(texts(drawn)).replace(" ", "")
        assert all(each.name.replace(" ", "") in written for each in state.companies.values())


def test_every_conglomerate_has_a_shape_of_its_own() -> None:
    grid = {f"{column}1": Tile(colour) for column, colour in zip("ABCD", COLOURS, strict=True)}
    drawn = picture(table(2, grid=grid))
    shapes = []
    for column in "ABCD":
        *_, agent = [each for each in place(drawn, f"{column}1").iter() if each.get("stroke-width") == "1.2"]
        shapes.append((agent[0].tag, len((agent[0].get("points") or "").split())))
    assert len(set(shapes)) == 4


def test_rotated_cards_lie_on_their_side() -> None:
    drawn = picture(table(2, hqs=[HQ(cards={"red": 2}, rotated={"blue": 1})]))
    (red, *_), (blue,) = (things(place(drawn, "@0"), f"conglomerate-{colour}") for colour in ("red", "blue"))
    assert float(red.get("width", 0)) < float(red.get("height", 0))
    assert float(blue.get("width", 0)) > float(blue.get("height", 0))
    assert {"2", "1"} <= set(texts(place(drawn, "@0")))


def test_own_hand_and_objectives_are_in_the_own_picture_alone() -> None:
    facts = table(3, hands=[{"red": 3}], objectives=[("print-media", "social-media")] * 3)
    own, other, spectator = (picture(facts, viewer) for viewer in (0, CAROL, None))
    assert {"Your hand", "Print Media", "Social Media"} <= set(texts(own))
    assert len(things(own, "conglomerate-red")) - len(things(spectator, "conglomerate-red")) == 3
    assert len(things(other, "conglomerate-red")) == len(things(spectator, "conglomerate-red"))
    # A star on each of three companies of two types; nothing else but the player to act is marked.
    assert [len(things(each, "mark")) for each in (own, other, spectator)] == [7, 7, 1]


def test_an_empty_slot_and_an_empty_deck_can_be_seen() -> None:
    drawn = picture(table(2, display=("red", None, "blue", "white", "red"), deck=()))
    assert [slot for slot in "12345D" if any(each.get("stroke-dasharray") for each in place(drawn, slot).iter())] == [
        "2",
        "D",
    ]


def test_who_is_to_act_what_was_taken_over_and_the_final_round_stand_out() -> None:
    drawn = picture(won("B2", "ambient-advertising", seat=BOB), language="fr")
    assert things(place(drawn, "B2"), "marked") and things(place(drawn, "@1"), "marked")
    assert not things(place(drawn, "@0"), "marked")
    final = picture(table(3, final_turns=2), language="de")
    assert "LETZTE RUNDE: nach diesem Zug noch 1 Zug." in texts(final)


def test_alone_the_picture_shows_the_marker_and_who_plays_what() -> None:
    drawn = picture(solo(marker=2, objectives=("online-marketing", "print-media", "social-media")))
    assert "ODS" in texts(drawn) and "@1 ODS" in texts(drawn)
    assert [len(things(place(drawn, hq), f"conglomerate-{colour}")) for hq in ("@0", "@1") for colour in COLOURS] == [
        *(2, 2, 0, 0),
        *(0, 0, 2, 2),
    ]
    assert {"Online Marketing", "Print Media", "Social Media"} <= set(texts(drawn))


def test_in_the_end_the_picture_shows_everybodys_points_and_objectives() -> None:
    state = random_game("new-corp-order", 3, 2).states[-1]
    view = RULESET.view(state, None)
    drawn = fromstring(paint(view, "en", names_of(3)))
    for seat, score in enumerate(view["result"]["scores"]):
        hq = place(drawn, f"@{seat}")
        assert f"{score} pts" in texts(hq)
        assert bool(things(hq, "marked")) == (seat in view["result"]["winners"])
        assert len(things(hq, "ink")) >= 2 + len(state.objectives[seat])
    assert caption(view, "en", names_of(3)).startswith("The game is over and won by")


def test_a_caption_says_who_is_to_do_what_and_who_controls_how_many_companies() -> None:
    view = RULESET.view(fold(RULESET, table(2, others="red", grid={"A1": Tile("blue"), "A2": Tile("white")})), None)
    assert caption(view, "en", ["Alice", "Bob"]) == (
        "Turn 1, Alice: choose an action; companies: red 10, black 0, blue 1, white 1; deck: 55 cards."
    )


def test_texts_are_large_enough_and_can_be_told_from_their_ground() -> None:
    for text, grounds in WRITTEN_ON.items():
        for ground in grounds:
            assert contrast(text, ground) >= 4.5, (text, ground)
    for seats in (1, 4):
        state = random_game("new-corp-order", seats, 3).states[40]
        drawn = fromstring(paint(RULESET.view(state, 0), "fr", ["Wolfgang-Amadeus Mozart"] * seats))
        assert min(float(each.get("font-size", 0)) for each in drawn.iter(f"{SVG}text")) >= SMALLEST


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_all_that_has_to_be_read_is_11_pixels_high_on_a_phone(seats: int, language: str) -> None:
    states = random_game("new-corp-order", seats, 5).states
    consultants = next(each.consultants.values() for each in LANGUAGES if each.code == language)
    for state in (states[len(states) // 2], states[-1]):
        view = RULESET.view(state, 0)
        drawn = fromstring(paint(view, language, ["Ann", "Bob", "Cem", "Dee"][:seats]))
        # A company goes by its square, and a consultant by the letter before its name.
        named = [*(each["name"] for each in view["grid"]["companies"]), *consultants]
        names = " ".join(f"{number} × {name} {name}" for name in named for number in range(2, 10))
        phone = 360 / float(drawn.get("viewBox", "").split()[2])
        small = {
            each.text: each.get("font-size")
            for each in drawn.iter(f"{SVG}text")
            if float(each.get("font-size", 0)) * phone < 11 and (each.text or "") not in names
        }
        assert not small
