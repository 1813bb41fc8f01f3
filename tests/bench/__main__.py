"""`make bench`: every figure of the house, one JSON object a line."""

from __future__ import annotations

from tests.bench import (
    action,
    audit,
    clocks,
    computers,
    hanging,
    http,
    idle,
    mails,
    orders,
    pages,
    pictures,
    post,
    replay,
    rules,
    scrape,
    store,
    streams,
    tables,
)

if __name__ == "__main__":
    rules.main()
    computers.main()
    pictures.main()
    tables.main()
    audit.main()
    mails.main()
    store.main()
    clocks.main()
    scrape.main()
    http.main()
    action.main()
    pages.main()
    post.main()
    orders.main()
    hanging.main()
    replay.main()
    streams.main()
    idle.main()
