"""Authentication of a mail: Authentication-Results (RFC 8601) of our own mail server, and the verdict from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Literal, TypeVar

from service.inbound.headers import IncomingMail, domains, plain

_NAME: Final = re.compile(r"\s*(\S+)(?:\s+(\d+))?\s*")
_RESULT: Final = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(?:/\s*(\d+)\s*)?=\s*([a-z]+)(?=\s|$)(.*)", re.DOTALL)
_PROPERTY: Final = re.compile(r"(?<!\S)([a-z][a-z0-9-]*)\s*\.\s*([a-z][a-z0-9-]*)\s*=\s*(\S+)")
_RECEIVED_BY: Final = re.compile(r"(?:^|\s)by\s+([a-z0-9.-]+)")
_RECEIVED_AS: Final = re.compile(r"\sid\s+([^\s;]+)")
NO_POLICY: Final = ("none", "bestguesspass")
"""DMARC verdicts on a domain that has published no policy."""
_GOOGLE: Final = frozenset({"gmail.com", "googlemail.com"})
_IDENTIFIERS: Final = {"spf": "smtp.mailfrom", "dkim": "header.d"}


@dataclass(frozen=True, slots=True)
class MethodResult:
    """Result of a method, such as `dmarc`, with its properties by names such as `header.from`; lower case."""

    method: str
    verdict: str
    properties: tuple[tuple[str, str], ...]

    def domain(self, name: str) -> str | None:
        """Return the domain in a property, alone or in an address; None unless the property is given exactly once."""
        values = [value for each, value in self.properties if each == name]
        return values[0].rpartition("@")[2].rstrip(".") if len(values) == 1 else None


@dataclass(frozen=True, slots=True)
class _Received:
    """Received header of our server; `job` is the queue id under which it received the mail, empty if not named."""

    job: str


@dataclass(frozen=True, slots=True)
class _Stated:
    """Authentication-Results header under our server's name; `job` is the queue id in it, empty if none."""

    job: str
    results: list[MethodResult]


_Field = TypeVar("_Field", _Received, _Stated)


def results(mail: IncomingMail, server: str) -> list[MethodResult]:
    """Return the results that our server, by its authserv-id, has written on a mail.

    Each server writes above the headers it received (RFC 8601, 4.1), so all fields above our own Received header are
    ours. But many filters write just beneath it, where the next field may have come with the mail (section 5). There
    the topmost field counts, and others that name the queue id of the mail: `authserv-id/job`, which nobody can know
    before. Fields beneath a foreign field are never read.
    """
    fields = list(_own_fields(mail, server.lower()))
    above = _leading(_Stated, fields)
    received = _leading(_Received, fields[len(above) :])
    if above and received:
        return [each for field in above for each in field.results]
    if above:
        # Without a Received header it is unknown which of the other fields came with the mail.
        return above[0].results
    return _beneath(received[-1].job, _leading(_Stated, fields[len(received) :])) if received else []


def _leading(kind: type[_Field], fields: Sequence[_Received | _Stated]) -> list[_Field]:
    """Return the leading fields of a kind."""
    found: list[_Field] = []
    for field in fields:
        if not isinstance(field, kind):
            break
        found.append(field)
    return found


def _own_fields(mail: IncomingMail, server: str) -> Iterator[_Received | _Stated]:
    """Yield the fields that our server may have written, from the top down to the first foreign field."""
    readers = {"received": _received, "authentication-results": _stated}
    for header, value in mail.headers:
        if header in readers:
            field = readers[header](value, server)
            if field is None:
                return
            yield field


def _beneath(job: str, fields: list[_Stated]) -> list[MethodResult]:
    """Return the valid results of the fields just beneath the Received header with the queue id."""
    possible = list(takewhile(lambda field: field.job in ("", job), fields))
    sure = [field for number, field in enumerate(possible) if number == 0 or (job and field.job == job)]
    return [each for field in sure for each in field.results]


def _stated(field: str, server: str) -> _Stated | None:
    """Parse an Authentication-Results header.

    None if it is not our server's, or its parts cannot be delimited.
    """
    name, *parts = (plain(field) or "").lower().split(";")
    found = _NAME.fullmatch(name)
    if found is None or found[1].partition("/")[0] != server or found[2] not in (None, "1"):
        return None
    return _Stated(found[1].partition("/")[2], [each for part in parts if (each := _result(part))])


def _result(part: str) -> MethodResult | None:
    found = _RESULT.fullmatch(part)
    if found is None or found[2] not in (None, "1"):
        return None
    properties = tuple((f"{kind}.{name}", value) for kind, name, value in _PROPERTY.findall(found[4]))
    return MethodResult(found[1], found[3], properties)


def _received(received: str, server: str) -> _Received | None:
    """Parse a Received header of our server.

    None for another server's; ours receives under its authserv-id, or a related name.
    """
    text = (plain(received) or "").lower()
    by, job = _RECEIVED_BY.search(text), _RECEIVED_AS.search(text)
    if by is None or not related(by[1].rstrip("."), server):
        return None
    return _Received(job[1] if job else "")


def related(one: str, other: str) -> bool:
    """Return whether two domains are equal, or one is within the other; within a top-level domain is no relation."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or ("." in shorter and longer.endswith(f".{shorter}"))


Belief = Literal["believed", "not-believed", "unchecked"]
"""Verdict on the sender of a mail; `unchecked` if our server has written no DMARC result."""


def belief(mail: IncomingMail, registered: str, server: str | None, *, own: bool, strict: bool = False) -> Belief:
    """Return whether the player with the registered address has sent the mail.

    The mail may come from another spelling of the mailbox; then only a DMARC pass counts. The caller has to check that
    this spelling is not the address of another account.

    `server` is the authserv-id of our mail server. DMARC has to pass there; if a domain has no policy, SPF or DKIM has
    to pass for the domain of From. Without `server` a mail is believed only if it is our `own`: it never left this
    machine. If `strict`, only a DMARC pass for the domain of From counts.
    """
    if mail.sender is None or not same_mailbox(mail.sender, registered):
        return "not-believed"
    strict = strict or mail.sender != registered.lower()
    if server is None:
        return "believed" if own and not strict else "not-believed"
    found = results(mail, server)
    verdicts = [each for each in found if each.method == "dmarc"]
    if not verdicts:
        return "unchecked"
    domain = mail.sender.rpartition("@")[2]
    # Verdicts that differ count as none: a stranger may have smuggled one of them in by an address.
    alike = {(each.verdict, each.domain("header.from")) for each in verdicts}
    if len(alike) > 1 or not _is_about(mail, verdicts[0], domain, strict):
        return "not-believed"
    passed = verdicts[0].verdict == "pass"
    aligned = not strict and verdicts[0].verdict in NO_POLICY and any(_aligned(each, domain) for each in found)
    return "believed" if passed or aligned else "not-believed"


def same_mailbox(sender: str, registered: str) -> bool:
    """Return whether mails from an address come from the mailbox of the registered address.

    Mails to `zoe+games@x` arrive in the mailbox of `zoe@x` (RFC 5233), whose programs write from `zoe@x`. The reverse
    proves nothing: at a provider without subaddresses, `zoe+games@x` may be another person. At Google, dots, anything
    after a +, and the older of its domains make no difference.
    """
    one, other = sender.lower(), registered.lower()
    if one == other:
        return True
    (one_local, _, one_domain), (other_local, _, other_domain) = one.rpartition("@"), other.rpartition("@")
    if {one_domain, other_domain} <= _GOOGLE:
        return _at_google(one_local) == _at_google(other_local)
    base, tagged, _ = other_local.partition("+")
    return bool(tagged) and (one_local, one_domain) == (base, other_domain)


def _at_google(local: str) -> str:
    return local.partition("+")[0].replace(".", "")


def _is_about(mail: IncomingMail, verdict: MethodResult, domain: str, strict: bool) -> bool:
    """Return whether the verdict is about the domain that we read in From."""
    stated = [value for name, value in verdict.properties if name == "header.from"]
    if stated:
        return verdict.domain("header.from") == domain
    # A server that does not name the domain may have read the other domain of a From with two.
    return not strict and domains(mail.header("from")) <= {domain}


def _aligned(result: MethodResult, domain: str) -> bool:
    """Return whether SPF or DKIM has passed for the domain of From, or for a related domain.

    RFC 7489, 3.1.1, compares organizational domains and needs the public suffix list. A copy of the list would need
    updates, only for domains without a policy; comparing a domain and its subdomains needs no list.
    """
    name = _IDENTIFIERS.get(result.method)
    passed = None if name is None or result.verdict != "pass" else result.domain(name)
    if passed is None and result.method == "dkim" and result.verdict == "pass":
        passed = result.domain("header.i")
    return passed is not None and related(passed, domain)
