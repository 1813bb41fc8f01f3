"""The language that the request at hand asks for, of those that we speak."""

from __future__ import annotations

from flask import request

from service.texts.catalog import languages


def accept_language() -> str | None:
    """Return the language that Accept-Language names first, by its wishes; None where it names none of ours.

    A wish for the German of Austria is one for German, and counts before a lesser one for English (lookup, RFC 4647,
    section 3.4). A wish for any language names none.
    """
    names = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((name for name in names if name in languages()), None)
