"""Guide for new players: the rules in our own words, with pictures of real positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from service.rules.games.new_corp_order.facts import FACTS
from service.rules.games.new_corp_order.guide.english import ENGLISH
from service.rules.games.new_corp_order.guide.french import FRENCH
from service.rules.games.new_corp_order.guide.german import GERMAN
from service.rules.games.new_corp_order.guide.positions import (
    alone,
    before,
    happened,
    infiltrated,
    plotted,
    scored,
    taken_over,
    to_infiltrate,
    to_take_over,
)
from service.rules.games.new_corp_order.guide.wording import Wording
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.language import Language
from service.rules.guide import Chapter, Example, Facts, Guide, Term
from service.rules.typography import typeset

_WORDINGS = {"en": ENGLISH, "de": GERMAN, "fr": typeset(FRENCH)}
_ACTIONS = ("plot", "infiltrate", "takeover")
_PICTURES: Mapping[str, tuple[Callable[[], State], ...]] = {
    "plot": (before, plotted),
    "infiltrate": (to_infiltrate, infiltrated),
    "takeover": (to_take_over, taken_over),
    "scoring": (scored,),
    "solo": (alone,),
}


@cache
def guide(language: str) -> Guide:
    """Return the guide in a language (English, if unknown)."""
    spoken = speak(language)
    wording = _WORDINGS[spoken.code]
    shorts = {"victory-point": spoken.explanations["total.short"]}
    terms = {
        name: Term(word=word, sentence=wording.sentences[name], short=shorts.get(name))
        for name, word in wording.words.items()
    }
    return Guide(
        chapters=(*_chapters(spoken, wording), _figures(wording)),
        example=replace(_example(to_take_over, wording), text=wording.examples["glance"]),
        terms=terms,
        actions=_ACTIONS,
        goal=wording.goal,
        goal_alone=wording.goal_alone,
    )


def _chapters(spoken: Language, wording: Wording) -> Iterator[Chapter]:
    points = {
        "abilities": {spoken.types[kind]: text for kind, text in wording.abilities.items()},
        "consultants": {spoken.consultants[each]: text for each, text in wording.consultants.items()},
        "house": {
            **{spoken.types[kind]: text for kind, text in wording.house_abilities.items()},
            **{spoken.consultants[each]: text for each, text in wording.house_consultants.items()},
        },
    }
    for name, text in wording.chapters.items():
        yield Chapter(
            name=name,
            title=wording.titles[name],
            paragraphs=tuple(text.split("\n\n")),
            points=points.get(name, {}),
            examples=tuple(_example(position, wording) for position in _PICTURES.get(name, ())),
        )


def _example(position: Callable[[], State], wording: Wording) -> Example:
    state = position()
    return Example(
        state=state,
        # A finished game is shown as a spectator sees it, any other as the first player does.
        viewer=None if state.phase == "over" else 0,
        names=wording.names[: state.seats],
        text=wording.examples[position.__name__],
        happened=happened(position),
    )


def _figures(wording: Wording) -> Chapter:
    """Return the chapter with figures from games of computer players, and what they do not say."""
    points = {wording.figures_sizes[size]: _figures_of(wording, size, facts) for size, facts in FACTS.items()}
    return Chapter(name="figures", title=wording.figures_title, paragraphs=(wording.figures_limits,), points=points)


def _figures_of(wording: Wording, size: int, facts: Facts) -> str:
    (fewest, turns, most), (least, points, greatest), (rate, low, high) = facts.turns, facts.scores, facts.first
    return wording.figures_text.format(
        games=facts.games, fewest=fewest, turns=turns, most=most, least=least, points=points, greatest=greatest,
        winner=facts.winner, rate=rate, low=low, high=high, even=round(100 / size),
    )  # fmt: skip
