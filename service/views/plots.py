"""The measures of a finished game, turn by turn, drawn as a line chart (chart.py)."""

from __future__ import annotations

from collections.abc import Sequence

from service.log.folding import Timeline, TimelineStep
from service.rules.kernel import AnyRuleset, Measure
from service.rules.shared_events import ActionTakenBack
from service.texts.games import in_language, unit_name
from service.views.chart import Chart, Curve, chart

SEATS = ("orange", "blue", "green", "purple", "red", "black")
"""The colours of the seats' lines."""


def measure_named(ruleset: AnyRuleset, name: str) -> Measure | None:
    """Return the measure of this name; None if the ruleset has none."""
    return next((each for each in ruleset.measures if each.name == name), None)


def measure_title(measure: Measure, language: str) -> str:
    """Return the title of a measure in the language, or else in the first that it has."""
    return in_language(measure.title, language)


def nonzero_measures(timeline: Timeline) -> list[Measure]:
    """Return the measures that were not zero throughout the game."""
    measures = timeline.ruleset.measures
    return [each for each in measures if any(any(values) for _, values in counts_by_turn(timeline, each))]


def counts_by_turn(timeline: Timeline, measure: Measure) -> list[tuple[int, Sequence[int]]]:
    """Return each turn (0 for the setup) with the counts at its end, one for each line.

    Actions that were taken back do not count.
    """
    ends = {step.turn: timeline.after(step).state for step in timeline.steps if not (step.undone or _takes_back(step))}
    return [(turn, tuple(measure.count(state))) for turn, state in sorted(ends.items())]


def plot(timeline: Timeline, measure: Measure, language: str, everybody: Sequence[str], at: int | None = None) -> str:
    """Return the chart of a measure as SVG; `everybody` are the names of the seats, then that of the automaton.

    `at` is the number of the turn to be marked.
    """
    points = counts_by_turn(timeline, measure)
    names = everybody if measure.lines is None else in_language(measure.lines, language)
    colours = measure.colours or SEATS
    lines = [
        Curve(name, colours[number % len(colours)], [(turn, values[number]) for turn, values in points])
        for number, name in enumerate(names)
    ]
    return str(chart(Chart(measure_title(measure, language), unit_name(timeline.ruleset, language), lines, at)))


def _takes_back(step: TimelineStep) -> bool:
    return isinstance(step.facts[0].event, ActionTakenBack)
