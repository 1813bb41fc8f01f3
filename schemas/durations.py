"""A field for durations in the form of ISO 8601, and the form itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields

from schemas.fault import BAD_DURATION

_TIME: Final = (
    "T([0-9]{1,5}H([0-9]{1,6}M)?([0-9]{1,7}S)?|[0-9]{1,6}M([0-9]{1,7}S)?|[0-9]{1,7}S)"  # one of the three at least
)
_FORM: Final = f"^P([0-9]{{1,5}}D({_TIME})?|{_TIME})$"
_LONGEST: Final = 30
_DURATION: Final = re.compile(_FORM)
_PART: Final = re.compile("([0-9]{1,7})([DHMS])")
_UNITS: Final = {"D": 86_400, "H": 3600, "M": 60, "S": 1}


class Duration(fields.String):
    """A duration as ISO 8601 has it (`P1DT12H`), in days, hours, minutes and seconds; loads as seconds, up to `most`.

    The message of its ValidationError is a fault of `schemas.fault`.
    """

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        form = {"format": "duration", "pattern": _FORM, "minLength": 3, "maxLength": _LONGEST}
        metadata = {**form, **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, str) or len(value) > _LONGEST or _DURATION.fullmatch(value) is None:
            raise ValidationError(BAD_DURATION)
        seconds = sum(int(number) * _UNITS[unit] for number, unit in _PART.findall(value))
        if seconds > self._most:
            raise ValidationError(BAD_DURATION)
        return seconds
