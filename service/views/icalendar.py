"""The one writer of iCalendar objects (RFC 5545)."""

from __future__ import annotations

from icalendar import Calendar, Component
from icalendar.prop import vText

from service.rules.characters import interchangeable, unisolated


def document(calendar: Calendar) -> bytes:
    """Return the object in UTF-8; its texts have no control characters, which section 3.1 forbids, and no isolates."""
    for component in calendar.walk():
        _clean(component)
    data: bytes = calendar.to_ical()
    return data


def _clean(component: Component) -> None:
    for name, value in list(component.items()):
        if isinstance(value, vText):
            text = interchangeable(unisolated(str(value)))
            component[name] = vText(text, params=value.params)
