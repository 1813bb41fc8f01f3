"""Checks the DNS records of a sender's domain by which other mail servers judge its mails (SPF, DKIM, DMARC, MX)."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, Resolver
from dns.resolver import NoAnswer as Nothing

DNS_TIMEOUT_S: Final = 5.0
SMTP_PORT: Final = 25
UNKNOWN_LOCAL_PART: Final = f"z+{'a' * 26}"
"""A local part that has the form of those of replies, and was given to nobody."""
Found = tuple[Literal["ok", "warn", "fail"], str, str, str]
"""The result, the name of the check, what was found, and what to do."""


class NoAnswer(Exception):
    """No name server has answered; the text is the name that was asked about."""


@dataclass(frozen=True, slots=True)
class Names:
    """The domains that mails come from, bounce to and are answered at, and the selectors of DKIM keys.

    `taken_in` if a mail server of one's own takes the replies.
    """

    sender: str
    bounces: str
    replies: str
    selectors: tuple[str, ...]
    taken_in: bool
    address: str = ""
    """The address that mails come from, to which some programs answer instead of to Reply-To."""


def resolver(server: str | None) -> Resolver:
    """Return a resolver for the machine's name servers, or for the server at an address with or without a port."""
    if server is None:
        found = Resolver()
    else:
        host, _, port = server.rpartition(":") if re.search(r"[\]\d]:\d+$", server) else (server, "", "53")
        found = Resolver(configure=False)
        found.nameservers, found.port = [host.strip("[]")], int(port)
    found.lifetime = DNS_TIMEOUT_S
    return found


def look_at_domain(asking: Resolver, names: Names) -> Iterator[Found]:
    """Yield a result for each record; NoAnswer."""
    yield _spf(asking, names.bounces)
    yield from _dkim(asking, names)
    yield _dmarc(asking, names.sender)
    yield _mx(asking, names.bounces, "bounces", "BOUNCE_DOMAIN")
    yield _mx(asking, names.replies, "replies", "REPLY_DOMAIN")
    if names.taken_in:
        yield from _door(asking, names.replies, names.address)


def _spf(asking: Resolver, domain: str) -> Found:
    found = [each for each in _texts(asking, domain) if each.lower().split(" ")[0] == "v=spf1"]
    if not found:
        return "warn", "SPF", f"{domain} has no record", 'Publish TXT "v=spf1 ... -all" with the servers that send.'
    if len(found) > 1:
        return "fail", "SPF", f"{domain} has {len(found)} records, so none counts", "Leave one."
    if re.search(r"(^| )\+?all\b", found[0]):
        return "fail", "SPF", f"{domain} allows everybody", "End the record with -all or ~all."
    return "ok", "SPF", f"{domain} says who may send for it", ""


def _dkim(asking: Resolver, names: Names) -> Iterator[Found]:
    if not names.selectors:
        yield "warn", "DKIM", "not looked at", "Name the selector that your mail server signs with: --selector NAME."
    for selector in names.selectors:
        name = f"{selector}._domainkey.{names.sender}"
        keys = [each for each in _texts(asking, name) if re.search(r"(^|;)\s*p=\s*[A-Za-z0-9+/]", each)]
        if keys:
            yield "ok", "DKIM", f"{name} has a key", ""
        else:
            todo = "Publish the key that your mail server signs with, under this name."
            yield "fail", "DKIM", f"{name} has no key", todo


def _dmarc(asking: Resolver, domain: str) -> Found:
    parts = domain.split(".")
    for place in dict.fromkeys((domain, ".".join(parts[-2:]))):
        found = [each for each in _texts(asking, f"_dmarc.{place}") if each.replace(" ", "").startswith("v=DMARC1")]
        if found:
            policy = re.search(r";\s*p=(\w+)", found[0])
            return "ok", "DMARC", f"{place} asks for {policy[1] if policy else 'nothing'}", ""
    return "warn", "DMARC", f"{domain} has no policy", f'Publish TXT "v=DMARC1; p=none; rua=..." at _dmarc.{domain}.'


def _mx(asking: Resolver, domain: str, name: str, setting: str) -> Found:
    hosts = _hosts(asking, domain)
    if hosts:
        return "ok", f"MX of {name}", f"{domain} takes mails at {', '.join(hosts)}", ""
    todo = f"Publish an MX record for {domain}, or name another domain in {setting}."
    return "warn", f"MX of {name}", f"{domain} takes no mails", todo


def _hosts(asking: Resolver, domain: str) -> list[str]:
    """Return the servers that take mails for a domain, the preferred one first."""
    found = sorted(_asked(asking, domain, "MX"), key=lambda each: int(each.preference))
    # A single dot says that there is none (RFC 7505).
    return [host for each in found if (host := str(each.exchange).rstrip("."))]


def _door(asking: Resolver, domain: str, sender: str) -> Iterator[Found]:
    """Ask the server that takes the replies for one to nobody, and for one to the sender, without sending them."""
    for host in _hosts(asking, domain)[:1]:
        found = [str(each) for kind in ("A", "AAAA") for each in _asked(asking, host, kind)]
        try:
            with smtplib.SMTP(found[0] if found else host, SMTP_PORT, domain, timeout=DNS_TIMEOUT_S) as server:
                server.ehlo()
                server.mail("")
                yield _of_refusal(host, server.rcpt(f"{UNKNOWN_LOCAL_PART}@{domain}")[0])
                if sender:
                    yield _of_sender(host, sender, *server.rcpt(sender))
        except (smtplib.SMTPException, OSError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            todo = "Open port 25 there. Many networks close it on the way out: then look from another one."
            yield "warn", "inbound", f"{host} cannot be reached from here: {reason}", todo


def _of_refusal(host: str, code: int) -> Found:
    if 500 <= code < 600:
        return "ok", "inbound", f"{host} refuses replies to addresses that nobody has", ""
    if 400 <= code < 500:
        todo = "Look whether the inbox runs, and whether the mail server reaches it."
        return "warn", "inbound", f"{host} takes no replies at the moment: it says {code}", todo
    todo = "Have it ask the inbox about each recipient (reject_unverified_recipient in Postfix)."
    return "warn", "inbound", f"{host} takes replies to addresses that nobody has, and bounces them to anybody", todo


def _of_sender(host: str, sender: str, code: int, said: bytes) -> Found:
    """Judge what a program is told that answers the sender: it needs to say more than that mails are not relayed."""
    if b"reply" in said.lower():
        return "ok", "answers to the sender", f"{host} refuses answers to {sender}, and says where they go", ""
    name = "answers to the sender"
    if 200 <= code < 300:
        return "ok", name, f"{host} takes answers to {sender}: see that somebody reads them", ""
    todo = "Have it say that answers go to Reply-To, as smtpd_relay_restrictions in deploy/mail/main.cf does."
    return "warn", name, f"{host} refuses answers to {sender} and does not say where they go", todo


def _texts(asking: Resolver, name: str) -> list[str]:
    # A long record is in pieces of at most 255 octets, which belong together without anything between.
    return [b"".join(each.strings).decode("utf-8", "replace") for each in _asked(asking, name, "TXT")]


def _asked(asking: Resolver, name: str, kind: str) -> list[Any]:
    try:
        return list(asking.resolve(name, kind, raise_on_no_answer=True))
    except (NXDOMAIN, Nothing):
        return []
    except DNSException as error:
        raise NoAnswer(name) from error
