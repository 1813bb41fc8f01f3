"""Names that people choose for themselves, their bots and their tables: readable, and not those of somebody else."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby
from typing import Any, Final, Literal

from marshmallow import ValidationError

from schemas.fields import Text
from service.rules.registry import find_rulesets
from service.texts.names import computer_names, former_player_names, name_skeleton, passes_for_service

Fault = Literal["name-unseen", "name-piled", "name-taken", "name-address"]
"""The fault of a name: invisible or reordering characters, too many marks on a letter, a reserved name, an address."""

NAME_FAULTS: Final[tuple[Fault, ...]] = ("name-unseen", "name-piled", "name-taken", "name-address")
READABLE: Final = (
    "Without characters that nobody sees or that turn the text round, with at most three marks on a letter, and none "
    "that passes for an automaton's, a computer player's, a former player's or the service's."
)
MAX_MARKS: Final = 3
# Default_Ignorable_Code_Point of Unicode, which Python does not have, and letters and symbols that look blank.
_UNSEEN: Final = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F)),
    *((0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
_JOINERS: Final = "\u200c\u200d"
_PICTURE: Final = "\ufe0f"
_SKIN: Final = range(0x1F3FB, 0x1F400)
_BRAHMIC: Final = range(0x900, 0xE00)
_BY_HAND: Final = (
    "ein früherer Mitspieler",
    "eine frühere Mitspielerin",
    "eine frühere Spielerin",
    "une ancienne joueuse",
)


class Name(Text):
    """A name of at most 60 characters that is none of the `FAULTS`, which are the messages of its ValidationError."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("metadata", {}).setdefault("description", READABLE)
        super().__init__(most=60, **kwargs)

    def _validate(self, value: Any) -> None:
        super()._validate(value)
        fault = fault_in(value)
        if fault is not None:
            raise ValidationError(fault)


class NameOfAccount(Name):
    """The name of a player, a bot or an app, which passes for nobody's mail address either."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("metadata", {}).setdefault("description", f"{READABLE} Without `@`.")
        super().__init__(**kwargs)

    def _validate(self, value: Any) -> None:
        super()._validate(value)
        if "@" in unicodedata.normalize("NFKC", value):
            raise ValidationError("name-address")


def fault_in(name: str) -> Fault | None:
    """Return the fault of a name, None if it has none."""
    if _unseen(name):
        return "name-unseen"
    marks = (sum(1 for _ in run) for marked, run in groupby(unicodedata.normalize("NFD", name), _is_mark) if marked)
    if max(marks, default=0) > MAX_MARKS:
        return "name-piled"
    return "name-taken" if name_skeleton(name) in _taken() or passes_for_service(name) else None


def fault_of(error: ValidationError, field: str = "name") -> Fault | None:
    """Return the fault of the name that a schema has refused; None if its form was wrong."""
    said = error.messages_dict.get(field, ())
    return next((each for each in NAME_FAULTS if each in said), None)


def _unseen(name: str) -> bool:
    shown = [each for each in name if unicodedata.category(each)[0] in "LNPS" and not _is_unseen(each)]
    hidden = (at for at, each in enumerate(name) if _is_unseen(each))
    return not shown or any(not _joins(name[at - 1 : at], name[at], name[at + 1 : at + 2]) for at in hidden)


def _is_unseen(each: str) -> bool:
    return unicodedata.category(each) == "Cf" or any(first <= ord(each) <= last for first, last in _UNSEEN)


def _joins(before: str, each: str, after: str) -> bool:
    """Return whether an invisible character belongs to the spelling of a script, or to an emoji sequence."""
    if each == _PICTURE:
        return before != "" and (unicodedata.category(before) in ("So", "Sm", "Po") or before in "0123456789")
    if each not in _JOINERS or not before or not after:
        return False
    if _is_script(before) and _is_script(after):
        return True
    pictured = unicodedata.category(before) == "So" or before == _PICTURE or ord(before) in _SKIN
    return each == "\u200d" and pictured and unicodedata.category(after) in ("So", "Sm")


def _is_script(each: str) -> bool:
    return unicodedata.bidirectional(each) in ("AL", "NSM") or ord(each) in _BRAHMIC


def _is_mark(each: str) -> bool:
    return unicodedata.category(each)[0] == "M"


@cache
def _taken() -> frozenset[str]:
    automata = (names.values() for each in find_rulesets().values() for names in each.meta.automata.values())
    gone = (*former_player_names(), *_BY_HAND)
    called = [
        *(name for names in automata for name in names),
        *computer_names(),
        *gone,
        *(each.partition(" ")[2] for each in gone),
    ]
    return frozenset(map(name_skeleton, called))
