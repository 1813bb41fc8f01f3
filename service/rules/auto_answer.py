"""An answer that a game can give for a player, again and again, to decisions of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoAnswer:
    """A kind of answer that a player may choose for a whole game (T-34).

    `name` is in kebab case and for ever. `describe` says by language what is done. `answer` gets the view of the seat
    that is asked, and its legal actions: it returns one of them, or None for a decision of another kind.
    """

    name: str
    describe: Mapping[str, str]
    answer: Callable[[Mapping[str, Any], Sequence[Any]], Any | None]
