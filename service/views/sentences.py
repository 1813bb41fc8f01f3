"""The sentences for the events and actions of a log, of a game in the database or of a record; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import ValidationError, convert

from service.log.folding import TimelineStep
from service.log.recorded import Recorded
from service.rules.kernel import AnyRuleset, GameStarted
from service.rules.shared_events import GameForked, SharedEvent
from service.texts.catalog import say
from service.views.shared_sentences import shared_sentence


def sentences(
    ruleset: AnyRuleset, names: Sequence[str], step: TimelineStep, viewer: int | None, language: str, zone: str = "UTC"
) -> tuple[str, ...]:
    """Return in words what has happened in a step, as the viewer may know it; `zone` as in `describe_event`."""
    texts = (describe_event(ruleset, names, each.event, viewer, language, zone) for each in own_events(step.facts))
    return tuple(text for text in texts if text)


def notation(ruleset: AnyRuleset, step: TimelineStep) -> str | None:
    """Return the action of a step in the game's notation; None if there was none, or none that it still has."""
    action = sent_action(ruleset, step.facts[0])
    return None if action is None else ruleset.notate(action)


def own_events(recorded: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return a stretch of the log without the events that a fork has copied from the game it was forked from."""
    if not any(isinstance(each.event, GameForked) for each in recorded[:2]):
        return recorded
    return [each for each in recorded if each.seq <= 2 or each.seat is not None]


def describe_event(
    ruleset: AnyRuleset, names: Sequence[str], event: Any, viewer: int | None, language: str, zone: str = "UTC"
) -> str:
    """Return the sentence for an event, as the viewer may know it; also for a log that is not in the database.

    `zone` is the IANA name of the reader's time zone, for the instants in the sentence.
    """
    if isinstance(event, GameStarted):
        return say(language, "history-started")
    if isinstance(event, SharedEvent):
        return shared_sentence(event, names, language, zone)
    return ruleset.describe(event, viewer, language, names)


def sent_action(ruleset: AnyRuleset, recorded: Recorded) -> Any | None:
    """Return the action that caused an event; None if there was none, or if its stored form is no longer readable.

    The log keeps actions as they were sent, and a ruleset may have changed the fields of an action since.
    """
    fields = dict(recorded.action or {})
    try:
        return convert(fields, ruleset.action_types[fields.pop("type")])
    except (KeyError, ValidationError):
        return None
