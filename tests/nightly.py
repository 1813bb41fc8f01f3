"""Breadth of a run: `NIGHTLY=1` tries every table, language and width, where other runs try those that differ most."""

from __future__ import annotations

import os
from typing import Final

NIGHTLY: Final = bool(os.environ.get("NIGHTLY"))
