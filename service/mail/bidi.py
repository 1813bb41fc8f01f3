"""Isolated names (service/rules/bidi.py) in HTML: each in a `<bdi>` element of its own."""

from __future__ import annotations

import re
from typing import Final

from service.rules.bidi import FSI, PDI

_TAG: Final = re.compile(r"(<[^<>]*>)")
_NAME: Final = re.compile(f"{FSI}([^{FSI}{PDI}]*){PDI}")
# These hold text only, or no HTML elements: there the isolate characters stay and do the same.
_TEXT_ALONE: Final = re.compile(r"<(/?)(title|textarea|option|script|style|svg)\b[^>]*(?<!/)>", re.IGNORECASE)


def with_bdi(html: str) -> str:
    """Return a page with `<bdi>` for the isolates in its text; those in attributes stay, where no element can stand."""
    if FSI not in html:
        return html
    parts, within = _TAG.split(html), ""
    for place, part in enumerate(parts):
        if place % 2:
            found = _TEXT_ALONE.fullmatch(part)
            if found and not found[1]:
                # An SVG picture has a title element, whose end is not the end of the picture.
                within = within or found[2].lower()
            elif found and found[2].lower() == within:
                within = ""
        elif not within and FSI in part:
            parts[place] = _NAME.sub(r"<bdi>\1</bdi>", part)
    return "".join(parts)
