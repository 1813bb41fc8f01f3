"""The address of the database: a URL of libpq, with one host or several (PostgreSQL, 32.1.1.2 Connection URIs)."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from sqlalchemy.engine import URL

from service.settings.kinds import BadSetting, ValueKind
from service.store.pooling import Pooler

DRIVER: Final = "postgresql+psycopg"
SCHEMES: Final = ("postgresql", "postgres", DRIVER)
SESSIONS: Final = ("any", "read-write", "read-only", "primary", "standby", "prefer-standby")
"""What `target_session_attrs` may ask of the server that is taken among several."""


def _read(name: str, text: str) -> str:
    """Return the address as SQLAlchemy takes it, '' for none; BadSetting says what is wrong, and quotes no password."""
    if not text:
        return ""
    scheme, found, rest = text.partition("://")
    if not found or scheme not in SCHEMES:
        raise BadSetting(f"{name} is no address that begins with {' or '.join(f'{each}://' for each in SCHEMES)}.")
    _check_parameters(name, rest)
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(f"postgresql://{rest}").items()}
    except psycopg.Error:
        # Its message may quote all of the address.
        raise BadSetting(
            f"{name} cannot be read: it has to be like postgresql://user:password@host:5432/database, "
            "with commas between several host:port, and with %40 and %2F for @ and / in a password."
        ) from None
    _check_hosts(name, parts)
    if "," not in parts.get("host", ""):
        return f"{DRIVER}://{rest}"
    user, password, database = (parts.pop(each, None) for each in ("user", "password", "dbname"))
    return URL.create(DRIVER, user, password, database=database, query=parts).render_as_string(hide_password=False)


def _check_parameters(name: str, rest: str) -> None:
    known = {each.keyword.decode() for each in Conninfo.get_defaults()} | {"ssl"}
    query = rest.partition("?")[2]
    for parameter, _ in parse_qsl(query, keep_blank_values=True):
        if parameter not in known:
            raise BadSetting(f"{name} has the parameter {parameter!r}, which libpq does not know.")


def _check_hosts(name: str, parts: dict[str, str]) -> None:
    hosts, ports = parts.get("host", "").split(","), parts.get("port", "").split(",")
    if not all(re.fullmatch(r"(\d{1,5})?", port, re.ASCII) and int(port or 1) in range(1, 65536) for port in ports):
        raise BadSetting(
            f"{name} has a port that is no number from 1 to 65535; "
            "in a password the characters : / @ are written as %3A %2F %40."
        )
    if len(ports) not in {1, len(hosts)}:
        raise BadSetting(f"{name} has {len(hosts)} hosts and {len(ports)} ports: it takes one port, or one for each.")
    wanted = parts.get("target_session_attrs", "any")
    if wanted not in SESSIONS:
        raise BadSetting(f"target_session_attrs in {name} is {wanted!r}, it has to be one of {', '.join(SESSIONS)}.")


def _read_pooler(name: str, text: str) -> Pooler:
    try:
        return Pooler(text)
    except ValueError:
        raise BadSetting(f"{name} is {text!r}, it has to be one of {', '.join(Pooler)}.") from None


DATABASE: Final = ValueKind(_read)
POOLER: Final = ValueKind(_read_pooler)
