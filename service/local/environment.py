"""The settings of a running `boardroom up`, kept in its data folder for commands that it has not started."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from service.settings import BadSetting, Settings

# In the folder of the sockets, which is removed when `boardroom up` ends.
_PLACE: Final = Path("run") / "environment.json"


def write_environment(data: Path, settings: Settings) -> None:
    """Write the settings of the service that runs on the data folder to a file that only its owner may read."""
    path = data / _PLACE
    path.touch(0o600)
    path.write_text(json.dumps(settings.variables()))


def read_environment(data: Path) -> Mapping[str, str] | None:
    """Return the environment variables that describe the service that runs on the data folder; None if none does."""
    try:
        found: Mapping[str, str] = json.loads((data / _PLACE).read_text())
    except (OSError, ValueError):
        return None
    return found


def settings_of(data: Path | None) -> Settings:
    """Return the settings of the service that runs on a data folder, or without one of the environment; BadSetting."""
    found: Mapping[str, str] | None = {} if data is None else read_environment(data)
    if found is None:
        raise BadSetting(f"nothing runs on the folder {data}; start it with `make up`")
    os.environ.update(found)
    return Settings.from_env()
