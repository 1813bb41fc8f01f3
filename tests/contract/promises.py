"""Which changes of the API's document break a program that was written against it before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.contract.shapes import Direction, Shapes, resolved

Document = Mapping[str, Any]

METHODS = ("get", "post", "put", "patch", "delete")


def breaks(before: Document, after: Document) -> list[str]:
    """Return a line for each promise of the document before that the one after breaks, in the order of the first."""
    shapes = Shapes(before, after)
    found = list(_operations(before, after, shapes))
    return [*found, *_messages(before, after, shapes)]


def _operations(before: Document, after: Document, shapes: Shapes) -> Iterator[str]:
    now = {_plain(path): item for path, item in after["paths"].items()}
    for path, item in before["paths"].items():
        there = now.get(_plain(path), {})
        for method in METHODS:
            if method in item:
                where = f"{method.upper()} {path}"
                if method not in there:
                    yield f"{where}: is gone"
                else:
                    yield from _operation(shapes, _whole(item, method), _whole(there, method), where)


def _messages(before: Document, after: Document, shapes: Shapes) -> Iterator[str]:
    for kind, item in before.get("webhooks", {}).items():
        there = after.get("webhooks", {}).get(kind)
        if there is None:
            yield f"webhook {kind}: is gone"
        else:
            yield from _contents(
                shapes, item["post"]["requestBody"], there["post"]["requestBody"], "read", f"webhook {kind}"
            )


def _operation(shapes: Shapes, old: Document, new: Document, where: str) -> Iterator[str]:
    yield from (f"{where}: asks for the scope {scope}" for scope in sorted(_scopes(new) - _scopes(old)))
    yield from _parameters(shapes, old, new, where)
    yield from _body(shapes, old.get("requestBody"), new.get("requestBody"), where)
    for status, response in old["responses"].items():
        if status not in new["responses"]:
            yield f"{where}: {status} is gone"
            continue
        ours, theirs = resolved(shapes.before, response), resolved(shapes.after, new["responses"][status])
        lost = ours.get("headers", {}).keys() - theirs.get("headers", {}).keys()
        yield from (f"{where} {status}: the header {name} is gone" for name in sorted(lost))
        yield from _contents(shapes, ours, theirs, "read", f"{where} {status}")


def _parameters(shapes: Shapes, old: Document, new: Document, where: str) -> Iterator[str]:
    ours, theirs = _by_place(shapes.before, old), _by_place(shapes.after, new)
    yield from (f"{where}: {place} is gone" for place in ours if place not in theirs)
    for place, parameter in theirs.items():
        known = ours.get(place, {})
        if parameter.get("required") and not known.get("required"):
            yield f"{where}: {place} has to be there"
        if known:
            yield from shapes.breaks(known["schema"], parameter["schema"], "sent", f"{where} {place}")


def _body(shapes: Shapes, old: Document | None, new: Document | None, where: str) -> Iterator[str]:
    if new is None:
        if old is not None:
            yield f"{where}: takes no body"
        return
    if new.get("required") and not (old or {}).get("required"):
        yield f"{where}: a body has to be there"
    if old is not None:
        yield from _contents(shapes, old, new, "sent", where)


def _contents(shapes: Shapes, old: Document, new: Document, to: Direction, where: str) -> Iterator[str]:
    theirs = new.get("content", {})
    for kind, content in old.get("content", {}).items():
        if kind not in theirs:
            yield f"{where}: {kind} is gone"
        else:
            yield from shapes.breaks(content["schema"], theirs[kind]["schema"], to, where)


def _by_place(document: Document, operation: Document) -> dict[str, Any]:
    parameters = [resolved(document, each) for each in operation["parameters"]]
    # What stands in a path goes by its place: nobody sends its name.
    return {f"{each['in']} {'of the path' if each['in'] == 'path' else each['name']}": each for each in parameters}


def _whole(item: Document, method: str) -> dict[str, Any]:
    operation = item[method]
    return {**operation, "parameters": [*item.get("parameters", ()), *operation.get("parameters", ())]}


def _scopes(operation: Document) -> set[str]:
    return {scope for each in operation.get("security", ()) for scopes in each.values() for scope in scopes}


def _plain(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)
