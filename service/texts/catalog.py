"""Texts of mails, pages and problems by key and language.

The texts are read from the catalogs beside this module (po_files.py), once per process, at first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Message

from service.rules.typography import typeset
from service.texts import po_files
from service.texts.locales import number

DEFAULT: Final = po_files.SOURCE


class _Plural(NamedTuple):
    """Forms of a counted text, and the formula of its catalog (`Plural-Forms`) that chooses among them."""

    choose: Callable[[int], int]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Language:
    """Texts of a language by key, and the keys of each catalog (`domains`)."""

    texts: dict[str, str]
    plurals: dict[str, _Plural]
    domains: dict[str, tuple[str, ...]]


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that the service speaks: English first, then by the alphabet."""
    return tuple(_loaded(po_files.LOCALE))


def say(language: str, key: str, **values: object) -> str:
    """Return the text of a key with the values put in; in English if the service does not speak the language.

    KeyError for a key that no catalog has, and for a placeholder without a value.
    """
    return text(language, key).format(**values)


def count(language: str, key: str, number_of: int, **values: object) -> str:
    """Return a text with plural forms in the form for the number, which goes in as `count`; errors as in `say`."""
    plural = _spoken(language).plurals[key]
    return plural.forms[plural.choose(number_of)].format(count=number(number_of, language), **values)


def plural_form(language: str, forms: Sequence[str], number_of: int) -> str:
    """Choose among the plural forms of a game, which are in the order of the language's catalogs; as `count`."""
    choose = next(iter(_spoken(language).plurals.values())).choose
    return forms[choose(number_of)].format(count=number(number_of, language))


def text(language: str, key: str) -> str:
    """Return the text of a key with its placeholders; errors as in `say`."""
    return _spoken(language).texts[key]


def keys(domain: str) -> tuple[str, ...]:
    """Return the keys of a catalog without those that have plural forms."""
    return _loaded(po_files.LOCALE)[DEFAULT].domains[domain]


def _spoken(language: str) -> _Language:
    loaded = _loaded(po_files.LOCALE)
    return loaded.get(language, loaded[DEFAULT])


@cache
def _loaded(folder: Path) -> Mapping[str, _Language]:
    spoken = {language: _read(folder, language) for language in po_files.languages(folder)}
    english = spoken[DEFAULT]
    return {
        language: _Language({**english.texts, **own.texts}, {**english.plurals, **own.plurals}, own.domains)
        for language, own in spoken.items()
    }


def _read(folder: Path, language: str) -> _Language:
    """Read the catalogs of a language without translations that are empty or fuzzy."""
    found = _Language({}, {}, {})
    for domain in po_files.domains(folder, language):
        catalog = po_files.read(po_files.path_of(folder, language, domain))
        choose = c2py(catalog.plural_expr)
        texts: dict[str, str] = {}
        for message in po_files.messages(catalog):
            forms = _forms(message, language)
            if message.fuzzy or not all(forms):
                continue
            if message.pluralizable:
                found.plurals[po_files.key_of(message)] = _Plural(choose, forms)
            else:
                texts[po_files.key_of(message)] = forms[0]
        found.texts.update(texts)
        found.domains[domain] = tuple(texts)
    return found


def _forms(message: Message, language: str) -> tuple[str, ...]:
    said = message.id if language == DEFAULT else message.string
    forms = (said,) if isinstance(said, str) else tuple(said or ())
    return typeset(forms) if language == "fr" else forms
