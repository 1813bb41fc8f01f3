"""Records as only somebody can write them who has the key: what is wrong with them is chained and sealed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from service.log.chain import NO_HEAD, chain_key, check, link, salt
from service.record.canonical import canonical
from service.record.record import seal_line
from tests.record.records import SEALED_AT, SIGNER, sealed

Lines = list[dict[str, Any]]
Change = Callable[[Lines], object]


def rewritten(change: Change, data: bytes | None = None) -> bytes:
    """Return a record, that of `sealed()` unless another is given, with a change, chained and sealed anew."""
    lines: Lines = [json.loads(line) for line in (data or sealed()).splitlines()]
    seed = next(line["seed"] for line in lines if line["kind"] == "reveal")
    if lines[-1]["kind"] != "seal":
        lines.append({})
    change(lines)
    header, *rest = lines[:-1]
    key, head = chain_key(bytes.fromhex(seed), header["game"]), NO_HEAD
    gathered = [line for line in rest if line["kind"] == "lobby"]
    for line in gathered:
        head = _chained(line, head, b"")
    if gathered and header.get("lobby"):
        header["lobby"] = head.hex()
        for line in rest:
            for event in line.get("events", [])[:1]:
                if "lobby" in event.get("data", {}):
                    event["data"]["lobby"] = head.hex()
    head = _chained(header, NO_HEAD, salt(key, 0))
    for line in rest:
        if line["kind"] != "lobby":
            head = _chained(line, head, _salt(key, line))
    lines[-1] = seal_line(head, SEALED_AT, SIGNER.public, SIGNER.sign(head, SEALED_AT))
    return b"".join(canonical(line) + b"\n" for line in lines)


def _chained(line: dict[str, Any], head: bytes, salting: bytes) -> bytes:
    line.pop("check")
    after = link(head, salting, canonical(line))
    line["check"] = check(after)
    return after


def _salt(key: bytes, line: dict[str, Any]) -> bytes:
    return salt(key, line["seq"] + len(line["events"]) - 1) if line["kind"] == "step" else b""


def of_kind(lines: Lines, kind: str) -> dict[str, Any]:
    """Return the first line of a kind."""
    return next(line for line in lines if line["kind"] == kind)
