"""Check of the catalogs: missing, fuzzy and unused texts, and placeholders that do not match.

A key is used if a module or template names it: `say(language, "table")`, or composes it: `f"problem-{what}-text"`.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from gettext import c2py
from pathlib import Path
from string import Formatter
from typing import Final

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError
from jinja2 import Environment

from service.texts import po_files

COUNT: Final = "count"
"""Placeholder of the number in a text with plural forms; the form for one alone may say it in a word."""
_SAMPLE: Final = 200
"""Numbers up to here are tried to find those that a plural form stands for."""
_HOLE: Final = "(.+)"

Catalogs = Mapping[str, Catalog]


def faults(folder: Path, is_used: Callable[[str], bool]) -> list[str]:
    """Return the faults in the catalogs of a folder, a line each; `is_used` is asked for each key."""
    unreadable = [fault for language in po_files.languages(folder) for fault in _unreadable(folder, language)]
    if unreadable:
        return unreadable
    source = _read(folder, po_files.SOURCE)
    found = [*_of_source(source, is_used)]
    for language in po_files.languages(folder):
        if language != po_files.SOURCE:
            if len(language) != 2:  # as long as the codes that accounts keep
                found.append(f"{language}: the folder of a language has the two letters of ISO 639-1")
            elif not _is_known_to_babel(language):
                found.append(f"{language}: Babel knows no dates and numbers of this language")
            found += _of_translation(language, source, _read(folder, language))
    return found


def _read(folder: Path, language: str) -> Catalogs:
    return {
        name: po_files.read(po_files.path_of(folder, language, name)) for name in po_files.domains(folder, language)
    }


def _unreadable(folder: Path, language: str) -> Iterator[str]:
    for domain in po_files.domains(folder, language):
        try:
            catalog = po_files.read(po_files.path_of(folder, language, domain))
            c2py(catalog.plural_expr)
            for message in po_files.messages(catalog):
                for text in (*_forms(message.id), *_forms(message.string)):
                    _placeholders(text)
        except (PoFileError, ValueError) as broken:
            yield f"{language}/{domain}: cannot be read: {broken}"


def _of_source(source: Catalogs, is_used: Callable[[str], bool]) -> Iterator[str]:
    places = Counter(po_files.key_of(message) for catalog in source.values() for message in po_files.messages(catalog))
    for domain, catalog in source.items():
        for message in po_files.messages(catalog):
            key, where = po_files.key_of(message), f"{po_files.SOURCE}/{domain}: {po_files.key_of(message)}"
            if places[key] > 1:
                yield f"{where}: the key is there twice"
            if any(_forms(message.string)):
                yield f"{where}: English is written in msgid, and its msgstr stays empty"
            if not _placeholders_fit(_forms(message.id), _forms(message.id)[-1], catalog.plural_expr):
                yield f"{where}: its plural has other placeholders"
            if message.context and not is_used(key):
                yield f"{where}: unused, no code names the key"


def _is_known_to_babel(language: str) -> bool:
    try:
        Locale.parse(language)
    except UnknownLocaleError:
        return False
    return True


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
    return {} if catalog is None else {po_files.key_of(message): message for message in po_files.messages(catalog)}


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """String literals of the code, and patterns of strings composed of a fixed part and others."""

    literals: frozenset[str]
    composed: tuple[re.Pattern[str], ...]

    def names(self, key: str) -> bool:
        """Return whether the code names the key: as it is, or composed of literals."""
        return key in self.literals or any(
            all(map(self._joined, found.groups())) for pattern in self.composed if (found := pattern.fullmatch(key))
        )

    def _joined(self, words: str) -> bool:
        """Return whether the words are a literal, or two with a hyphen between them."""
        hyphens = (place for place, each in enumerate(words) if each == "-")
        return words in self.literals or any(
            words[:place] in self.literals and words[place + 1 :] in self.literals for place in hyphens
        )


def key_usage(*folders: Path) -> KeyUsage:
    """Collect the literals of the Python modules and templates below the folders."""
    literals: set[str] = set()
    composed: set[str] = set()
    for folder in folders:
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    literals.add(node.value)
                elif isinstance(node, ast.JoinedStr):
                    parts = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
                    _add_pattern(parts, composed)
        for path in folder.rglob("*.html"):
            _read_template(path.read_text(), literals, composed)
    return KeyUsage(frozenset(literals), tuple(map(re.compile, composed)))


def _read_template(template: str, literals: set[str], composed: set[str]) -> None:
    lexed = Environment().lex(template)  # noqa: S701 # the template is only read, and nothing is rendered
    tokens = [(kind, value) for _, kind, value in lexed if kind != "whitespace"]
    for before, (kind, value), after in zip([("", ""), *tokens], tokens, [*tokens[1:], ("", "")], strict=False):
        if kind == "string":
            literals.add(value[1:-1])
            joined = [None] * (before[1] == "~"), [None] * (after[1] == "~")
            _add_pattern([*joined[0], value[1:-1], *joined[1]], composed)
        elif kind == "integer":
            literals.add(value)


def _add_pattern(parts: Sequence[str | None], composed: set[str]) -> None:
    """Add the pattern of a composed text, if its fixed part could be that of a key and says anything."""
    fixed = "".join(part for part in parts if part is not None)
    if None in parts and re.fullmatch(r"[a-z_-]+", fixed) and re.search("[a-z]{2}", fixed):
        composed.add("".join(_HOLE if part is None else re.escape(part) for part in parts))
