"""Names that are read from right to left, as HTML has them: in an element of their own."""

from __future__ import annotations

import re
from typing import Final

from service.rules.isolation import FSI, PDI

_TAG: Final = re.compile(r"(<[^>]*>)")
_NAME: Final = re.compile(f"{FSI}([^{FSI}{PDI}]*){PDI}")
# Nothing but text can stand in these, or no element of HTML: there the characters do what the element does.
_TEXT_ALONE: Final = re.compile(r"<(/?)(title|textarea|option|script|style|svg)\b[^>]*(?<!/)>", re.IGNORECASE)


def with_bdi(html: str) -> str:
    """Return a page with `<bdi>` for the isolates in its texts; those in attributes stay, for they hold no elements."""
    if FSI not in html:
        return html
    parts, within = _TAG.split(html), ""
    for place, part in enumerate(parts):
        if place % 2:
            found = _TEXT_ALONE.fullmatch(part)
            if found and not found[1]:
                # A picture has a title of its own, whose end is not the picture's.
                within = within or found[2].lower()
            elif found and found[2].lower() == within:
                within = ""
        elif not within and FSI in part:
            parts[place] = _NAME.sub(r"<bdi>\1</bdi>", part)
    return "".join(parts)
