"""The package of a game as it was saved last: it is imported anew when one of its files has changed."""

from __future__ import annotations

import sys
from importlib import invalidate_caches
from pathlib import Path
from threading import Lock

from service.commands.rulesets import game_in
from service.rules.kernel import AnyRuleset


class SavedPackage:
    """A package that is being written; Refused if it has no game at the beginning."""

    def __init__(self, name: str) -> None:
        # Compiled files go by the second: one that was saved twice in a second would be taken for the first.
        sys.dont_write_bytecode = True
        self._name = name
        self._ruleset = game_in(name)
        self._folder = Path(str(sys.modules[self._module].__file__)).parent
        self._stamp = self.stamp()
        self._lock = Lock()

    @property
    def _module(self) -> str:
        return self._name.strip("/").replace("/", ".")

    def stamp(self) -> str:
        """Return what differs after each saving of a file."""
        files = [path for path in sorted(self._folder.rglob("*")) if "__pycache__" not in path.parts]
        return " ".join(f"{path.name}:{path.stat().st_mtime_ns}" for path in files if path.is_file())

    def ruleset(self) -> AnyRuleset:
        """Return the game as it was saved last; Refused if it cannot be imported as it is now."""
        with self._lock:
            stamp = self.stamp()
            if stamp != self._stamp:
                for name in [each for each in sys.modules if f"{each}.".startswith(f"{self._module}.")]:
                    del sys.modules[name]
                invalidate_caches()
                self._ruleset, self._stamp = game_in(self._name), stamp
            return self._ruleset
