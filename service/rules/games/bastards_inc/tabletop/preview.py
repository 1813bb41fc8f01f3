"""The preview of an action: sentence, consequences, verdict, marks; and its prospect and gain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.decide import decide
from service.rules.games.bastards_inc.describe import describe
from service.rules.games.bastards_inc.edition import BUSINESS_DATA, CARD_DATA
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.scoring import current_worths
from service.rules.games.bastards_inc.tabletop.story import changes, intended
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.games.bastards_inc.terms import LOUNGE, NEWS
from service.rules.kernel import Json, by_name
from service.rules.table_parts import Foreseen, Mark, Prospect, Telling
from service.rules.table_plugin import Sight

_FREE = (a.Give, a.Invite, a.Withdraw, a.Agree, a.Decline, a.Instruct)
_HOME = (a.Launder, a.Sell, a.Campaign)


def preview(sight: Sight, action: Any, foreseen: Foreseen) -> Telling:
    """Return the preview of an action of the reader, in the present tense."""
    told = speaker(sight)
    kind = next(iter(by_name([type(action)])))
    button = f"confirm.{kind}"
    return Telling(
        sentence=describe(action, sight.viewer, sight.language, sight.names),
        consequence=" ".join(_consequences(sight, action, foreseen)),
        prospect=prospect(sight, action),
        verdict=_verdict(told, action, foreseen),
        button=told.word(button if told.has(button) else "confirm"),
        marks=tuple(_marks(sight, action, foreseen)),
    )


def _consequences(sight: Sight, action: Any, foreseen: Foreseen) -> Iterator[str]:
    told = speaker(sight)
    paid = next((each.fields for each in foreseen.events if _own(sight, each.name, each.fields)), None)
    if paid is not None:
        yield told.word("pays", what=price(told, paid))
    if isinstance(action, a.Place) and may_be_kept_out(sight, action):
        yield told.word("may-be-kept-out")
    if illegal(sight, action):
        yield told.word("illegal.watched" if watched(sight) else "illegal.unwatched")
    if isinstance(action, _HOME):
        yield told.word("goes-home")
    if isinstance(action, a.Play) and CARD_DATA[action.card].timing == "free":
        yield told.word("still-to-act")
    if isinstance(action, _FREE) and sight.view["phase"] == "business":
        yield told.word("still-to-act")
    if isinstance(action, a.Done):
        yield told.word("until-woken")


def _own(sight: Sight, name: str, fields: Json) -> bool:
    return name == "price-paid" and fields["seat"] == sight.viewer and bool(fields["billions"] or fields["influence"])


def price(told: Speaker, paid: Json) -> str:
    """Return what has been paid, such as `5 Billions and 2 Influence`."""
    return told.all_of(told.counted(each, paid[each]) for each in ("billions", "influence") if paid[each])


def _verdict(told: Speaker, action: Any, foreseen: Foreseen) -> str:
    """Return the gain of an action in a few characters, at the place that it is about."""
    if isinstance(action, a.Deal):
        return told.word("verdict.deal", n=BUSINESS_DATA[action.card].income)
    for each in foreseen.events:
        field = _EARNED.get(each.name)
        if field is not None and each.fields.get(field):
            return f"+{each.fields[field]}"
    return ""


def _marks(sight: Sight, action: Any, foreseen: Foreseen) -> list[Mark]:
    """Return the marks of the action and of what follows at once."""
    own = intended(sight, action)
    places = {mark.at for mark in own}
    following = [mark for mark in changes(sight, foreseen.events) if mark.at not in places]
    return [*own, *following]


_EARNED: Mapping[str, str] = {
    "money-laundered": "billions",
    "stuff-sold": "billions",
    "campaign-run": "influence",
    "billions-gained": "billions",
    "influence-gained": "influence",
    "billions-taken": "billions",
}


# The prospect of an action, and its gain, as far as the seat can know them.


class _Asked(Exception):
    """Chance was asked: the outcome cannot be known."""


class _NoDice:
    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Refuse."""
        raise _Asked

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Refuse."""
        raise _Asked


def prospect(sight: Sight, action: Any) -> Prospect:
    """Return "good" for an action whose outcome is sure, "open" where something hidden decides."""
    if isinstance(action, a.Draw | a.Fight | a.Expose):
        return "open"
    if isinstance(action, a.Place):
        return "open" if may_be_kept_out(sight, action) else "good"
    if isinstance(action, a.Play) and CARD_DATA[action.card].kind == "draw":
        return "open"
    return "open" if illegal(sight, action) and watched(sight) else "good"


def gain(sight: Sight, action: Any) -> int | None:
    """Return the worth that an action wins or loses at once; None if that cannot be known."""
    seat, state = sight.viewer or 0, sight.known
    try:
        events = decide(state, seat, action, _NoDice())
    except _Asked:
        return None
    after = state
    for event in events:
        after = evolve(after, event)
    return current_worths(after)[seat] - current_worths(state)[seat]


def may_be_kept_out(sight: Sight, action: a.Place) -> bool:
    """Return whether somebody else stands where a VP arrives, and might fight it (B-31, B-32)."""
    if action.by == "prize":
        return False
    others = (each for each in sight.view["companies"] if each["seat"] != sight.viewer)
    return action.to != LOUNGE and any(vp["at"] == action.to for each in others for vp in each["vps"])


def illegal(sight: Sight, action: Any) -> bool:
    """Say whether journalists may expose an action (B-61)."""
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
