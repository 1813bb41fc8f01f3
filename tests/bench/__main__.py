"""`make bench`: every figure of the house, one JSON object a line."""

from __future__ import annotations

from tests.bench import http, mails, pictures, rules, store, streams

if __name__ == "__main__":
    rules.main()
    pictures.main()
    mails.main()
    store.main()
    http.main()
    streams.main()
