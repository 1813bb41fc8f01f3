"""The stylesheet with the colours of a ruleset's pieces, by day and by night."""

from __future__ import annotations

from flask import Response, make_response

from service.web.blueprint import STYLE_AGE, web
from service.web.page import current_runtime, unknown_page


@web.get("/rules/<ruleset>/looks.css")
def show_looks(ruleset: str) -> Response:
    """Return the values of the classes in `Contributions.looks` as a stylesheet; table.css has the rules."""
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return unknown_page()
    looks = known.contributions.looks.items()
    day, night = ("".join(f"--{name}:{values[theme]};" for name, values in looks) for theme in (0, 1))
    response = make_response(f":root{{{day}}}@media (prefers-color-scheme:dark){{:root{{{night}}}}}")
    response.headers.update({"Content-Type": "text/css; charset=utf-8", "Cache-Control": STYLE_AGE})
    return response
