"""Hints in words: the move, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from service.players.hints import Hint, Reason
from service.rules.kernel import AnyRuleset
from service.rules.lookahead import valuation_of
from service.texts.catalog import say
from service.texts.names import in_language


def reasons(ruleset: AnyRuleset, seats: int, hint: Hint, language: str) -> list[str]:
    """Return what speaks for the move of a hint, each in a few words."""
    return [_reason(ruleset, seats, each, language) for each in hint.reasons]


def described(ruleset: AnyRuleset, hint: Hint, seat: int, language: str, names: Sequence[str]) -> str:
    """Return the move of a hint as a sentence."""
    return ruleset.describe(hint.action, seat, language, names)


def _reason(ruleset: AnyRuleset, seats: int, reason: Reason, language: str) -> str:
    size = f"{round(abs(reason.change), 1):g}"
    if reason.what in {"wins", "better"}:
        return say(language, f"hint-{reason.what}", n=size)
    if reason.what in {"points", "others"}:
        # What the best other player loses is told as it changes the points of that one.
        gains = (reason.change > 0) == (reason.what == "points")
        return say(language, f"hint-{reason.what}", n=f"{'+' if gains else '−'}{size}")
    valuation = valuation_of(ruleset, seats)
    gains_of = {} if valuation is None else valuation.gains
    return in_language(gains_of[reason.what].texts, language).format(n=size)
