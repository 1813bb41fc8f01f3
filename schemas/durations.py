"""A field for durations in the form of ISO 8601, and the form itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields

from schemas.fault import BAD_DURATION

_FORM: Final = r"^P(?=[0-9T])([0-9]{1,5}D)?(T(?=[0-9])([0-9]{1,5}H)?([0-9]{1,6}M)?([0-9]{1,7}S)?)?$"
_DURATION: Final = re.compile(_FORM)
_UNITS: Final = {"D": 86_400, "H": 3600, "M": 60, "S": 1}


class Duration(fields.String):
    """A duration as ISO 8601 has it (`P1DT12H`), in days, hours, minutes and seconds; loads as seconds, up to `most`.

    The message of its ValidationError is a fault of `schemas.fault`.
    """

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        metadata = {"format": "duration", "pattern": _FORM, **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        found = _DURATION.fullmatch(value) if isinstance(value, str) and value.isascii() else None
        if found is None:
            raise ValidationError(BAD_DURATION)
        parts = (each for each in (found[1], *found.groups()[2:]) if each)
        seconds = sum(int(each[:-1]) * _UNITS[each[-1]] for each in parts)
        if seconds > self._most:
            raise ValidationError(BAD_DURATION)
        return seconds
