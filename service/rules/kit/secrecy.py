"""Who sees which field of a state or an event: said once, in the type of the field, and followed everywhere."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, cast, get_type_hints

from service.rules.kernel import Seat

Value = TypeVar("Value")
Owner = Literal["seat", "seats", "nobody"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A field that not everybody sees: `Annotated[tuple[int, ...], Secret("seats")]`.

    The owner `seat` is the one in the record's field `seat`. With `seats` the field is a tuple or a mapping with a
    member for each seat, and each seat sees its own. `nobody` is for decks. How many members a tuple has, and which
    seats a mapping has, everybody sees.

    In a state, hidden things of one `pool` may lie in each other's place: together they are known, as the cards of a
    deck are. A choice that a player keeps secret is one `among` the values given. A secret is one `until` the record's
    field or property of that name is true.
    """

    owner: Owner
    pool: str = ""
    among: tuple[Any, ...] = ()
    until: str = ""


PUBLIC = "public"
Public = Annotated[Value, PUBLIC]
"""A field that everybody sees: `points: Public[tuple[int, ...]]`."""


def marks(kind: type[Any]) -> Mapping[str, Secret | None]:
    """Return for each field of a dataclass who sees it, None for public; TypeError for a field that does not say."""
    return _marks(cast("Hashable", kind))


@cache
def _marks(kind: Any) -> Mapping[str, Secret | None]:
    hints, found = get_type_hints(kind, include_extras=True), {}
    for name in (field.name for field in fields(kind)):
        said = [each for each in getattr(hints[name], "__metadata__", ()) if each == PUBLIC or isinstance(each, Secret)]
        if len(said) != 1:
            raise TypeError(f"{kind.__name__}.{name} has to say who sees it: Public[..] or Annotated[.., Secret(..)]")
        found[name] = None if said[0] == PUBLIC else said[0]
    return found


def told(record: Any, viewer: Seat | None) -> dict[str, Any]:
    """Return the fields of a record as JSON, with None for each thing that the viewer may not see."""
    return {name: _told(getattr(record, name), mark, record, viewer) for name, mark in now_marked(record).items()}


def now_marked(record: Any) -> Mapping[str, Secret | None]:
    """Return for each field of a record who sees it now, None for public."""
    said = marks(type(record))
    return {
        name: None if mark is not None and mark.until and getattr(record, mark.until) else mark
        for name, mark in said.items()
    }


def sees(record: Any, viewer: Seat | None) -> bool:
    """Return whether a secret of the record is the viewer's."""
    owners = {mark.owner for mark in marks(type(record)).values() if mark is not None}
    return viewer is not None and ("seats" in owners or ("seat" in owners and viewer == record.seat))


def by_seat(value: Any) -> Iterator[tuple[Seat, Any]]:
    """Yield the seats that have a member in a tuple or a mapping, and these members."""
    yield from sorted(value.items()) if isinstance(value, Mapping) else enumerate(value)


def plain(value: Any) -> Any:
    """Return a value as JSON."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(value[key]) for key in sorted(value)}
    return list(map(plain, value)) if isinstance(value, tuple) else value


def _told(value: Any, mark: Secret | None, record: Any, viewer: Seat | None) -> Any:
    if mark is None:
        return plain(value)
    if mark.owner == "seats":
        members = {seat: plain(each) if seat == viewer else _hidden(each) for seat, each in by_seat(value)}
        return plain(members) if isinstance(value, Mapping) else list(members.values())
    return plain(value) if mark.owner == "seat" and viewer == record.seat else _hidden(value)


def _hidden(value: Any) -> Any:
    return list(map(_hidden, value)) if isinstance(value, tuple) else None
