"""Replay of a game: its steps, and the table after any event, redacted for a viewer."""

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
    """Return the viewers (None: a spectator) that a seat may choose: after the end all, before only itself."""
    return (*range(position.game.seats), None) if position.game.status == "finished" else (own,)


def replay(position: Position, timeline: Timeline, viewer: int | None, language: str) -> dict[str, Any]:
    """Return all steps of the game, redacted for the viewer."""
    items = [shown_step(position, step, viewer, language) for step in timeline.steps]
    plots = [each.name for each in position.ruleset.measures] if position.game.status == "finished" else []
    return {"version": position.version, "seat": viewer, "plots": plots, "items": items}


def moment(position: Position, timeline: Timeline, seq: int, viewer: int | None, language: str) -> dict[str, Any]:
    """Return the viewer's table after event `seq`, and the event's step."""
    place, steps = timeline.place(seq), timeline.steps
    return {
        "seq": seq,
        "previous": steps[place - 1].last if place else None,
        "next": next((step.last for step in steps[place : place + 2] if step.last > seq), None),
        "step": shown_step(position, steps[place], viewer, language),
        "table": table(position.at(seq, timeline.folds[seq - 1]), viewer, language),
    }


def shown_step(position: Position, step: TimelineStep, viewer: int | None, language: str) -> Mapping[str, Any]:
    """Return a step, redacted for the viewer.

    An action's notation may name hidden cards, so only its player sees it while the game runs.
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
