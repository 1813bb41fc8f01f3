"""How a process of the service ends that has a setting which it cannot use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from service.settings.kinds import BadSetting


@contextmanager
def ended_by_bad_settings() -> Iterator[None]:
    """Decorator of the main function of a part: SystemExit with the one line that names the setting."""
    try:
        yield
    except BadSetting as refusal:
        sys.exit(str(refusal))
