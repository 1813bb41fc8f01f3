"""The guide for new players, with pictures of real positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from service.rules.games.bastards_inc import edition
from service.rules.games.bastards_inc.guide.english import ENGLISH
from service.rules.games.bastards_inc.guide.french import FRENCH
from service.rules.games.bastards_inc.guide.german import GERMAN
from service.rules.games.bastards_inc.guide.positions import (
    at_war,
    dealt,
    glance,
    happened,
    placed,
    to_deal,
    to_place,
)
from service.rules.games.bastards_inc.guide.wording import Wording
from service.rules.games.bastards_inc.state import State
from service.rules.guide import Chapter, Example, Guide, Term
from service.rules.typography import typeset

_WORDINGS: Mapping[str, Wording] = {"en": ENGLISH, "de": GERMAN, "fr": typeset(FRENCH)}
_ACTIONS = ("place", "deal", "launder", "sell", "campaign", "fight")
_PICTURES: Mapping[str, tuple[Callable[[], State], ...]] = {
    "board": (glance,),
    "place": (to_place, placed),
    "war": (at_war,),
    "money": (to_deal, dealt),
}
_NUMBERS: Mapping[str, int] = {
    "rounds": edition.NORMAL.rounds,
    "target": edition.NORMAL.target,
    "short_rounds": edition.SHORT.rounds,
    "short_target": edition.SHORT.target,
    "influence_worth": edition.INFLUENCE_WORTH,
    "prize_worth": edition.PRIZE_WORTH,
    "prize_price": edition.PRIZE_PRICE,
    "fee": edition.LAUREATE_FEE,
    "scoop": edition.SCOOP_INFLUENCE,
    "vp_price": edition.VP_PRICE,
    "most_vps": edition.MAX_VPS,
    "most_businesses": edition.MAX_BUSINESSES,
    "effort1": edition.EFFORT_PRICES[1],
    "effort2": edition.EFFORT_PRICES[2],
    "effort3": edition.EFFORT_PRICES[3],
}
"""The numbers of the edition, by the names by which the texts mean them."""


@cache
def guide(language: str) -> Guide:
    """Return the guide in a language (English, if unknown)."""
    code = language.lower().replace("_", "-").split("-")[0]
    wording = _WORDINGS.get(code, ENGLISH)
    terms = {
        name: Term(word=word, sentence=_filled(wording.sentences[name]), short=wording.shorts.get(name))
        for name, word in wording.words.items()
    }
    return Guide(
        chapters=tuple(_chapters(wording)),
        example=_example(glance, wording),
        terms=terms,
        actions=_ACTIONS,
        goal=wording.goal,
    )


def _chapters(wording: Wording) -> Iterator[Chapter]:
    for name, text in wording.chapters.items():
        yield Chapter(
            name=name,
            title=wording.titles[name],
            paragraphs=tuple(_filled(text).split("\n\n")),
            points={what: _filled(why) for what, why in wording.points.get(name, {}).items()},
            examples=tuple(_example(position, wording) for position in _PICTURES.get(name, ())),
        )


def _example(position: Callable[[], State], wording: Wording) -> Example:
    return Example(
        state=position(),
        viewer=0,
        names=wording.names,
        text=wording.examples[position.__name__],
        happened=happened(position),
    )


def _filled(text: str) -> str:
    return text.format(**_NUMBERS)
