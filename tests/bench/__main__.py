"""`make bench`: every figure of the house, one JSON object a line."""

from __future__ import annotations

from tests.bench import http, pictures, rules, store, streams

if __name__ == "__main__":
    rules.main()
    pictures.main()
    store.main()
    http.main()
    streams.main()
