"""The language that the request at hand asks for, of those that we speak."""

from __future__ import annotations

from flask import request
from werkzeug.datastructures import LanguageAccept

from service.texts.catalog import languages


def accept_language() -> str | None:
    """Return the language of ours that the request's Accept-Language names first; None where it names none."""
    return preferred(request.accept_languages)


def preferred(accepted: LanguageAccept) -> str | None:
    """Return the language of ours that is named first, in the order of quality; None where none is.

    A wish for the German of Austria is one for German, and counts before a lesser one for English (lookup, RFC 4647,
    section 3.4). A wish for any language names none.
    """
    names = (tag.partition("-")[0].lower() for tag, quality in accepted if quality > 0)
    return next((name for name in names if name in languages()), None)
