"""What a doctor's examination gives, and what it is given: a zone in order, and a part on another machine."""

from __future__ import annotations

from collections.abc import Callable

from tests.name_server import Zone

BEAT_ELSEWHERE = """
insert into heartbeat (process, part, host, pid, parent, started_at, beat_at, patience)
values (gen_random_uuid(), 'web', :host, :pid, 1, now(), now(), 15)
"""
GOOD: Zone = {
    ("example.org", "TXT"): ['"other=1"', '"v=spf1 ip4:192.0.2.1 " "-all"'],
    ("mail._domainkey.example.org", "TXT"): ['"v=DKIM1; k=rsa; p=MIGfMA0"'],
    ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=quarantine; rua=mailto:d@example.org"'],
    ("example.org", "MX"): ["10 mx.example.org."],
}
Examine = Callable[..., dict[str, tuple[str, str]]]
"""Returns what `boardroom doctor` finds: by name its level and what it says."""
