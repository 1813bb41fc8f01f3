"""The part of the form for a new table that chooses its pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from schemas.pace import ON_LAPSE
from service.rules.pace import PACES
from service.texts.catalog import say
from service.texts.games import PACE_NAMES, pace_text
from service.web.arrival import zones
from service.web.session import current_visitor, language

OWN: Final = "own"
"""The choice of own times."""
_TIMES: Final = {"free": "1", "bank": "4", "credit": "0", "cap": "4"}
"""The fields of own times, and the days in them at first: those of `daily`, without its credit."""
_UNITS: Final = {"days": "P{}D", "hours": "PT{}H", "minutes": "PT{}M"}


def pace_choices(lengths: Mapping[str, str]) -> dict[str, Any]:
    """Return what the template of the form needs; `lengths` says by pace how long a game takes."""
    spoken, visitor = language(), current_visitor()
    return {
        "paces": {name: pace_text(spoken, PACES.get(name)) for name in PACE_NAMES} | {OWN: say(spoken, "new-pace-own")},
        "lengths": lengths,
        "own_times": _TIMES,
        "units": tuple(_UNITS),
        "on_lapse": ON_LAPSE,
        "zones": zones(),
        "own_zone": "UTC" if visitor is None else visitor.time_zone,
    }


def posted_pace(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the pace of a form in the shape of the API; nothing where the form does not have one."""
    name = form.get("pace")
    if name is None:
        return {}
    if name == "none":
        return {"pace": {"name": name}}
    chosen: dict[str, Any] = {each: _duration(form, each) for each in _TIMES} if name == OWN else {"name": name}
    if "weekdays" in form:
        chosen["weekdays"] = form.get("zone", "")
    if "on_lapse" in form:
        chosen |= {"on_lapse": form["on_lapse"], "away": "away" in form, "take_back": "take_back" in form}
    return {"pace": chosen}


def _duration(form: Mapping[str, str], name: str) -> str:
    unit = form.get(f"{name}-unit", "")
    return _UNITS[unit].format(form.get(name, "").strip()) if unit in _UNITS else ""
