"""Analysis of a finished game, as stored and as shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from service.log.codec import action_json, read_action
from service.log.folding import Timeline
from service.players.analysis import (
    VERSION,
    LostChance,
    PlayedStep,
    Point,
    StepAnalysis,
    TurningPoint,
    turning_points,
    worst_moves,
)
from service.players.hints import level_of_hints
from service.rules.kernel import AnyRuleset
from service.rules.shared_events import ActionTakenBack
from service.store.games import Position
from service.store.proof import StoredAnalysis
from service.texts.catalog import say
from service.texts.games import game_language
from service.views.sentences import sent_action

_DIGITS: Final = 3


class ShownAnalysis(NamedTuple):
    """A ready analysis; `fitted` if its chances rest on a fitted value, not on points alone."""

    fitted: bool
    points: Sequence[Point]
    turns: Sequence[TurningPoint]
    lost: Sequence[LostChance]


def state_of(position: Position, stored: StoredAnalysis | None) -> Literal["none", "asked", "ready"]:
    """Return the state of a game's analysis, "none" for an outdated one."""
    if stored is None or (stored.head, stored.version) != (position.game.head, VERSION):
        return "none"
    return "ready" if stored.ready else "asked"


def steps_of(timeline: Timeline) -> list[PlayedStep]:
    """Return the steps of a game that were not taken back; the setup is the first."""
    ruleset, steps = timeline.ruleset, []
    for each in timeline.steps:
        if each.undone or isinstance(each.facts[0].event, ActionTakenBack):
            continue
        before = timeline.folds[each.first - 2].state if each.first > 1 else None
        after = timeline.after(each).state
        if before != after:
            by_player = each.seat is not None and before is not None and each.seat in ruleset.to_act(before)
            action = sent_action(ruleset, each.facts[0]) if by_player and ruleset.automaton(before) is None else None
            steps.append(PlayedStep(each.last, each.seat, action, before, after))
    return steps


def as_stored(looked: StepAnalysis) -> Mapping[str, Any]:
    """Return a step's analysis for storage."""
    point, lost = looked
    stored: dict[str, Any] = {"seq": point.seq, "public": _rounded(point.public), "open": _rounded(point.open)}
    if lost is not None:
        actions = {"played": action_json(lost.action), "better": action_json(lost.better)}
        stored["lost"] = {"seat": lost.seat, **actions, "range": _rounded([lost.least, lost.most])}
    return stored


def shown(ruleset: AnyRuleset, seats: int, found: Iterable[Mapping[str, Any]]) -> ShownAnalysis:
    """Return an analysis from its stored form."""
    stored = list(found)
    points = [Point(each["seq"], each["public"], each["open"]) for each in stored]
    losses = [_lost(ruleset, each) for each in stored if "lost" in each]
    return ShownAnalysis(level_of_hints(ruleset, seats) == "hard", points, turning_points(points), worst_moves(losses))


def by_turn(timeline: Timeline, points: Sequence[Point], *, open_cards: bool) -> list[tuple[int, list[int]]]:
    """Return each turn with every player's chance at its end, in per cent."""
    ends = {
        timeline.steps[timeline.place(each.seq)].turn: [
            round(100 * chance) for chance in (each.open if open_cards else each.public)
        ]
        for each in points
    }
    return sorted(ends.items())


def lost_text(ruleset: AnyRuleset, lost: LostChance, names: Sequence[str], language: str) -> str:
    """Return the sentences about a lost chance: the move, the better move, the loss; `names` by seat."""
    rules_language = game_language(ruleset.meta, language)
    least, most = round(100 * lost.least), round(100 * lost.most)
    return say(
        language,
        "an-mistake" if lost.mistake else "an-lost",
        name=names[lost.seat],
        played=ruleset.describe(lost.action, lost.seat, rules_language, names),
        better=ruleset.describe(lost.better, lost.seat, rules_language, names),
        points=str(most) if least == most else say(language, "an-range", least=least, most=most),
    )


def as_json(ruleset: AnyRuleset, analysis: ShownAnalysis, names: Sequence[str], language: str) -> dict[str, Any]:

    def told(lost: LostChance) -> dict[str, Any]:
        played, better = (
            {"notation": ruleset.notate(each), "text": ruleset.describe(each, lost.seat, language, names)}
            for each in (lost.action, lost.better)
        )
        chances = {"least": lost.least, "most": lost.most, "mistake": lost.mistake}
        return {"seq": lost.seq, "seat": lost.seat, "played": played, "better": better, **chances}

    return {
        "fitted": analysis.fitted,
        "points": [each._asdict() for each in analysis.points],
        "turning_points": [each._asdict() for each in analysis.turns],
        "lost": [told(each) for each in analysis.lost],
    }


def _lost(ruleset: AnyRuleset, stored: Mapping[str, Any]) -> LostChance:
    lost = stored["lost"]
    played, better = (read_action(ruleset, lost[name]) for name in ("played", "better"))
    least, most = lost["range"]
    return LostChance(stored["seq"], lost["seat"], played, better, least, most)


def _rounded(chances: Sequence[float]) -> list[float]:
    return [round(chance, _DIGITS) for chance in chances]
