"""Sealed Bids with a fault for each check of every game: what the check has to find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from service.rules.kernel import AnyRuleset, AutoAnswer, DecisionResult, Dice, Measure, Section
from service.rules.svg import Svg, element, picture
from service.rules.table_parts import Board, Chip, Choices, Glimpse, Headline, Line, Mark, Panel, Place, Status, Unit
from service.rules.table_plugin import Sight
from tests.games.sealed_bids import RULESET
from tests.games.sealed_bids.actions import Bid, Hold

NUMBERS = count(1)
MADE: list[Any] = []


class OneLabel:
    """Chance that is asked by the same label again and again."""

    def __init__(self, chance: Dice) -> None:
        self._chance = chance

    def roll(self, label: str, sides: int, times: int = 1) -> tuple[int, ...]:
        return self._chance.roll("lot", sides, times)


def shown(**parts: Any) -> dict[str, Any]:
    """A change of what the game contributes to the page of a table."""
    return {"contributions": replace(RULESET.contributions, **parts)}


def unsteady(state: Any, event: Any) -> Any:
    """A fold that comes out another way each time."""
    return replace(RULESET.evolve(state, event), points=(next(NUMBERS), 0, 0))


def decided(state: Any, seat: int, action: Any, chance: Dice) -> Any:
    """Remember which events were made."""
    MADE.extend(events := RULESET.decide(state, seat, action, chance))
    return events


def decided_in_vain(state: Any, seat: int, action: Any, chance: Dice) -> DecisionResult:
    """Events that are said to change nothing."""
    caused = DecisionResult(state)
    caused.extend(RULESET.decide(state, seat, action, chance))
    return caused


def only_made(state: Any, event: Any) -> Any:
    """A fold that knows events only as the objects that they were."""
    known = type(event).__name__ != "LotAwarded" or any(event is each for each in MADE)
    return RULESET.evolve(state, event) if known else state


def not_yet_dealt(state: Any, viewer: int | None) -> Any:
    """A view that needs what only later events of the setup bring."""
    return {**RULESET.view(state, viewer), "strongest": max(state.hands[-1]) if state.lot == 1 else 0}


def guide(language: str) -> Any:
    """A guide without actions in German."""
    found = RULESET.guide(language)
    return replace(found, actions=()) if language == "de" else found


def richer(state: Any, viewer: int | None) -> Any:
    """States in which everybody has more points than in the real one."""
    return [replace(each, points=tuple(p + 9 for p in each.points)) for each in RULESET.imagine(state, viewer)]


def chips(sight: Sight, seat: int) -> Panel:
    """A panel with the points as a chip."""
    points = sight.view["points"][seat]
    return Panel(points=points, chips=(Chip("c1", "card", points, None, "Points"),))


def outside(sight: Sight, _: Any) -> Board:
    """A board whose place lies beside it."""
    lot = Place(90, 0, 20, 20, (95, 5), "Lot", Svg(""))
    return Board(label="Lots", width=100, height=100, ground=Svg(""), places={"lot": lot})


def unescaped(sight: Sight, _: Any) -> Board:
    """A board with a name as it was typed."""
    return Board(label="Lots", width=9, height=9, ground=Svg(f"<text>{sight.names[0]}</text>"), places={})


def square(action: Any) -> str:
    return "bid B3"


FAULTS: Mapping[str, dict[str, Any]] = {
    "what_the_game_counts_in_is_named_in_every_language": shown(
        unit={"en": Unit(name="Lot", numbered="lot", counted=("lots",))}
    ),
    "the_lobby_is_told_what_it_needs": {"meta": replace(RULESET.meta, seats=(4, 3))},
    "the_guide_says_the_same_in_every_language_of_the_game": {"guide": guide},
    "events_and_actions_go_by_their_names": {"action_types": {"bet": Bid, "hold": Hold}},
    "words_that_are_no_notation_are_refused_and_quoted_as_they_were_typed": {"parse": lambda text: Hold()},
    "the_readme_of_a_game_names_every_action_event_and_option": {"meta": replace(RULESET.meta, title="Open Bids")},
    "the_log_folds_to_the_state_that_was_reached_step_by_step": {"evolve": unsteady},
    "every_event_survives_the_codec": {"event_types": dict(list(RULESET.event_types.items())[:2])},
    "a_log_that_was_stored_folds_to_the_same_state": {"decide": decided, "evolve": only_made},
    "somebody_has_to_act_until_there_is_an_outcome": {"outcome": lambda state: None},
    "decisions_are_numbered_upwards": {"decision": lambda state: 1},
    "chance_is_never_asked_twice_by_the_same_label": {
        "decide": lambda state, seat, action, chance: RULESET.decide(state, seat, action, OneLabel(chance))  # type: ignore[arg-type]
    },
    "whoever_is_not_to_act_is_refused": {"legal": lambda state, seat: [Hold()]},
    "every_legal_action_is_accepted_and_no_two_come_to_the_same": {
        "legal": lambda state, seat: [*RULESET.legal(state, seat)] * 2
    },
    "everybody_who_is_to_act_has_a_legal_action": {"legal": lambda state, seat: []},
    "what_is_done_for_a_seat_whose_time_is_up_is_legal": {"on_timeout": lambda state, seat: Bid(card=99)},
    "what_is_played_for_a_seat_leaves_nothing_of_its_answer_owing": {"decision": lambda state: 1},
    "the_state_that_comes_with_events_is_the_one_that_they_fold_to": {"decide": decided_in_vain},
    "what_a_computer_player_thinks_about_is_legal": {"candidates": lambda state, seat: [Bid(card=99)]},
    "views_standings_and_redacted_events_are_json": {"view": lambda state, viewer: {1: 2}},
    "imagined_tables_are_alike_in_all_that_the_viewer_may_know_and_follow_from_that_alone": {"imagine": richer},
    "t31_what_a_legal_action_rests_on_is_in_the_view_of_its_seat": {"relies_on": lambda view, action: ["/nowhere"]},
    "t34_an_auto_answer_is_a_legal_action_of_a_decision_of_its_kind": {
        "auto_answers": (
            AutoAnswer(name="bid", describe=RULESET.meta.summary, answer=lambda view, legal: Bid(card=99)),
        )
    },
    "notation_can_be_read_again": {"notate": lambda action: "hold"},
    "a_line_of_notation_is_played_when_it_stands_in_a_reply": {"notate": lambda action: "undo"},
    "every_event_and_action_is_told_in_every_language": {"describe": lambda *_: ""},
    "refusals_are_told_in_every_language": {"describe": lambda *_: ""},
    "the_table_is_drawn_in_72_columns": {"draw": lambda *_: "x" * 73},
    "no_line_of_the_table_can_be_taken_for_a_reply": {"draw": lambda *_: "Lot 1\nhold"},
    "the_standings_explain_themselves_in_every_language": {
        "explain": lambda *_: (Section(title="Points", head=("Player",), rows=(("Alice",),)),)
    },
    "the_table_is_painted_as_a_picture_that_stands_for_itself": {"paint": lambda *_: "<svg/>"},
    "the_table_can_be_looked_at_after_every_event": {"view": not_yet_dealt},
    "every_square_that_an_action_names_is_in_the_picture": {"notate": square},
    "a_position_has_a_caption_in_every_language": {"caption": lambda *_: "No end"},
    "a_name_is_nothing_but_text_in_a_picture": {"paint": lambda *_: picture("Lots", (0, 0, 9, 9))},
    "every_part_is_there_for_every_position_and_viewer": shown(glimpse=lambda _: Glimpse(1, ("red",))),
    "two_states_that_look_alike_to_a_viewer_contribute_the_same": shown(
        status=lambda _: Status(str(next(NUMBERS)), "")
    ),
    "the_points_of_a_preview_are_those_after_the_action": shown(panel=lambda *_: Panel(points=None)),
    "every_choice_comes_to_what_it_says": shown(choices=lambda *_: Choices(ask="", choices=())),
    "a_ruleset_that_contributes_nothing_has_a_page_all_the_same": {"describe": lambda *_: ""},
    "every_legal_action_can_be_picked": shown(picks=lambda *_: {"kind": "hold"}),
    "the_chips_of_a_preview_are_what_changes_in_the_panels": {"imagine": richer, **shown(panel=chips)},
    "a_status_is_short_in_every_language": shown(status=lambda _: Status("x" * 99, "x")),
    "a_result_adds_up": {"measures": (Measure(name="points", title={}, count=lambda state: (0, 0, 0)),)},
    "a_board_is_harmless_and_can_be_read": shown(board=outside),
    "a_name_is_nothing_but_text_on_a_board": shown(board=unescaped),
    "symbols_can_stand_on_a_page": shown(symbols=lambda _: {"Card": element("g")}),
    "words_can_be_read_on_every_colour_of_a_game": shown(looks={"c1": ("#000000",) * 2, "on-c1": ("#111111",) * 2}),
    "marks_are_at_places_that_exist_and_belong_to_lines_of_the_log": shown(
        changes=lambda *_: [Mark(kind="new", at="nowhere")]
    ),
    "every_event_has_the_number_of_its_turn": shown(turns=frozenset({"bid-sealed"})),
    "who_comes_next_is_somebody_else_than_who_is_to_act": shown(upcoming=lambda _: (0, 1, 2)),
    "what_is_told_of_the_log_is_the_same_for_whoever_sees_the_same": shown(
        story=lambda *_: [Line(icon="icon-event", sentence=str(next(NUMBERS)), seat=0, first=0, last=0)]
    ),
    "a_headline_is_of_an_event_and_weighs_something": shown(headlines=lambda *_: [Headline(0, 0, "Bob bids")]),
    "a_headline_tells_nothing_that_a_spectator_may_not_know": shown(
        headlines=lambda *_: [Headline(0, 1, str(next(NUMBERS)))]
    ),
}
"""By the name of the check: the fields of the ruleset with the fault."""


def faulty(check: str) -> AnyRuleset:
    """Return Sealed Bids with the fault that a check has to find."""
    return replace(RULESET, **FAULTS[check])
