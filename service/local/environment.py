"""Where a house that runs on one machine can be found by those who are not started by it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from service.settings import BadSetting, Settings

# In the folder of the sockets, which goes when the house stops.
_PLACE: Final = Path("run") / "environment.json"


def note(data: Path, settings: Settings) -> None:
    """Write down for its owner's eyes with which settings the house runs that has its data in the folder."""
    ours = {name: value for name, value in settings.environment().items() if os.environ.get(name) != value}
    path = data / _PLACE
    path.touch(0o600)
    path.write_text(json.dumps(ours))


def noted(data: Path) -> Mapping[str, str] | None:
    """Return the part of its environment that makes another process find the same house; None if none runs there."""
    try:
        found: Mapping[str, str] = json.loads((data / _PLACE).read_text())
    except (OSError, ValueError):
        return None
    return found


def settings_of(data: Path | None) -> Settings:
    """Return the settings of the house that runs on a folder, or, without one, those of the environment; BadSetting."""
    found: Mapping[str, str] | None = {} if data is None else noted(data)
    if found is None:
        raise BadSetting(f"nothing runs on the folder {data}; start it with `make up`")
    os.environ.update(found)
    return Settings.from_env()
