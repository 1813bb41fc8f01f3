"""Finds what is wrong with the catalogs: what `make lint` refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from gettext import c2py
from pathlib import Path
from string import Formatter
from typing import Final

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError

from service.texts import files

COUNT: Final = "count"
"""The placeholder of the number in a text with plural forms; the form for one alone may say it in a word."""
_SAMPLE: Final = 200
"""Numbers up to here show which of them a plural form is for."""

Catalogs = Mapping[str, Catalog]


def faults(folder: Path, is_used: Callable[[str], bool]) -> list[str]:
    """Return what is wrong with the catalogs of a folder, in lines; `is_used` is asked of each key."""
    unreadable = [fault for language in files.languages(folder) for fault in _unreadable(folder, language)]
    if unreadable:
        return unreadable
    source = _read(folder, files.SOURCE)
    found = [*_of_source(source, is_used)]
    for language in files.languages(folder):
        if language != files.SOURCE:
            theirs = _read(folder, language)
            found += [*_of_language(language), *_of_translation(language, source, theirs)]
    return found


def _read(folder: Path, language: str) -> Catalogs:
    return {name: files.read(files.path_of(folder, language, name)) for name in files.domains(folder, language)}


def _unreadable(folder: Path, language: str) -> Iterator[str]:
    for domain in files.domains(folder, language):
        try:
            catalog = files.read(files.path_of(folder, language, domain))
            c2py(catalog.plural_expr)
            for message in files.messages(catalog):
                for text in (*_forms(message.id), *_forms(message.string)):
                    _placeholders(text)
        except (PoFileError, ValueError) as broken:
            yield f"{language}/{domain}: cannot be read: {broken}"


def _of_source(source: Catalogs, is_used: Callable[[str], bool]) -> Iterator[str]:
    places = Counter(files.key_of(message) for catalog in source.values() for message in files.messages(catalog))
    for domain, catalog in source.items():
        for message in files.messages(catalog):
            key, where = files.key_of(message), f"{files.SOURCE}/{domain}: {files.key_of(message)}"
            if places[key] > 1:
                yield f"{where}: the key is there twice"
            if any(_forms(message.string)):
                yield f"{where}: English is written in msgid, and its msgstr stays empty"
            if not _placeholders_fit(_forms(message.id), _forms(message.id)[-1], catalog.plural_expr):
                yield f"{where}: its plural has other placeholders"
            if message.context and not is_used(key):
                yield f"{where}: unused, no code names the key"


def _of_language(language: str) -> Iterator[str]:
    if len(language) != 2:  # as long as the codes that accounts keep
        yield f"{language}: the folder of a language has the two letters of ISO 639-1"
        return
    try:
        Locale.parse(language)
    except UnknownLocaleError:
        yield f"{language}: Babel knows no dates and numbers of this language"


def _of_translation(language: str, source: Catalogs, theirs: Catalogs) -> Iterator[str]:
    for domain in sorted(source.keys() | theirs.keys()):
        english, translated = (_by_key(each.get(domain)) for each in (source, theirs))
        for key in translated.keys() - english.keys():
            yield f"{language}/{domain}: {key}: unused, English has no such text; `make texts` removes it"
        for key, message in english.items():
            fault = _fault(message, translated.get(key), theirs[domain].plural_expr if domain in theirs else "0")
            if fault is not None:
                yield f"{language}/{domain}: {key}: {fault}"


def _fault(english: Message, translated: Message | None, formula: str) -> str | None:
    """Return what is wrong with the translation of one text, None if nothing is."""
    if translated is None:
        return "missing; `make texts` adds it, to be translated"
    if not all(_forms(translated.string)):
        return "missing, not translated yet"
    if translated.fuzzy:
        return "fuzzy, its English has changed: translate it anew and remove the mark"
    if translated.id != english.id:
        return "its English has changed; `make texts` marks it"
    if not _placeholders_fit(_forms(translated.string), _forms(english.id)[-1], formula):
        return f"placeholder mismatch, the English has {sorted(_placeholders(_forms(english.id)[-1]))}"
    return None


def _placeholders_fit(forms: Sequence[str], english: str, formula: str) -> bool:
    """Return whether all forms have the placeholders of the English: but that for one alone can do without `count`."""
    wanted, choose = _placeholders(english), c2py(formula)
    several = {choose(number) for number in range(2, _SAMPLE)} if len(forms) > 1 else {0}
    return all(
        _placeholders(text) == wanted or (form not in several and _placeholders(text) == wanted - {COUNT})
        for form, text in enumerate(forms)
    )


def _placeholders(text: str) -> set[str]:
    """Return the names of the values that go into a text; ValueError where its braces do not match."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _forms(said: str | Sequence[str] | None) -> tuple[str, ...]:
    return (said or "",) if said is None or isinstance(said, str) else tuple(said)


def _by_key(catalog: Catalog | None) -> dict[str, Message]:
    return {} if catalog is None else {files.key_of(message): message for message in files.messages(catalog)}
