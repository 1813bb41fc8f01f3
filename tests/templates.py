"""The templates of pages, compiled once for all apps that the tests of a process make."""

from __future__ import annotations

from typing import Final

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

_compiled: Final[dict[str, bytes]] = {}


class _Compiled(BytecodeCache):
    """Keeps what was compiled in memory, by the template and its text."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket if the template was compiled before."""
        if (known := _compiled.get(bucket.key + bucket.checksum)) is not None:
            bucket.bytecode_from_string(known)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        _compiled[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


def compile_once() -> None:
    """Have all apps of this process share what was compiled."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _Compiled()}
