"""The plans that PostgreSQL makes for statements of the service: generic ones, as the service's sessions have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import count
from typing import Any, Final
from uuid import UUID

import psycopg
from psycopg import sql
from sqlalchemy import Engine, event

from service.store.fast_path import hand_of

Statements = dict[str, Any]
"""Statements with the parameters that they were executed with."""
Node = Mapping[str, Any]
MANY: Final = 2_000
"""Rows that no request sorts."""
_PARAMETER: Final = re.compile(r"%\((\w+)\)s|%s|%%")
_PLAIN: Final = re.compile(r"\s*(select|insert|update|delete|with|\()", re.IGNORECASE)
_SETTINGS: Final = "-c plan_cache_mode=force_generic_plan -c jit=off"
_TYPES: Final = {
    bool: "boolean",
    int: "integer",
    float: "double precision",
    UUID: "uuid",
    datetime: "timestamptz",
    date: "date",
    timedelta: "interval",
    bytes: "bytea",
}


@contextmanager
def heard(engine: Engine) -> Iterator[Statements]:
    """Collect the statements that are executed on the engine, those without a plan left out."""
    found: Statements = {}

    def hear(_c: object, _cursor: object, statement: str, parameters: Any, _x: object, many: bool) -> None:
        if _PLAIN.match(statement):
            found.setdefault(statement, parameters[0] if many else parameters)

    everything = hand_of(engine).engine
    event.listen(everything, "before_cursor_execute", hear)
    try:
        yield found
    finally:
        event.remove(everything, "before_cursor_execute", hear)


def plans(address: str, statements: Statements) -> dict[str, Node]:
    """Return the topmost node of each statement's generic plan; the statements are not carried out."""
    with psycopg.connect(address, autocommit=True, options=_SETTINGS) as db:
        return {statement: _plan(db, statement, parameters) for statement, parameters in statements.items()}


def _plan(db: psycopg.Connection[Any], statement: str, parameters: Any, how: str = "", known: bool = False) -> Node:
    numbered, values = _numbered(statement, parameters)
    types = f"({', '.join(map(_type, values))})" if values else ""
    given = sql.SQL(", ").join(sql.Literal(each if known else None) for each in values)
    asked = sql.SQL(f"explain ({how}format json) execute asked") + (
        sql.SQL("({})").format(given) if values else sql.SQL("")
    )
    db.execute(f"prepare asked {types} as {numbered}")
    try:
        row = db.execute(asked).fetchone()
    finally:
        db.execute("deallocate asked")
    assert row is not None
    top: Node = row[0][0]["Plan"]
    return top


def _numbered(statement: str, parameters: Any) -> tuple[str, list[Any]]:
    """Return the statement with numbered parameters, and their values in that order."""
    values: list[Any] = []
    numbers: dict[str, int] = {}
    places = count()

    def number(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        name = found[1] or f"at {next(places)}"
        if name not in numbers:
            values.append(parameters[found[1]] if found[1] else parameters[len(numbers)])
            numbers[name] = len(values)
        return f"${numbers[name]}"

    return _PARAMETER.sub(number, statement), values


def _type(value: Any) -> str:
    if isinstance(value, list | tuple) and value:
        within = _type(value[0])
        return "text[]" if within == "unknown" else f"{within}[]"
    if isinstance(value, int) and abs(value) >= 2**31:
        return "bigint"
    return _TYPES.get(type(value), "unknown")


def rows_read(address: str, statements: Statements) -> int:
    """Carry statements out by their generic plans, and return how many rows of tables they have looked at in all.

    Those that they had no use for count, too.
    """
    with psycopg.connect(address, autocommit=True, options=_SETTINGS) as db:
        made = [_plan(db, each, values, "analyze, ", known=True) for each, values in statements.items()]
    return int(
        sum(
            (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
            for top in made
            for node, _ in nodes(top)
            if "Relation Name" in node
        )
    )


def nodes(top: Node, limited: bool = False) -> Iterator[tuple[Node, bool]]:
    """Yield each node of a plan, and whether a limit stands over it."""
    yield top, limited
    for below in top.get("Plans", ()):
        yield from nodes(below, limited or top["Node Type"] == "Limit")


def faults(top: Node, large: Sequence[str]) -> list[str]:
    """Return what in a plan would take the longer the more rows there are in the large tables, in words."""
    found = []
    for node, limited in nodes(top):
        kind, table = node["Node Type"], node.get("Relation Name")
        whole = "Index" in kind and "Index Cond" not in node and not limited and "Bitmap" not in kind
        if table in large and (kind == "Seq Scan" or whole):
            found.append(f"{kind} of {table} {node.get('Index Name', '')}".strip())
        if kind == "Bitmap Index Scan" and "Index Cond" not in node:
            found.append(f"all of {node['Index Name']}")
        if kind in {"Sort", "Hash"} and node["Plan Rows"] > MANY:
            found.append(f"{kind} of {node['Plan Rows']} rows")
    return found
