"""The header Prefer of requests to act (RFC 7240): `return=minimal` asks for an answer without a body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from werkzeug.http import parse_list_header

from service.http.responses import PRIVATE

APPLIED: Final = {"Preference-Applied": "`return=minimal`: the answer has no body because the request preferred that."}
MINIMUM: Final = {"Preference-Applied": "return=minimal"}
BY_PREFERENCE: Final[Mapping[str, str]] = {**PRIVATE, "Vary": "Authorization, Prefer"}
"""The headers of answers that depend on the player who asks, and on the preference."""


def wants_minimum(prefer: str | None) -> bool:
    """Return whether the header prefers an answer without a body; of several `return` the first counts (section 2)."""
    for preference in parse_list_header(prefer) if prefer else ():
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return value.strip(' \t"').lower() == "minimal"
    return False
