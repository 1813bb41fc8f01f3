"""Dry run of an action: its effects, as far as its seat can know them before acting.

The action is never tried on the real state. It is decided on every state that looks the same to the seat
(`Ruleset.imagine`), and the answer has only what is equal in all of them. So neither the deck nor future rolls show in
the answer, also not in whether or why the action is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from service.log.codec import stored_name
from service.rules.kernel import AnyRuleset
from service.rules.lookahead import afterwards, futures
from service.store.games import Position

UNKNOWN = None


def dry_run(position: Position, seat: int, action: Any, language: str) -> dict[str, Any]:
    """Return the resulting events: `type`, `data` and `text` of each, None where the seat cannot know.

    `complete` is False if hidden information decides the events after the last of `items`. Raises Illegal.
    """
    happening = [each.facts for each in futures(position.ruleset, position.state, seat, action)]
    items = []
    for alike in zip(*happening, strict=False):
        if len({type(event) for event in alike}) > 1:
            break
        items.append(_item(position, seat, alike, language))
    return {
        "decision": position.decision,
        "items": items,
        "complete": all(len(future) == len(items) for future in happening),
    }


def reveals(position: Position, seat: int, action: Any) -> bool:
    """Return whether the action reveals hidden information, so that it cannot be taken back."""
    return afterwards(position.ruleset, position.state, position.game.seats, seat, action) is None


def _item(position: Position, seat: int, alike: Sequence[Any], language: str) -> dict[str, Any]:
    ruleset, names = position.ruleset, position.names_in(language)
    own = _only({ruleset.describe(event, seat, language, names) for event in alike})
    # A spectator's sentence says less, so it may be equal in all futures when the seat's is not.
    text = own or _only({_to_spectators(ruleset, event, seat, language, names) for event in alike})
    return {
        "type": stored_name(type(alike[0])),
        "data": reduce(_agreed, (ruleset.redact(event, seat) for event in alike)),
        "text": text,
    }


def _to_spectators(ruleset: AnyRuleset, event: Any, seat: int, language: str, names: Sequence[str]) -> str:
    if ruleset.address is None:
        return ruleset.describe(event, None, language, names)
    return ruleset.address(event, seat, language, names)


def _agreed(one: Any, other: Any) -> Any:
    """Return the value with UNKNOWN for each part that differs."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        return {key: _agreed(value, other[key]) for key, value in one.items()}
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        return [_agreed(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other else UNKNOWN


def _only(texts: Iterable[str]) -> str | None:
    first, *others = texts
    return UNKNOWN if others else first
