"""The kinds of values that settings have: how each is read from a text, and written so that it is read again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from service.shared.rulesets import packages
from service.webhooks.secrets import Vault

SHORTEST_SECRET: Final = 16
TRUSTS: Final = ("verify", "any", "off")
"""The words for how far the certificate of a mail server is trusted."""
_YES: Final = frozenset({"true", "t", "yes", "y", "on", "1"})
_NO: Final = frozenset({"false", "f", "no", "n", "off", "0", ""})


class BadSetting(ValueError):
    """A setting that cannot be used; the message is one line that names it and never shows a password."""


@dataclass(frozen=True, slots=True)
class ValueKind:
    """How values are read and written.

    `read` takes the name of the setting and its text, which is '' if nothing is set; it raises BadSetting. `write`
    returns a text that `read` makes the same value of.
    """

    read: Callable[[str, str], Any]
    write: Callable[[Any], str] = lambda value: str(value or "")


def number(least: int, most: int, of: str = "") -> ValueKind:
    """Return the kind of whole numbers within bounds; `of` is the unit that a refusal names, such as ` of seconds`."""

    def read(name: str, text: str) -> int:
        if not (re.fullmatch(r"\d{1,6}", text, re.ASCII) and least <= int(text) <= most):
            raise BadSetting(f"{name} is {text!r}, it has to be a number{of} from {least} to {most}.")
        return int(text)

    return ValueKind(read, str)


def url(*schemes: str) -> ValueKind:
    """Return the kind of URLs that begin with one of the schemes; None if there is none."""

    def read(name: str, text: str) -> str | None:
        if text and not _reads(lambda: (split := urlsplit(text)).scheme in schemes and (split.port, True)[1]):
            raise BadSetting(f"{name} is no address that begins with {' or '.join(f'{each}://' for each in schemes)}.")
        return text or None

    return ValueKind(read)


def _traces(name: str, text: str) -> str | None:
    endpoint: str | None = url("http", "https").read(name, text)
    if endpoint is not None and not _is_installed("opentelemetry.exporter.otlp.proto.http"):
        raise BadSetting(f"{name} is set, but what traces need is not installed: pip install 'boardroom[traces]'.")
    return endpoint


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def key(take: Callable[[str], object]) -> ValueKind:
    """Return the kind of single keys, which `take` raises ValueError for if they are none; None if there is none."""

    def read(name: str, text: str) -> str | None:
        if text and not _reads(lambda: bool(take(text))):
            raise BadSetting(f"{name} has to be a key of 32 bytes in URL-safe base64.")
        return text or None

    return ValueKind(read)


def _keys(name: str, text: str) -> tuple[str, ...]:
    keys = tuple(text.replace(",", " ").split())
    if keys and not _reads(lambda: bool(Vault(keys))):
        raise BadSetting(f"{name} has to be one or more keys of 32 bytes in URL-safe base64, with commas between.")
    return keys


def _archive(name: str, text: str) -> str | None:
    if not text.startswith("s3://"):
        return str(Path(text).absolute()) if text else None
    if not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w./-]*)?", text, re.ASCII):
        raise BadSetting(f"{name} has to be a folder, or a bucket and a prefix such as s3://bucket/prefix.")
    if not _is_installed("boto3"):
        raise BadSetting(f"{name} is a bucket, but what it needs is not installed: pip install 'boardroom[s3]'.")
    return text


def _encryption(name: str, text: str) -> str | None:
    if text and not re.fullmatch(r"AES256|aws:kms(:[\w:/-]{1,2048})?", text, re.ASCII):
        raise BadSetting(f"{name} is {text!r}, it has to be AES256, aws:kms, or aws:kms: and the id of a key.")
    return text or None


def _folder(name: str, text: str) -> Path | None:
    return Path(text).absolute() if text else None


def _switch(name: str, text: str) -> bool:
    if text.lower() not in _YES | _NO:
        raise BadSetting(f"{name} is {text!r}, it has to be true or false.")
    return text.lower() in _YES


def _factor(name: str, text: str) -> float:
    if text == "off":
        return 0.0
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text, re.ASCII) or not float(text):
        raise BadSetting(f"{name} is {text!r}, it has to be off, or what to multiply the limits by, such as 10 or 0.5.")
    return float(text)


def _domain(name: str, text: str) -> str:
    text = text.lower()
    if text and not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", text, re.ASCII):
        raise BadSetting(f"{name} is {text!r}, it has to be the name of a domain, such as in.example.org.")
    return text


def _secret(name: str, text: str) -> str | None:
    if text and not (len(text) >= SHORTEST_SECRET and text.isascii()):
        raise BadSetting(f"{name} is too easily guessed: it has to have {SHORTEST_SECRET} or more letters of ASCII.")
    return text or None


def _mail_address(name: str, text: str) -> str | None:
    if text and not re.fullmatch(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,255}", text, re.ASCII | re.IGNORECASE):
        raise BadSetting(f"{name} is {text!r}, it has to be a mail address, such as zoe@example.org.")
    return text or None


def _rate(name: str, text: str) -> tuple[int, int] | None:
    if text == "off":
        return None
    if not re.fullmatch(r"[1-9]\d{0,5}/[1-9]\d{0,5}", text, re.ASCII):
        raise BadSetting(
            f"{name} is {text!r}, it has to be off, or mails a minute to one domain and in all, such as 600/3000."
        )
    to_a_domain, in_all = text.split("/")
    return int(to_a_domain), int(in_all)


def _trust(name: str, text: str) -> str:
    if text not in TRUSTS and not (text.startswith("/") and Path(text).is_file()):
        raise BadSetting(f"{name} is {text!r}, it has to be verify, any, off, or the path of a file of certificates.")
    return text


def _reads(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except ValueError:
        return False


TEXT: Final = ValueKind(lambda _, text: text)
OPTIONAL: Final = ValueKind(lambda _, text: text or None)
ARCHIVE: Final = ValueKind(_archive)
ENCRYPTION: Final = ValueKind(_encryption)
FOLDER: Final = ValueKind(_folder)
TRACES: Final = ValueKind(_traces)
SWITCH: Final = ValueKind(_switch, lambda value: "true" if value else "")
FACTOR: Final = ValueKind(_factor, lambda value: str(value) if value else "off")
DOMAIN: Final = ValueKind(_domain)
KEYS: Final = ValueKind(_keys, ",".join)
SECRET: Final = ValueKind(_secret)
MAIL_ADDRESS: Final = ValueKind(_mail_address)
TRUST: Final = ValueKind(_trust)
RATE: Final = ValueKind(_rate, lambda value: "/".join(map(str, value)) if value else "off")
PACKAGES: Final = ValueKind(lambda _, text: packages(text), ",".join)
