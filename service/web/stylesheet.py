"""Stylesheet of a table: styles of all pages, styles of tables, and a ruleset's colours in both themes."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

from flask import Response, make_response, url_for

from service.rules.table_plugin import Contributions
from service.web.blueprint import STYLE_AGE, compress_public, web
from service.web.page import current_runtime, unknown_page

_NO_TABLE: Final = re.compile(r"/\* Only for pages without a table.*?/\* \.\. to here \*/", re.DOTALL)
_SPARE: Final = re.compile(r"/\*.*?\*/\s*|(?<=[{};:,])\s+|;?\s+(?=[{}])", re.DOTALL)
"""Pattern of comments, and of white space around blocks, declarations, values and the parts of lists."""


@web.get("/rules/<ruleset>/table.css")
def show_stylesheet(ruleset: str) -> Response:
    """Return all styles of a table as one stylesheet; the values of `Contributions.looks` come last."""
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return unknown_page()
    styles = _common(url_for("web.static", filename="")) + _looks(known.contributions)
    response = make_response(styles, {"Content-Type": "text/css; charset=utf-8", "Cache-Control": STYLE_AGE})
    compress_public(response)
    return response


@lru_cache(maxsize=2)
def _common(static: str) -> str:
    folder = files("service.web") / "static"
    styles = "".join((folder / name).read_text(encoding="utf-8") for name in ("style.css", "table.css"))
    # URLs in the files are relative to their folder.
    return _SPARE.sub("", _NO_TABLE.sub("", styles)).replace('url("', f'url("{static}')


def _looks(parts: Contributions) -> str:
    day, night = ("".join(f"--{name}:{values[theme]};" for name, values in parts.looks.items()) for theme in (0, 1))
    return f":root{{{day}}}@media (prefers-color-scheme:dark){{:root{{{night}}}}}"
