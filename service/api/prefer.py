"""The header Prefer of requests to act (RFC 7240): `return=minimal` asks for the least that the answer can hold."""

from __future__ import annotations

from typing import Final

from werkzeug.http import parse_list_header

APPLIED: Final = {
    "Preference-Applied": "`return=minimal` where the request preferred that: `events` is empty and `view` null."
}
MINIMAL: Final = {"Preference-Applied": "return=minimal"}
"""The header of such an answer."""


def prefers_minimal(prefer: str | None) -> bool:
    """Return whether the header prefers a minimal answer; of several `return` the first counts (section 2)."""
    for preference in parse_list_header(prefer) if prefer else ():
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return value.strip(' \t"').lower() == "minimal"
    return False
