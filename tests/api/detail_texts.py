"""The details of problems in every language: by code, and by its case after a hyphen."""

from __future__ import annotations

from service.http.problems import SHARED_TEXTS
from service.texts.catalog import keys, languages, text
from service.texts.po_files import SERVICE

TEXTS = {
    language: {
        **{name: text(language, key) for name, key in SHARED_TEXTS.items()},
        **{key.removeprefix("detail-"): text(language, key) for key in keys(SERVICE) if key.startswith("detail-")},
    }
    for language in languages()
}
