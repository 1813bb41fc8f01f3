"""The replay of a game: its steps, and the table after any event, as one viewer may know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.log.folding import Timeline, TimelineStep
from service.rules.tabletop.story import shown_actor
from service.store.games import Position
from service.views.history import redacted
from service.views.sentences import notation, sentences
from service.views.table import table


def allowed_viewers(position: Position, own: int | None) -> tuple[int | None, ...]:
    """Return the viewers (None: a spectator) whose view a seat may see: all after the end, before it only its own."""
    return (*range(position.game.seats), None) if position.game.status == "finished" else (own,)


def replay(position: Position, timeline: Timeline, viewer: int | None, language: str) -> dict[str, Any]:
    """Return all steps of the game as the viewer may know them."""
    items = [shown_step(position, step, viewer, language) for step in timeline.steps]
    plots = [each.name for each in position.ruleset.measures] if position.game.status == "finished" else []
    return {"version": position.version, "seat": viewer, "plots": plots, "items": items}


def moment(position: Position, timeline: Timeline, seq: int, viewer: int | None, language: str) -> dict[str, Any]:
    """Return the table as the viewer saw it after event `seq`, and the step that the event belongs to."""
    place, steps = timeline.place(seq), timeline.steps
    return {
        "seq": seq,
        "previous": steps[place - 1].last if place else None,
        "next": next((step.last for step in steps[place : place + 2] if step.last > seq), None),
        "step": shown_step(position, steps[place], viewer, language),
        "table": table(position.at(seq, timeline.folds[seq - 1]), viewer, language),
    }


def shown_step(position: Position, step: TimelineStep, viewer: int | None, language: str) -> Mapping[str, Any]:
    """Return a step as the viewer may know it.

    The notation of an action may name hidden cards, so while the game runs only its own player sees it.
    """
    ruleset, names = position.ruleset, position.names_in(language)
    open_to_all = position.game.status == "finished" or step.seat == viewer
    fact = step.facts[0]
    actor = step.seat if open_to_all else shown_actor(redacted(position, fact.event, viewer), step.seat)
    return {
        "seq": step.first,
        "last": step.last,
        "turn": step.turn,
        "at": step.at.isoformat(),
        "actor": actor,
        "decision": fact.decision,
        "notation": notation(ruleset, step) if open_to_all else None,
        "text": " ".join(sentences(ruleset, names, step, viewer, language)),
        "taken_back": step.undone,
    }
