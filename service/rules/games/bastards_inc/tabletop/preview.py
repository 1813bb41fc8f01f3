"""What is told of an action before it is played: a sentence, its consequences, a verdict, and marks for the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.describe import describe
from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA
from service.rules.games.bastards_inc.tabletop.changes import changes, intended
from service.rules.games.bastards_inc.tabletop.prospects import illegal, may_be_kept_out, prospect, watched
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.kernel import Json, by_name
from service.rules.shapes import Foreseen, Mark, Telling

_FREE = (a.Give, a.Invite, a.Withdraw, a.Agree, a.Decline, a.Instruct)
_HOME = (a.Launder, a.Sell, a.Campaign)


def preview(sight: Sight, action: Any, foreseen: Foreseen) -> Telling:
    """Return what an action of the reader would do, in the present tense."""
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
    """What an action earns, in a few characters, at the place that it is about."""
    if isinstance(action, a.Deal):
        return told.word("verdict.deal", n=BUSINESS_DATA[action.card].income)
    for each in foreseen.events:
        field = _EARNED.get(each.name)
        if field is not None and each.fields.get(field):
            return f"+{each.fields[field]}"
    return ""


def _marks(sight: Sight, action: Any, foreseen: Foreseen) -> list[Mark]:
    """The marks of what follows at once; the events after the action itself belong to others."""
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
