"""The colours of a ruleset's pieces as a style within the page, which the page's policy names by its hash."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from service.web.session import SCRIPT_POLICY


class LooksStyle(NamedTuple):
    """The text of a style element, and the Content-Security-Policy that allows it."""

    css: Markup
    policy: str


def looks_style(looks: Mapping[str, tuple[str, str]]) -> LooksStyle:
    """Return the style for the classes of a ruleset (`Contributions.looks`), by day and by night."""
    return _style(tuple(looks.items()))


@lru_cache(maxsize=32)
def _style(looks: tuple[tuple[str, tuple[str, str]], ...]) -> LooksStyle:
    day, night = ("".join(f"--{name}:{values[theme]};" for name, values in looks) for theme in (0, 1))
    css = f":root{{{day}}}@media (prefers-color-scheme:dark){{:root{{{night}}}}}"
    digest = b64encode(sha256(css.encode()).digest()).decode()
    policy = SCRIPT_POLICY.replace("style-src 'self'", f"style-src 'self' 'sha256-{digest}'")
    return LooksStyle(Markup(css), policy)  # noqa: S704 # a ruleset's own
