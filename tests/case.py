"""Given facts, when somebody asks for something, then facts or a refusal: how the tests of rules are written."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pprint import pformat
from typing import Any

from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, Illegal, fold

DICE = Chance(bytes(32))


class Case:
    """A case of a ruleset: `Case(RULESET).given(*facts).when(seat, action).then(*facts)`, or `.refused(code, rule)`."""

    def __init__(self, ruleset: AnyRuleset, past: tuple[Any, ...] = ()) -> None:
        self.ruleset = ruleset
        self.past = past

    def given(self, *facts: Any) -> Case:
        """Return the case with further facts in its past."""
        return Case(self.ruleset, (*self.past, *facts))

    @property
    def state(self) -> Any:
        """The state after the given facts."""
        return fold(self.ruleset, self.past)

    def when(self, seat: int, action: Any) -> Answer:
        """Return what the rules answer to the seat that asks for the action."""
        return Answer(self, seat, action)


class Answer:
    """The facts that an action causes, or its refusal."""

    def __init__(self, case: Case, seat: int, action: Any) -> None:
        self.case = case
        self.before = case.state
        untouched = deepcopy(self.before)
        self.facts: tuple[Any, ...] = ()
        self.refusal: Illegal | None = None
        try:
            self.facts = tuple(case.ruleset.decide(self.before, seat, action, DICE))
        except Illegal as refusal:
            self.refusal = refusal
        assert untouched == self.before, f"{action} changed the state it was asked of"

    def then(self, *facts: Any) -> Answer:
        """Check that exactly these facts follow, in this order."""
        assert list(facts) == list(self._accepted()), _compared(facts, self.facts)
        return self

    def then_includes(self, *facts: Any) -> Answer:
        """Check that these facts follow in this order, others among them."""
        rest = iter(self._accepted())
        assert all(any(fact == other for other in rest) for fact in facts), _compared(facts, self.facts)
        return self

    def then_none_is(self, kind: type[Any]) -> Answer:
        """Check that no fact of a kind follows."""
        assert not [fact for fact in self._accepted() if isinstance(fact, kind)], _compared((), self.facts)
        return self

    def refused(self, code: str | None = None, rule: str | None = None, **facts: Any) -> Answer:
        """Check that the action is refused: with this code, resting on this rule, naming these facts."""
        assert self.refusal is not None, f"expected a refusal ({code}), but these facts follow:\n{_lines(self.facts)}"
        if code is not None:
            assert (code, rule) == (self.refusal.code, self.refusal.rule)
        for name, value in facts.items():
            assert value == self.refusal.facts.get(name), f"{name} of {self.refusal.facts}"
        return self

    @property
    def state(self) -> Any:
        """The state after the facts that follow."""
        return fold(self.case.ruleset, self._accepted(), self.before)

    @property
    def case_after(self) -> Case:
        """The case that goes on after the facts that follow."""
        return self.case.given(*self._accepted())

    def _accepted(self) -> tuple[Any, ...]:
        refusal = self.refusal
        assert refusal is None, f"refused: {refusal and (refusal.code, refusal.rule, refusal.facts)}"
        return self.facts


def _compared(expected: Sequence[Any], actual: Sequence[Any]) -> str:
    return f"\nexpected:\n{_lines(expected)}\nactual:\n{_lines(actual)}"


def _lines(facts: Sequence[Any]) -> str:
    return "\n".join(f"  {pformat(fact, width=110)}" for fact in facts) or "  (nothing)"
