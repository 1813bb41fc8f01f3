"""What a look of `boardroom doctor` ends with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Examination:
    """A check: its name, its result, and what to do if the result is not ok."""

    name: str
    level: Level
    said: str
    todo: str = ""
