"""Fields that accept exactly what they document: no coercion, no control characters, no unlimited text."""

from __future__ import annotations

import re
import unicodedata
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from marshmallow import ValidationError, fields, validate

from service.rules.characters import has_noncharacter
from service.rules.pace import is_public_zone
from service.shared.addresses import MAX_ADDRESS_LENGTH, canonical

INT32 = 2**31 - 1
NO_ADDRESS = "Not a mail address."
NONCHARACTER = "Has a code point that is no character, and never will be one."

TEXT = r"^[^\x00-\x20\x7f-\xa0\u2028\u2029]([^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^\x00-\x20\x7f-\xa0\u2028\u2029])?$"
"""One line without control characters and without a space at either end."""

PROSE = r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]*$"
"""Lines without control characters."""

EMAIL = "^[!#-'*+/-9=?A-Z^-~.-]+@" + r'[^\x00-\x20\x7f-\xa0"(),:;<>@\[\]\\]+$'
"""A rough pattern of mail addresses; a library checks the address itself."""
LANGUAGE = r"^[a-z]{2}$"
SLUG = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
CAPABILITY = r"^[A-Za-z2-7]{26}$"
KEY = r"^[A-Za-z0-9_-]{8,64}$"
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


CURSOR = r"^[A-Za-z0-9_-]{32}$"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_END = datetime.max.replace(tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_all_time_zones = cache(available_timezones)


class FullMatch(validate.Regexp):
    """A pattern that has to match the whole text; the `$` of `re.match` would allow a final newline."""

    def __call__(self, value: Any) -> Any:
        """Return the value, or raise ValidationError."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self.error)
        return value


def needing(*names: str, **forms: Any) -> dict[str, Any]:
    """Return the JSON schema of an object that has these fields; `forms` tells what one of them has to be besides."""
    return {"required": [*names], "properties": {name: forms.get(name, {}) for name in names} | forms}


class Text(fields.String):
    """One line of text that matches `pattern` after NFC normalisation, of `least` to `most` characters."""

    def __init__(self, *, most: int, least: int = 1, pattern: str = TEXT, **kwargs: Any) -> None:
        matches = FullMatch(pattern, error="Not of the form asked for, or with characters that are not allowed.")
        super().__init__(validate=[validate.Length(min=least, max=most), matches], **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        # A lone surrogate is no character: neither PostgreSQL nor a mail can encode it.
        if not isinstance(value, str) or any("\ud800" <= each <= "\udfff" for each in value):
            raise self.make_error("invalid")
        # Nor are the noncharacters, which no XML holds. Their pattern would be another promise than that of before.
        if has_noncharacter(value):
            raise ValidationError(NONCHARACTER)
        return unicodedata.normalize("NFC", value)


class Email(Text):
    """A mail address, in any spelling of its domain; loaded it is as `service.shared.addresses` keeps it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(least=6, most=MAX_ADDRESS_LENGTH, pattern=EMAIL, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        found = canonical(super()._deserialize(value, attr, data, **kwargs))
        if found is None:
            raise ValidationError(NO_ADDRESS)
        return found


class TimeZone(Text):
    """The name of a time zone in the IANA database, such as `Europe/Berlin`."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        name = super()._deserialize(value, attr, data, **kwargs)
        if name not in _all_time_zones():
            raise ValidationError(NO_ZONE)
        return name


class PublicTimeZone(TimeZone):
    """The name of a time zone that means the same on every machine: UTC, or that of an area and a city."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        name = super()._deserialize(value, attr, data, **kwargs)
        if not is_public_zone(name):
            raise ValidationError(NO_ZONE)
        return name


class Whole(fields.Integer):
    """A whole number, sent as a JSON number: no text, no fraction, no boolean; from `least` to `most`."""

    def __init__(self, *, least: int = -INT32 - 1, most: int = INT32, **kwargs: Any) -> None:
        kwargs.setdefault("validate", validate.Range(min=least, max=most))
        super().__init__(strict=True, **kwargs)

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        whole: int = value
        return whole


class Number(fields.Integer):
    """A whole number in a query, from `least` to `most`, in ASCII digits."""

    def __init__(self, *, least: int, most: int = INT32, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(min=least, max=most), **kwargs)

    def _validated(self, value: Any) -> int:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(INT32))):
            raise self.make_error("invalid", input=value)
        return int(value)


class Cursor(fields.String):
    """A place in a list that is ordered by a moment and an id; opaque to clients, loads as (datetime, UUID)."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("metadata", {"description": "`next` of the page before."})
        given_out = FullMatch(CURSOR, error="Not a cursor that was given out.")
        super().__init__(validate=[validate.Length(max=32), given_out], **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the place, or raise ValidationError."""
        text = super().deserialize(value, *args, **kwargs)
        return text if not isinstance(text, str) else self._place(text)

    def _place(self, text: str) -> tuple[datetime, UUID]:
        data = urlsafe_b64decode(text)
        # A forged cursor may name a moment beyond datetime.max.
        moment = min(int.from_bytes(data[:8], "big"), (_END - _EPOCH) // _MICROSECOND)
        return _EPOCH + moment * _MICROSECOND, UUID(bytes=data[8:])


def cursor(moment: datetime, identity: UUID) -> str:
    """Return the cursor of a place in a list."""
    return urlsafe_b64encode(((moment - _EPOCH) // _MICROSECOND).to_bytes(8, "big") + identity.bytes).decode()


class Flag(fields.Boolean):
    """A boolean, sent as JSON true or false: no text and no number."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Several(fields.List[Any]):
    """A list that loads as a tuple."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return tuple(super()._deserialize(value, attr, data, **kwargs))


class Day(Text):
    """A day in ISO 8601 (YYYY-MM-DD); loads as a date."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("metadata", {}).setdefault("format", "date")
        super().__init__(least=10, most=10, pattern=DAY, **kwargs)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the day, or raise ValidationError."""
        text = super().deserialize(value, *args, **kwargs)
        try:
            return date.fromisoformat(text) if isinstance(text, str) else text
        except ValueError:
            raise self.make_error("invalid") from None


# Faults that are told in the language of the request: keys of texts, which are the messages of ValidationErrors.

BAD_DURATION: Final = "fault-duration"
"""A duration that is not in the form of ISO 8601, or longer than is allowed."""
NO_ZONE: Final = "fault-zone"
"""A time zone that is not in the IANA database."""
NO_SUCH_PACE: Final = "fault-pace-name"
NO_SUCH_LAPSE: Final = "fault-on-lapse"
NAME_OR_TIMES: Final = "fault-name-or-times"
"""A pace has either a name, or own times of which `free` and `bank` are two."""
NO_TIME: Final = "fault-no-time"
"""Free time and bank are less than a minute together."""
NO_CLOCK: Final = "fault-no-clock"
"""A table of the pace `none` has no terms of a clock."""
SOLO: Final = "fault-solo"
"""A game for one has no clock."""
RATED: Final = "fault-rated"
"""Only a table among people with a clock can be rated."""

REQUEST_FAULTS: Final = frozenset(
    {
        BAD_DURATION,
        NO_ZONE,
        NO_SUCH_PACE,
        NO_SUCH_LAPSE,
        NAME_OR_TIMES,
        NO_TIME,
        NO_CLOCK,
        SOLO,
        RATED,
    }
)


# Durations in the form of ISO 8601.

_DURATION_TIME: Final = (
    "T([0-9]{1,5}H([0-9]{1,6}M)?([0-9]{1,7}S)?|[0-9]{1,6}M([0-9]{1,7}S)?|[0-9]{1,7}S)"  # one of the three at least
)
_DURATION_FORM: Final = f"^P([0-9]{{1,5}}D({_DURATION_TIME})?|{_DURATION_TIME})$"
_DURATION_MAX_LENGTH: Final = 30
_DURATION: Final = re.compile(_DURATION_FORM)
_DURATION_PART: Final = re.compile("([0-9]{1,7})([DHMS])")
_DURATION_UNIT_S: Final = {"D": 86_400, "H": 3600, "M": 60, "S": 1}


class Duration(fields.String):
    """A duration as ISO 8601 has it (`P1DT12H`), in days, hours, minutes and seconds; loads as seconds, up to `most`.

    The message of its ValidationError is a fault of `schemas.fields`.
    """

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        form = {"format": "duration", "pattern": _DURATION_FORM, "minLength": 3, "maxLength": _DURATION_MAX_LENGTH}
        metadata = {**form, **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, str) or len(value) > _DURATION_MAX_LENGTH or _DURATION.fullmatch(value) is None:
            raise ValidationError(BAD_DURATION)
        seconds = sum(int(number) * _DURATION_UNIT_S[unit] for number, unit in _DURATION_PART.findall(value))
        if seconds > self._most:
            raise ValidationError(BAD_DURATION)
        return seconds
