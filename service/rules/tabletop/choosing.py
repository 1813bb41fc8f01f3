"""Kinds and choices of rulesets that contribute none: from the legal actions, part by part, as `ask` words them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from service.rules.contributions import Sight
from service.rules.kernel import AnyRuleset, Part, Question
from service.rules.shapes import Choice, Choices, Kind, NoSuchChoice, Picks, Preview
from service.rules.tabletop.facets import KIND, Facets, Row, choose, written
from service.rules.tabletop.plain_words import all_of, plain

FEW = 12
"""Only so few actions are foreseen one by one, to tell what each of them gains."""


@dataclass(frozen=True, slots=True)
class OfferedChoices:
    """The legal actions of a reader as choices: the kind, then each part in the order of the action's fields.

    A value stands at the place that `ask` names, or else at the piece whose place is called FIELD-VALUE (`card-7`).
    """

    ruleset: AnyRuleset
    sight: Sight
    places: set[str]
    preview: Callable[[Any], Preview]

    def kinds(self) -> list[Kind]:
        """Return the kinds of the legal actions."""
        return [
            Kind(id=kind, word=self._word(kind), icon="icon-move", targets=len(actions), good=None)
            for kind, actions in self._by_kind().items()
        ]

    def choices(self, picks: Picks) -> Choices:
        """Return what can be chosen after the picks; NoSuchChoice if no legal action has them."""
        found = self._by_kind()
        if not picks and len(found) > 1:
            return self._of_all(found)
        kind = picks.get(KIND, "") if picks else next(iter(found))
        if kind not in found:
            raise NoSuchChoice(dict(picks))
        return self._of_kind(kind, found[kind], picks)

    def picks(self, action: Any) -> Picks:
        """Return the picks that lead to a legal action."""
        kind, values = self._tag(action), dict(_parts("", action))
        parts = dict.fromkeys(part for each in self._by_kind()[kind] for part, _ in _parts("", each))
        return {KIND: kind, **{part: written(values.get(part)) for part in parts}}

    def _of_all(self, found: Mapping[str, Sequence[Any]]) -> Choices:
        """The first choice of each kind; a kind without parts is a choice itself."""
        words = [self._word(kind) for kind in found]
        offered = []
        for kind, actions in found.items():
            begun = self._of_kind(kind, actions, {}).choices
            offered += [replace(each, chosen=False) for each in begun] or [self._whole(kind, actions[0])]
        ask = plain(self.sight.language, "choose", kinds=all_of(self.sight.language, words, "or"))
        return Choices(ask=ask, choices=tuple(offered))

    def _whole(self, kind: str, action: Any) -> Choice:
        row = self._row(action, {})
        return Choice(
            part=KIND,
            value=kind,
            label=self._word(kind),
            place=None,
            prospect=row.prospect,
            gain=row.gain,
            picks={KIND: kind},
        )

    def _of_kind(self, kind: str, actions: Sequence[Any], picks: Picks) -> Choices:
        parts = [dict(_parts("", action)) for action in actions]
        order = tuple(dict.fromkeys(part for each in parts for part in each))
        made = self._row if len(actions) <= FEW else Row
        rows = [made(action, each) for action, each in zip(actions, parts, strict=True)]

        def show(part: str, value: Any) -> tuple[str, str | None]:
            question = self._question(kind, part, value)
            named = (question.places[0], f"{_field(part)}-{value}")
            return question.labels[0], next((place for place in named if place in self.places), None)

        def ask(part: str) -> str:
            return self._question(kind, part).text

        return choose(rows, picks, Facets(kind=kind, order=order, asked=frozenset(order), show=show, ask=ask))

    def _row(self, action: Any, parts: Mapping[str, Any]) -> Row:
        foreseen = self.preview(action)
        before, after = foreseen.points[self.sight.viewer or 0]
        gain = None if before is None or after is None else after - before
        return Row(action, parts, foreseen.told.prospect, gain, (gain or 0,))

    def _question(self, kind: str, part: str, *values: Any) -> Question:
        asked = Part(kind=kind, pointer=part, values=values)
        return self.ruleset.ask(asked, self.sight.view, self.sight.language, self.sight.names)

    def _by_kind(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        if self.sight.viewer is not None:
            for action in self.ruleset.legal(self.sight.known, self.sight.viewer):
                found.setdefault(self._tag(action), []).append(action)
        return found

    def _tag(self, action: Any) -> str:
        return next(tag for tag, kind in self.ruleset.action_types.items() if kind is type(action))

    def _word(self, kind: str) -> str:
        sight = self.sight
        return self.ruleset.describe(self.ruleset.action_types[kind], sight.viewer, sight.language, sight.names)


def _field(part: str) -> str:
    return next(step for step in reversed(part.split("/")) if not step.isdigit())


def _parts(pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an action by their JSON pointers, in the order of its fields."""
    if is_dataclass(value):
        for field in fields(value):
            yield from _parts(f"{pointer}/{field.name}", getattr(value, field.name))
    elif isinstance(value, tuple):
        for index, member in enumerate(value):
            yield from _parts(f"{pointer}/{index}", member)
    else:
        yield pointer, value
