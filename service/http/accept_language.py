"""The language of a request, by its Accept-Language header."""

from __future__ import annotations

from flask import request
from werkzeug.datastructures import LanguageAccept

from service.texts.catalog import DEFAULT, languages


def accept_language() -> str | None:
    """Return the language that the current request prefers, of those that have texts; None if it names none of them."""
    return preferred(request.accept_languages)


def spoken_language() -> str:
    """Return the language of an account that the current request makes without naming one."""
    return accept_language() or DEFAULT


def preferred(accepted: LanguageAccept) -> str | None:
    """Return the preferred language, of those that have texts; None if none of them is accepted.

    `de-AT` counts as `de`, before a language of lower quality (lookup, RFC 4647, section 3.4). `*` names no language.
    """
    names = (tag.partition("-")[0].lower() for tag, quality in accepted if quality > 0)
    return next((name for name in names if name in languages()), None)
