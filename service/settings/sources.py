"""Where the texts of settings come from: the environment, then boardroom.toml; a secret may be in its own file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from service.settings.kinds import BadSetting

CONFIG: Final = "BOARDROOM_CONFIG"
"""The variable that names the file; set to nothing it says that there is none."""
USUAL: Final = "boardroom.toml"
"""The file in the current folder that is read without BOARDROOM_CONFIG, if it is there."""
OF_FILE: Final = "_FILE"
"""What the name of a secret ends with that names a file which holds it."""


class Sources:
    """The texts of the settings; the environment comes before the file, also where it sets a name to nothing."""

    def __init__(self, names: Iterable[str], secrets: Iterable[str]) -> None:
        """Take the names of all settings and those of the secrets, and read the file; raises BadSetting."""
        self._secrets = frozenset(secrets)
        known = [*names, *(name + OF_FILE for name in self._secrets)]
        self._places: tuple[Mapping[str, str], ...] = (os.environ, _read_config(known))

    def text(self, name: str) -> str:
        """Return the text of a setting without the space around it, '' where nothing is set; raises BadSetting."""
        for place in self._places:
            file = place.get(name + OF_FILE, "").strip() if name in self._secrets else ""
            if file and place.get(name, "").strip():
                raise BadSetting(f"{name} and {name + OF_FILE} are both set; one of them has to go.")
            if file:
                return _read_secret(name + OF_FILE, Path(file))
            if name in place:
                return place[name].strip()
        return ""


def _read_secret(name: str, path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BadSetting(f"{name} is {str(path)!r}, which cannot be read: {error.strerror}.") from error
    except ValueError:
        raise BadSetting(f"{name} is {str(path)!r}, which holds no text.") from None
    if not text:
        raise BadSetting(f"{name} is {str(path)!r}, which is empty.")
    return text


def _read_config(known: Iterable[str]) -> Mapping[str, str]:
    """Return the texts in the file by the names of the settings; empty if there is no file."""
    named = os.environ.get(CONFIG, USUAL if Path(USUAL).exists() else "").strip()
    if not named:
        return {}
    path = Path(named)
    try:
        with path.open("rb") as file:
            found = tomllib.load(file)
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadSetting(f"{path} is no TOML: {' '.join(str(error).split())}.") from None
    names = {name.lower(): name for name in known}
    for key in found:
        if key not in names:
            (nearest,) = get_close_matches(key.lower(), names, 1, 0)
            raise BadSetting(f"{path} has {key!r}, which is no setting; the nearest name is {nearest}.")
    return {names[key]: _written(f"{key} in {path}", value) for key, value in found.items()}


def _written(what: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if not isinstance(value, str | int | float):
        raise BadSetting(f"{what} has to be a text, a number, true, false, or a list of texts.")
    return str(value)
