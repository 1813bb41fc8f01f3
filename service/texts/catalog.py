"""What mails, pages and problems say around the words of a ruleset, in the languages of the players.

The texts are read from the catalogs beside this module (files.py), once per process, at first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Message

from service.rules.typeset import typeset
from service.texts import files
from service.texts.when import number

DEFAULT: Final = files.SOURCE


class _Plural(NamedTuple):
    """The forms of a counted text, and the formula of its catalog (`Plural-Forms`) that chooses among them."""

    choose: Callable[[int], int]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Language:
    """The texts of a language by their keys, and the keys of each catalog (`domains`)."""

    texts: dict[str, str]
    plurals: dict[str, _Plural]
    domains: dict[str, tuple[str, ...]]


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that the service speaks: English first, then by the alphabet."""
    return tuple(_loaded(files.LOCALE))


def say(language: str, key: str, **values: object) -> str:
    """Return the text of a key with the values put in: in English where the service does not speak the language.

    KeyError for a key that no catalog has, and for a placeholder without a value.
    """
    return text(language, key).format(**values)


def count(language: str, key: str, number_of: int, **values: object) -> str:
    """Return the text of a key with plural forms, in the form for the number, which goes in as `count`; as `say`."""
    plural = _spoken(language).plurals[key]
    return plural.forms[plural.choose(number_of)].format(count=number(number_of, language), **values)


def chosen(language: str, forms: Sequence[str], number_of: int) -> str:
    """Return the form for the number of those that a game has, in the order of the language's catalogs; as `count`."""
    choose = next(iter(_spoken(language).plurals.values())).choose
    return forms[choose(number_of)].format(count=number(number_of, language))


def text(language: str, key: str) -> str:
    """Return the text of a key as it stands in its catalog, with the names of its placeholders; as `say`."""
    return _spoken(language).texts[key]


def keys(domain: str) -> tuple[str, ...]:
    """Return the keys of a catalog, but for those with plural forms."""
    return _loaded(files.LOCALE)[DEFAULT].domains[domain]


def _spoken(language: str) -> _Language:
    loaded = _loaded(files.LOCALE)
    return loaded.get(language, loaded[DEFAULT])


@cache
def _loaded(folder: Path) -> Mapping[str, _Language]:
    spoken = {language: _read(folder, language) for language in files.languages(folder)}
    english = spoken[DEFAULT]
    return {
        language: _Language({**english.texts, **own.texts}, {**english.plurals, **own.plurals}, own.domains)
        for language, own in spoken.items()
    }


def _read(folder: Path, language: str) -> _Language:
    """Return what the catalogs of a language hold, without translations that are empty or fuzzy."""
    found = _Language({}, {}, {})
    for domain in files.domains(folder, language):
        catalog = files.read(files.path_of(folder, language, domain))
        choose = c2py(catalog.plural_expr)
        texts: dict[str, str] = {}
        for message in files.messages(catalog):
            forms = _forms(message, language)
            if message.fuzzy or not all(forms):
                continue
            if message.pluralizable:
                found.plurals[files.key_of(message)] = _Plural(choose, forms)
            else:
                texts[files.key_of(message)] = forms[0]
        found.texts.update(texts)
        found.domains[domain] = tuple(texts)
    return found


def _forms(message: Message, language: str) -> tuple[str, ...]:
    said = message.id if language == DEFAULT else message.string
    forms = (said,) if isinstance(said, str) else tuple(said or ())
    return typeset(forms) if language == "fr" else forms
