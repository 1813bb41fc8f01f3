"""Choose an action part by part: each part can be changed at any time, the other parts are preselected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final, NamedTuple

from service.rules.kernel import AnyRuleset, Part, Question
from service.rules.table_parts import Choice, Choices, Kind, NoSuchChoice, Picks, Preview, Prospect
from service.rules.table_plugin import Sight
from service.rules.tabletop.default_words import all_of, plain

KIND = "kind"


@dataclass(frozen=True, slots=True)
class Row:
    """An action, the values of its parts, what comes of it, and how much is to be said for preselecting it."""

    action: Any
    parts: Mapping[str, Any]
    prospect: Prospect = "open"
    gain: int | None = None
    worth: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """The parts of a kind of action in the order in which they are shown, and the words for them.

    The parts in `asked` the player has to pick; the others are preselected. `show` returns label and place of a value.
    `amount` is the part with numbers for a stepper.
    """

    kind: str
    order: Sequence[str]
    asked: frozenset[str]
    show: Callable[[str, Any], tuple[str, str | None]]
    ask: Callable[[str], str]
    amount: str | None = None


def written(value: Any) -> str:
    """Return a value as it stands in a link; nothing is an empty text."""
    return "" if value is None else str(value)


def picks_of(facets: Facets, row: Row) -> Picks:
    """Return the picks that lead to the action of a row."""
    return {KIND: facets.kind, **{part: written(row.parts.get(part)) for part in facets.order}}


def choose(rows: Sequence[Row], picks: Picks, facets: Facets) -> Choices:
    """Return what can be chosen after the picks; NoSuchChoice if no row has them.

    A part in which there is nothing to choose is left out, unless it is the first one.
    """
    wanted = {part: value for part, value in picks.items() if part != KIND}
    matching = _matching(rows, wanted)
    if not matching or not wanted.keys() <= set(facets.order):
        raise NoSuchChoice(dict(picks))
    pending = _pending(matching, wanted, facets)
    best = None if pending else max(matching, key=lambda row: row.worth)
    settled = wanted if best is None else {part: written(best.parts.get(part)) for part in facets.order}
    choices = [
        choice
        for part in facets.order
        if part == pending or part in wanted or best is not None
        for choice in _of(part, rows, settled, wanted, facets)
    ]
    ask = facets.ask(pending) if pending else ""
    return Choices(ask=ask, choices=tuple(choices), action=best and best.action, amount=facets.amount)


def _pending(matching: Sequence[Row], wanted: Mapping[str, str], facets: Facets) -> str | None:
    """Return the first part that the player has yet to pick."""
    for part in facets.order:
        if part in facets.asked and part not in wanted and len({written(row.parts.get(part)) for row in matching}) > 1:
            return part
    return None


def _of(
    part: str, rows: Sequence[Row], settled: Mapping[str, str], wanted: Mapping[str, str], facets: Facets
) -> list[Choice]:
    """Return the choices for a part, given the parts before it; what is picked after it is kept where it can be."""
    place = list(facets.order).index(part)
    before = {name: settled[name] for name in facets.order[:place] if name in settled}
    found: dict[str, list[Row]] = {}
    for row in _matching(rows, before):
        found.setdefault(written(row.parts.get(part)), []).append(row)
    if len(found) < 2 and part in settled and place:
        return []
    return [_choice(part, value, alike, before, settled, wanted, facets) for value, alike in found.items()]


def _choice(
    part: str,
    value: str,
    alike: Sequence[Row],
    before: Mapping[str, str],
    settled: Mapping[str, str],
    wanted: Mapping[str, str],
    facets: Facets,
) -> Choice:
    picked = {**before, part: value}
    for later in (each for each in facets.order if each in wanted and each not in picked):
        if further := _matching(alike, {later: wanted[later]}):
            alike, picked = further, {**picked, later: wanted[later]}
    best = max(alike, key=lambda row: row.worth)
    label, place = facets.show(part, best.parts.get(part))
    return Choice(
        part=part,
        value=value,
        label=label,
        place=place,
        prospect=best.prospect,
        gain=best.gain,
        picks={KIND: facets.kind, **picked},
        chosen=settled.get(part) == value,
    )


def _matching(rows: Sequence[Row], wanted: Mapping[str, str]) -> list[Row]:
    items = wanted.items()
    return [row for row in rows if all(written(row.parts.get(part)) == value for part, value in items)]


# Default kinds and choices: from the legal actions, part by part, in the words of `ask`.

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


# Suggestions: the best action of each kind, as far as its outcome is known before it is played. With one kind alone
# its first choices are suggested.

_RANK: Final[Mapping[Prospect, int]] = {"bad": 0, "open": 1, "good": 2}


class Suggestion(NamedTuple):
    """An action, what comes of it, and its gain in points of the reader; None if the gain cannot be known."""

    action: Any
    prospect: Prospect
    gain: int | None


def suggested(kinds: Sequence[Kind], choices: Callable[[Picks], Choices], most: int) -> list[Suggestion]:
    """Return at most `most` actions, one of each kind, those that gain most first; of a kind alone, several.

    Of each part the best choice is taken. Actions that fail are left out, unless all of them do, and those of kinds
    that are seldom wanted (`Kind.aside`), unless there are no others. Before them come all answers to offers of other
    players (`Kind.answers`), one for each first choice, however many they are.
    """
    answers = [each for kind in kinds if kind.answers for each in _answers(kind.id, choices)]
    others = [kind for kind in kinds if not kind.answers]
    wanted = [kind for kind in others if not kind.aside] or others
    alone = not answers and len(wanted) == 1
    found = _several(wanted[0].id, choices) if alone else [_best({KIND: kind.id}, choices) for kind in wanted]
    worthwhile = [each for each in found if each.prospect != "bad"] or found
    by_gain = sorted(worthwhile, key=lambda each: -(each.gain or 0))
    return [*answers, *by_gain[: max(0, most - len(answers))]]


def _answers(kind: str, choices: Callable[[Picks], Choices]) -> Iterator[Suggestion]:
    made = choices({KIND: kind})
    if made.action is not None:
        yield Suggestion(made.action, "open", None)
        return
    for each in made.choices:
        if each.part != KIND:
            yield _best(each.picks, choices)


def _several(kind: str, choices: Callable[[Picks], Choices]) -> list[Suggestion]:
    """Return the best action for each choice of the first part, unless that is an amount; each action once."""
    made = choices({KIND: kind})
    first = next((each.part for each in made.choices if each.part != KIND), None)
    begun = [each.picks for each in made.choices if each.part == first != made.amount] or [{KIND: kind}]
    found: list[Suggestion] = []
    for picks in begun:
        best = _best(picks, choices)
        if best.action not in [each.action for each in found]:
            found.append(best)
    return found


def _best(picks: Picks, choices: Callable[[Picks], Choices]) -> Suggestion:
    taken: Choice | None = None
    while (made := choices(picks)).action is None:
        taken = max((each for each in made.choices if each.part not in picks), key=_worth)
        picks = taken.picks
    if taken is None:
        taken = max((each for each in made.choices if each.chosen), key=_worth, default=None)
    if taken is None:
        return Suggestion(made.action, "open", None)
    return Suggestion(made.action, taken.prospect, taken.gain)


def _worth(choice: Choice) -> tuple[int, int]:
    return _RANK[choice.prospect], choice.gain or 0
