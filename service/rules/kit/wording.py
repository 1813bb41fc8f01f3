"""Words of a game, from a table of texts by language.

The keys are: of each event its stored name, and with `.own` what a seat is told that sees a secret of it; of each
action its tag, with `.word` its name, with `.means` its explanation, and with `.FIELD` the question for a field; each
refusal by its code; `table`, `seat` and `own` for the lines of the table, `caption`, `rules` and `example`; and the
word for each value that is a text.

Texts have the fields in braces; French ones have been through `typeset`. `{harbours:seats}` says the members with the
names of their seats, `{seat:name}` a seat's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from service.rules.bidi import short
from service.rules.guide import Chapter, Example, Guide, Term
from service.rules.kernel import Illegal, Json, Meta, Part, Question, Seat, Section, by_name
from service.rules.kit.secrecy import marks, sees, told
from service.rules.svg import Svg, element, line_of, picture
from service.rules.tabletop.default_words import plain
from service.rules.typography import break_lines

Texts = Mapping[str, Mapping[str, str]]

_LINE = 24
_UNKNOWN, _NOTHING = "…", "–"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A value as it stands in a sentence; None is something hidden."""

    value: Any
    texts: Mapping[str, str]
    names: Sequence[str]

    def __format__(self, form: str) -> str:
        if form == "name":
            return str(self.names[self.value])
        if form == "seats":
            return ", ".join(f"{name} {self._said(each)}" for name, each in zip(self.names, self.value, strict=True))
        return self._said(self.value)

    def _said(self, value: Any) -> str:
        if isinstance(value, Mapping):
            value = list(value.values())
        if isinstance(value, list | tuple):
            return ", ".join(map(self._said, value)) or _NOTHING
        return _UNKNOWN if value is None else self.texts.get(str(value), str(value))


class Wording:
    """The functions of a ruleset that speak; ValueError if a language lacks a text."""

    def __init__(self, meta: Meta, texts: Texts, events: Sequence[type[Any]], actions: Sequence[type[Any]]) -> None:
        self._meta = meta
        self._texts = texts
        self._actions = by_name(actions)
        for language in meta.languages:
            lacking = _keys(texts, events, self._actions) - texts.get(language, {}).keys()
            if lacking:
                raise ValueError(f"{meta.name} lacks texts in {language}: {', '.join(sorted(lacking))}")

    def describe(self, it: Any, viewer: Seat | None, language: str, names: Sequence[str]) -> str:
        """Return the sentence for an event, an action or a refusal, or the name of a kind of action."""
        if isinstance(it, Illegal):
            return self._say(language, it.code, it.facts, names)
        tag = next(iter(by_name([it if isinstance(it, type) else type(it)])))
        if isinstance(it, type):
            return self._say(language, f"{tag}.word", {}, names)
        if tag in self._actions:
            return self._say(language, tag, {field.name: getattr(it, field.name) for field in fields(it)}, names)
        own = f"{tag}.own"
        if own in self._texts[language] and sees(it, viewer):
            return self._say(language, own, _own(it, viewer), names)
        return self._say(language, tag, told(it, viewer), names)

    def ask(self, part: Part, view: Json, language: str, names: Sequence[str]) -> Question:
        """Return the question for a field of an action."""
        text = self._say(language, f"{part.kind}.{part.pointer.removeprefix('/')}", view, names)
        labels = tuple(format(Spoken(value, self._texts[language], names)) for value in part.values)
        return Question(text=text, labels=labels, places=(None,) * len(labels))

    def draw(self, view: Json, language: str, names: Sequence[str]) -> str:
        """Return the table as text: a line for all, one for each seat, and one for the reader."""
        lines = [self._say(language, "table", view, names)]
        seats = range(len(names))
        lines += [self._say(language, "seat", {**_of_seat(view, seat), "seat": seat}, names) for seat in seats]
        if view["viewer"] is not None:
            lines.append(self._say(language, "own", _of_seat(view, view["viewer"]), names))
        return "\n".join(part for line in lines for part in break_lines(line))

    def caption(self, view: Json, language: str, names: Sequence[str]) -> str:
        """Return the position in one sentence."""
        return self._say(language, "caption", view, [short(name, 30) for name in names])

    def paint(self, view: Json, language: str, names: Sequence[str]) -> str:
        """Return the lines of the table as SVG."""
        lines = self.draw(view, language, names).splitlines()
        height = _LINE * (len(lines) + 1)
        paper = element("rect", width=640, height=height, class_="paper", fill="#ffffff")
        drawn = [_line(line, _LINE * (row + 1)) for row, line in enumerate(lines)]
        return picture(self.caption(view, language, names), (0, 0, 640, height), paper, *drawn)

    def explain(self, standings: Json, viewer: Seat | None, language: str, names: Sequence[str]) -> Sequence[Section]:
        """Return the points of each seat."""
        head = (plain(language, "player"), plain(language, "total"))
        rows = tuple((name, str(score)) for name, score in zip(names, standings["scores"], strict=False))
        return (Section(title=head[1], head=head, rows=rows),)

    def guide(self, example: Any, names: Sequence[str], language: str) -> Guide:
        """Return the rules as one chapter with an example, and a term for each kind of action."""
        texts = self._texts[language]
        shown = Example(state=example, viewer=None, names=tuple(names), text=texts["example"])
        paragraphs = tuple(texts["rules"].split("\n"))
        chapter = Chapter(name="game", title=self._meta.title, paragraphs=paragraphs, examples=(shown,))
        terms = {tag: Term(word=texts[f"{tag}.word"], sentence=texts[f"{tag}.means"]) for tag in self._actions}
        return Guide(chapters=(chapter,), example=shown, terms=terms, actions=tuple(self._actions))

    def _say(self, language: str, key: str, values: Json, names: Sequence[str]) -> str:
        texts = self._texts[language]
        return texts[key].format(**{name: Spoken(value, texts, names) for name, value in values.items()})


def _keys(texts: Texts, events: Sequence[type[Any]], actions: Mapping[str, type[Any]]) -> set[str]:
    """Return the keys that every language has to have: what the kit asks for, and what any other language has."""
    asked = {f"{tag}.{field.name}" for tag, kind in actions.items() for field in fields(kind)}
    said = {f"{tag}{further}" for tag in actions for further in ("", ".word", ".means")}
    table = {"table", "seat", "own", "caption", "rules", "example"}
    return asked | said | table | by_name(events).keys() | {key for each in texts.values() for key in each}


def _own(event: Any, viewer: Seat | None) -> dict[str, Any]:
    """Return what a viewer sees of an event; of a field that has a member for each seat, the viewer's."""
    seen, secrets = told(event, viewer), marks(type(event))
    owned = {name for name, mark in secrets.items() if mark is not None and mark.owner == "seats"}
    return {name: _member(value, viewer) if name in owned else value for name, value in seen.items()}


def _of_seat(view: Json, seat: Seat) -> dict[str, Any]:
    """Return the fields of a view with a seat's member of each field that has several."""
    return {name: _member(value, seat) for name, value in view.items()}


def _member(value: Any, seat: Seat | None) -> Any:
    if seat is None or not isinstance(value, Mapping | list):
        return value
    if isinstance(value, Mapping):
        return value.get(str(seat), [])
    return value[seat] if seat < len(value) else []


def _line(text: str, y: float) -> Svg:
    return line_of(text, 16, y, size=16, width=600, looks={"class_": "ink"})
