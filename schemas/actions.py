"""Schemas of actions: made from a ruleset's types, and posted as JSON or in the game's notation."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, cast, get_args, get_origin, get_type_hints

from marshmallow import Schema, ValidationError, fields, post_load, validate
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from schemas.fields import INT32, Flag, Several, Text, Whole
from service.rules.kernel import AnyRuleset

MAX_CACHED_ACTIONS = 10_000
"""The most actions of a ruleset that are cached by their JSON text."""
MAX_MEMBERS = 64
"""The most members of a list in an action, and the most characters of a text."""


class ActionRecord(Schema):
    """An action, or a record within one; loads as the dataclass or named tuple `made`."""

    made: Callable[..., Any]

    @post_load
    def make(self, loaded: dict[str, Any], **_: Any) -> Any:
        """Return the loaded fields as an instance of `made`."""
        return self.made(**loaded)


class Actions(OneOfSchema):
    """The union of a ruleset's actions, told apart by the field `type`; loads as the action dataclass."""

    component: str
    """The name of this union in the API document."""
    type_schemas: Mapping[str, Schema]

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Any] = {}

    def read(self, sent: Mapping[str, Any]) -> Any:
        """Return the action for the JSON types that were sent; ValidationError.

        Valid actions are cached by their text, for the same actions occur in every game.
        """
        # Of JSON types, no two of which are written alike: 1, 1.0, True and "1" are not the same.
        text = repr(sent)
        known = self._known.get(text)
        if known is None:
            # The library of unions has no types; it loads as any schema does.
            known = cast(Schema, self).load(sent)
            if len(self._known) >= MAX_CACHED_ACTIONS:
                self._known.clear()
            self._known[text] = known
        return known

    def get_data_type(self, data: dict[str, Any]) -> Any:
        """Return the tag, or raise ValidationError; the library's own message would repeat what was sent."""
        tag = data.pop(self.type_field, None)
        if tag is not None and not (isinstance(tag, str) and tag in self.type_schemas):
            raise ValidationError({self.type_field: [f"Must be one of: {', '.join(self.type_schemas)}."]})
        return tag


def action_schema(ruleset: AnyRuleset) -> Actions:
    """Return the schema of the ruleset's actions. Build it once and keep it."""
    game = pascal(ruleset.meta.name)
    kinds: Mapping[str, Any] = ruleset.action_types
    variants = {tag: _record(made, game, pascal(tag))() for tag, made in kinds.items()}
    union = type(f"{game}Action", (Actions,), {"component": f"{game}Action", "type_schemas": variants})
    schema: Actions = union()
    return schema


def pascal(name: str) -> str:
    """Return a kebab-case name in PascalCase."""
    return "".join(word.capitalize() for word in name.split("-"))


@cache
def _record(made: Callable[..., Any], game: str, name: str) -> type[ActionRecord]:
    optional = _optional(made)
    declared = {
        field: _field(hint, game, required=field not in optional) for field, hint in get_type_hints(made).items()
    }
    # Not registered: the names are unique in one app, not in a process that builds several.
    meta = type("Meta", (), {"register": False})
    return type(game + name, (ActionRecord,), {**declared, "made": made, "Meta": meta})


def _optional(made: Any) -> set[str]:
    if dataclasses.is_dataclass(made):
        missing = dataclasses.MISSING
        return {f.name for f in dataclasses.fields(made) if (f.default, f.default_factory) != (missing, missing)}
    return set(made._field_defaults)


_PLAIN: Mapping[Any, Callable[..., fields.Field[Any]]] = {bool: Flag, int: Whole, str: partial(Text, most=MAX_MEMBERS)}


def _field(hint: Any, game: str, **options: Any) -> fields.Field[Any]:
    if hint in _PLAIN:
        return _PLAIN[hint](**options)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _literal(arguments, **options)
    if origin in (Union, UnionType):
        return _nullable(arguments, game, **options)
    if origin is tuple:
        return _tuple(arguments, game, **options)
    if dataclasses.is_dataclass(hint) or hasattr(hint, "_field_defaults"):
        return fields.Nested(_record(hint, game, hint.__name__), **options)
    raise TypeError(f"an action's field cannot be {hint}")


def _literal(values: tuple[Any, ...], **options: Any) -> fields.Field[Any]:
    kind = type(values[0])
    if any(type(value) is not kind for value in values) or kind not in (str, int):
        raise TypeError(f"the values of a Literal have to be all texts or all whole numbers, not {values}")
    field: type[fields.Field[Any]] = fields.String if kind is str else Whole
    return field(validate=validate.OneOf(values), **options)


def _nullable(arguments: tuple[Any, ...], game: str, **options: Any) -> fields.Field[Any]:
    kinds = [argument for argument in arguments if argument is not NoneType]
    if len(kinds) != 1 or len(arguments) != 2:
        raise TypeError(f"a union in an action is a type or None, not {arguments}")
    return _field(kinds[0], game, allow_none=True, **options)


def _tuple(arguments: tuple[Any, ...], game: str, **options: Any) -> fields.Field[Any]:
    if arguments[-1] is Ellipsis:
        length = validate.Length(max=MAX_MEMBERS)
    elif len(set(arguments)) == 1:
        length = validate.Length(equal=len(arguments))
    else:
        raise TypeError(f"the elements of a tuple have to be of one type, not {arguments}")
    return Several(_field(arguments[0], game), validate=length, **options)


# Posted actions: as JSON, or in the game's notation.


class ActionField(fields.Dict):
    """An action as JSON types; the schema of the game's ruleset loads it."""


class ActionAsJson(Schema):
    """An action as JSON, and the number of the decision that it answers."""

    decision = Whole(least=0, required=True)
    action = ActionField(required=True)


class ActionAsNotation(Schema):
    """An action in the game's notation, and the number of the decision that it answers."""

    decision = Whole(least=0, required=True)
    notation = Text(most=200, required=True)


class Either(Schema):
    """A body with an action in one of two forms; `either` are the schemas for JSON and for notation."""

    either: ClassVar[tuple[Schema, ...]]

    def load(self, data: Any, **options: Any) -> Any:
        """Return the loaded fields, `action` or `notation` among them."""
        as_json, as_notation = self.either
        notated = isinstance(data, Mapping) and "notation" in data and "action" not in data
        return (as_notation if notated else as_json).load(data, **options)


class PostedAction(Either):
    """An action in either form."""

    either: ClassVar[tuple[Schema, ...]] = (ActionAsJson(), ActionAsNotation())

    def load(self, data: Any, **options: Any) -> Any:
        """Return the loaded fields: `decision`, and `action` or `notation`."""
        return data if _is_plain(data) else super().load(data, **options)


def _is_plain(data: Any) -> bool:
    """Return whether the data are clearly a valid ActionAsJson; a shortcut, since this is the most frequent request."""
    return (
        isinstance(data, dict)
        and data.keys() == {"decision", "action"}
        and type(data["decision"]) is int
        and 0 <= data["decision"] <= INT32
        and isinstance(data["action"], dict)
    )
