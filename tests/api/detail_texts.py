"""The details of problems in every language: by code, and by its case after a hyphen."""

from __future__ import annotations

from service.http.problem_texts import SHARED
from service.texts.catalog import keys, languages, text

TEXTS = {
    language: {
        **{name: text(language, key) for name, key in SHARED.items()},
        **{name: text(language, name) for name in keys("details")},
    }
    for language in languages()
}
