"""What comes of an action, as far as its seat can know: whether somebody may stop it, and what it is worth at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.decide import decide
from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.measures import worths
from service.rules.games.bastards_inc.terms import LOUNGE, NEWS
from service.rules.kernel import Json
from service.rules.shapes import Prospect


class _Asked(Exception):
    """Chance was asked, so that the outcome cannot be known."""


class _NoDice:
    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Refuse."""
        raise _Asked

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Refuse."""
        raise _Asked


def prospect(sight: Sight, action: Any) -> Prospect:
    """Return whether an action surely does what it says, or whether something hidden decides."""
    if isinstance(action, a.Draw | a.Fight | a.Expose):
        return "open"
    if isinstance(action, a.Place):
        return "open" if may_be_kept_out(sight, action) else "good"
    if isinstance(action, a.Play) and CARD_DATA[action.card].kind == "draw":
        return "open"
    return "open" if illegal(sight, action) and watched(sight) else "good"


def gain(sight: Sight, action: Any) -> int | None:
    """Return what an action wins or loses the reader in worth at once; None if that cannot be known."""
    seat, state = sight.viewer or 0, sight.known
    try:
        events = decide(state, seat, action, _NoDice())
    except _Asked:
        return None
    after = state
    for event in events:
        after = evolve(after, event)
    return worths(after)[seat] - worths(state)[seat]


def may_be_kept_out(sight: Sight, action: a.Place) -> bool:
    """Return whether somebody else stands where a VP arrives, and might fight it (B-31, B-32)."""
    if action.by == "prize":
        return False
    others = (each for each in sight.view["companies"] if each["seat"] != sight.viewer)
    return action.to != LOUNGE and any(vp["at"] == action.to for each in others for vp in each["vps"])


def illegal(sight: Sight, action: Any) -> bool:
    """Return whether an action is one that journalists may expose (B-61)."""
    event = sight.view["event"]
    if event is not None and event["amnesty"]:
        return False
    if isinstance(action, a.Deal):
        return BUSINESS_DATA[action.card].illegal
    if isinstance(action, a.Play):
        return CARD_DATA[action.card].illegal
    return isinstance(action, a.Sell) and _into_the_grey(region_of(sight, action.vp))


def watched(sight: Sight) -> bool:
    """Return whether somebody else has a VP on Investigative Journalism, and the reader is not immune."""
    companies = sight.view["companies"]
    others = (each for each in companies if each["seat"] != sight.viewer)
    immune = sight.viewer is not None and companies[sight.viewer]["immune"]
    return not immune and any(vp["at"] == NEWS for each in others for vp in each["vps"])


def region_of(sight: Sight, vp: int) -> Json:
    """Return the region in which a VP of the reader stands."""
    at = sight.view["companies"][sight.viewer or 0]["vps"][vp - 1]["at"]
    return next((each for each in sight.view["regions"] if each["id"] == at), {})


def _into_the_grey(region: Json) -> bool:
    return bool(region) and region["stuff"] >= region["legal_up_to"]
