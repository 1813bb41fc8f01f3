"""What a database has, as far as statements depend on it, and which changes of it older code cannot live with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, text

_COLUMNS = text("""
select c.relname || '.' || a.attname as name, c.relname as relation,
       format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
       pg_get_expr(d.adbin, d.adrelid) as default, a.attidentity <> '' or a.attgenerated <> '' as made
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid
       and d.adnum = a.attnum
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
   and not a.attisdropped
""")
# NOT NULL is a constraint too from PostgreSQL 18 on; it stands with the columns.
_CONSTRAINTS = text("""
select coalesce(c.relname, t.typname) || ' ' || k.conname as name, coalesce(c.relname, t.typname) as relation,
       k.contype, f.relname as parent, k.confdeltype as on_delete,
       regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', '') as definition,
       array(select attname from pg_attribute where attrelid = k.conrelid and attnum = any(k.conkey)) as columns
  from pg_constraint k left join pg_class c on c.oid = k.conrelid left join pg_type t on t.oid = k.contypid
       left join pg_class f on f.oid = k.confrelid
 where k.connamespace = 'public'::regnamespace and k.contype <> 'n'
""")
_UNIQUE = text("""
select t.relname || ' ' || i.relname as name, t.relname as relation, pg_get_indexdef(x.indexrelid) as definition,
       array(select attname from pg_attribute where attrelid = t.oid and attnum = any(x.indkey)) as columns
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
 where t.relnamespace = 'public'::regnamespace and x.indisunique and x.indisvalid
   and not exists (select from pg_constraint where conindid = x.indexrelid)
""")
_TRIGGERS = text("""
select c.relname || ' ' || g.tgname as name, c.relname as relation, pg_get_triggerdef(g.oid) as definition
  from pg_trigger g join pg_class c on c.oid = g.tgrelid
 where c.relnamespace = 'public'::regnamespace and not g.tgisinternal
""")
_FUNCTIONS = text("""
select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition from pg_proc
 where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
""")
CHECK, FOREIGN_KEY = "c", "f"
NEVER_DELETED: Final = frozenset({"game", "player", "event", "seal", "seal_day", "seal_key", "operator_event"})
"""The tables of which no released code deletes a row: what refers to them stands in nobody's way."""

Parts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Catalog:
    """Columns, constraints, unique indexes, triggers and functions by their names."""

    columns: Parts
    constraints: Parts
    unique: Parts
    triggers: Parts
    functions: Parts

    @property
    def tables(self) -> frozenset[str]:
        """The names of all tables and views."""
        return frozenset(each.relation for each in self.columns.values())


def read_catalog(db: Connection) -> Catalog:
    """Return what the schema `public` of a database has."""
    read = (_COLUMNS, _CONSTRAINTS, _UNIQUE, _TRIGGERS, _FUNCTIONS)
    return Catalog(*({row.name: row for row in db.execute(each)} for each in read))


def broken(old: Catalog, new: Catalog) -> list[str]:
    """Return what code that was written for the old catalog cannot live with in the new one, a line each."""
    found = (_columns, _constraints, _unique_indexes, _code)
    return [line for each in found for line in each(old, new)]


def _columns(old: Catalog, new: Catalog) -> Iterator[str]:
    for table in sorted(old.tables - new.tables):
        yield f"table {table} is gone"
    for name, was in old.columns.items():
        now = new.columns.get(name)
        if now is None:
            if was.relation in new.tables:
                yield f"column {name} is gone"
        elif now.type != was.type:
            yield f"column {name} was {was.type} and is {now.type}"
        elif now.required and not was.required:
            yield f"column {name} may no longer be null"
        elif now.default != was.default:
            yield f"column {name} had the default {was.default} and has {now.default}"
    for name in new.columns.keys() - old.columns.keys():
        now = new.columns[name]
        if now.relation in old.tables and now.required and now.default is None and not now.made:
            yield f"column {name} may not be null and has no default"


def _constraints(old: Catalog, new: Catalog) -> Iterator[str]:
    for name, was in old.constraints.items():
        now = new.constraints.get(name)
        if now is None:
            # Less is refused than before. Where a key is gone, ON CONFLICT and ON DELETE are not what they were.
            if was.contype != CHECK and was.relation in new.tables:
                yield f"constraint {name} is gone"
        elif now.definition != was.definition:
            yield f"constraint {name} was {was.definition} and is {now.definition}"
    for name in new.constraints.keys() - old.constraints.keys():
        now = new.constraints[name]
        if now.relation in old.tables and _binds(now, old, new):
            yield f"constraint {name} is new to a table that older code writes: {now.definition}"
        elif now.contype == FOREIGN_KEY and now.on_delete in "ar" and now.parent in old.tables - NEVER_DELETED:
            yield f"constraint {name} keeps older code from deleting rows of {now.parent}"


def _unique_indexes(old: Catalog, new: Catalog) -> Iterator[str]:
    for name, was in old.unique.items():
        now = new.unique.get(name)
        if was.relation in new.tables and (now is None or now.definition != was.definition):
            yield f"unique index {name} is gone or another one, which ON CONFLICT may name"
    for name in new.unique.keys() - old.unique.keys():
        now = new.unique[name]
        if now.relation in old.tables and _binds(now, old, new):
            yield f"unique index {name} is new to a table that older code writes: {now.definition}"


def _binds(part: Any, old: Catalog, new: Catalog) -> bool:
    """Return whether a row of older code could be refused, which leaves the new columns at their defaults."""
    names = {f"{part.relation}.{column}" for column in part.columns}
    added = [new.columns[name] for name in names - old.columns.keys() if name in new.columns]
    if getattr(part, "contype", None) == CHECK:
        # The rows that were there have passed it with the defaults.
        return len(added) < len(names)
    return not any(each.default is None and not each.required for each in added)


def _code(old: Catalog, new: Catalog) -> Iterator[str]:
    for name, was in old.functions.items():
        now = new.functions.get(name)
        if now is None or now.definition != was.definition:
            yield f"function {name} is gone or does something else"
    for name, was in old.triggers.items():
        now = new.triggers.get(name)
        if was.relation in new.tables and (now is None or now.definition != was.definition):
            yield f"trigger {name} is gone or does something else"
    for name in new.triggers.keys() - old.triggers.keys():
        now = new.triggers[name]
        # One that only looks at what is deleted is never reached by older code where that deletes nothing.
        unreached = now.relation in NEVER_DELETED and " AFTER DELETE ON " in now.definition
        if now.relation in old.tables and not unreached:
            yield f"trigger {name} is new to a table that older code writes"
