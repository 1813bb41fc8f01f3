"""Make a ruleset from what only the author of a game can know; all other functions are defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Dice, Json, Measure, Meta, Ruleset, Seat, begin, by_name, fold
from service.rules.kit import notation, secrecy
from service.rules.kit.secrecy import marks, told
from service.rules.kit.wording import Texts, Wording
from service.rules.outcome import Outcome
from service.rules.tabletop.default_words import plain

_NAMES = ("Ada", "Ben", "Cleo", "Dora", "Eli")


def ruleset(  # noqa: PLR0913 - a game has so many parts
    *,
    meta: Meta,
    state: type[Any],
    events: Sequence[type[Any]],
    actions: Sequence[type[Any]],
    start: Callable[[int, Json, Dice], Sequence[Any]],
    decide: Callable[[Any, Seat, Any, Dice], Sequence[Any]],
    evolve: Callable[[Any, Any], Any],
    to_act: Callable[[Any], frozenset[Seat]],
    decision: Callable[[Any], int],
    legal: Callable[[Any, Seat], Sequence[Any]],
    scores: Callable[[Any], Sequence[int]],
    texts: Texts,
) -> AnyRuleset:
    """Return a ruleset whose other functions are defaults; `dataclasses.replace` puts others in their places.

    `state` and `events` say at each field who sees it (secrecy.py); `texts` has the keys that wording.py names. The
    fields of actions are int or Literal. `scores` are the points of all seats if the game ended now, whoever may know
    them; the most points win. TypeError or ValueError says which field or text is missing.
    """
    # One record, written at one place: it is as long as there are fields.
    for kind in events:
        marks(kind)
    for kind in actions:
        notation.field_types(kind)
    secrecy.check_secrets(state)
    words, kinds = Wording(meta, texts, events, actions), by_name(actions)
    made: AnyRuleset = Ruleset(
        meta=meta,
        event_types=by_name(events),
        action_types=kinds,
        start=start,
        decide=decide,
        evolve=evolve,
        upcast=lambda name, stored: (name, stored),
        to_act=to_act,
        decision=decision,
        legal=legal,
        automaton=lambda _: None,
        on_timeout=lambda state, seat: legal(state, seat)[0],
        turn=decision,
        outcome=lambda state: None if to_act(state) else most_points_win(scores(state)),
        standings=lambda state, viewer: least_points(scores, secrecy.imagine(state, viewer)),
        explain=words.explain,
        view=lambda state, viewer: {"viewer": viewer, **told(state, viewer)},
        redact=told,
        measures=(Measure(name="points", title=_titles(meta), count=scores),),
        imagine=secrecy.imagine,
        describe=words.describe,
        ask=words.ask,
        draw=words.draw,
        paint=words.paint,
        caption=words.caption,
        guide=lambda language: words.guide(example(), _NAMES[: max(meta.seats)], language),
        notate=notation.notate,
        parse=partial(notation.parse, kinds),
        deal_again=secrecy.deal_again,
    )
    example = cache(partial(_after_a_round, made))
    return made


def _titles(meta: Meta) -> Mapping[str, str]:
    return {language: plain(language, "total") for language in meta.languages}


def _after_a_round(made: AnyRuleset) -> Any:
    """Return the state of some game after its first decision, for the guide."""
    seats = min(max(made.meta.seats), len(_NAMES))
    options = {option.name: option.default for option in made.meta.options}
    chance = Chance(bytes(32))
    state = fold(made, begin(made, seats, options, chance, "", ()))
    first = made.decision(state)
    while made.to_act(state) and made.decision(state) == first:
        seat = min(made.to_act(state))
        actions = made.legal(state, seat)
        state = fold(made, made.decide(state, seat, actions[seat % len(actions)], chance), state)
    return state


Scores = Callable[[Any], Sequence[int]]


def most_points_win(scores: Sequence[int]) -> Outcome:
    """Return the outcome of a game that the seats with the most points win."""
    return {"winners": [seat for seat, score in enumerate(scores) if score == max(scores)], "scores": list(scores)}


def least_points(scores: Scores, imagined: Sequence[Any]) -> dict[str, Any]:
    """Return the standings: the points that each seat has at least, in all the states that look alike to a viewer."""
    return {"scores": [min(each) for each in zip(*map(scores, imagined), strict=True)]}
