"""Canonical JSON (RFC 8785) as game records use it: no fractions, and only integers below 2**53 in size."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from msgspec.json import Encoder

LARGEST = 2**53 - 1
# Sorted keys, no spaces: for ASCII names and integers these are the bytes of RFC 8785.
_encoder = Encoder(order="sorted")


class Malformed(ValueError):
    """Invalid line of a record; the message says why."""


def canonical(value: Any) -> bytes:
    """Return the value as canonical JSON; dataclasses count as objects of their fields."""
    return _encoder.encode(value)


def read_line(line: bytes) -> dict[str, Any]:
    """Parse a line (without its line feed) as an object; Malformed unless the line is canonical."""
    try:
        value = json.loads(line.decode(), parse_float=_fraction, parse_constant=_fraction, parse_int=_whole)
    except Malformed:
        raise
    except (ValueError, RecursionError):
        raise Malformed("it is no JSON text in UTF-8") from None
    if not isinstance(value, dict):
        raise Malformed("it is no JSON object")
    if not _is_canonical(value, line):
        raise Malformed("it is not written in the canonical form of RFC 8785")
    return value


def _is_canonical(value: Any, line: bytes) -> bool:
    try:
        return canonical(value) == line
    except (ValueError, RecursionError):
        # JSON can escape half of a surrogate pair, which is no character.
        return False


def _fraction(text: str) -> NoReturn:
    raise Malformed(f"{text} is no whole number")


def _whole(text: str) -> int:
    # Python refuses to parse very long numbers, so check the length first.
    if len(text) > 17 or abs(int(text)) > LARGEST:
        raise Malformed(f"{text[:20]} is too large a number")
    return int(text)
