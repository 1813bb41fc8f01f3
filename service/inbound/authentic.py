"""Whether a mail comes from whom it says it does, by what our own mail server has written on it."""

from __future__ import annotations

from typing import Final, Literal

from service.inbound.authentication_results import MethodResult, related, results
from service.inbound.headers import IncomingMail
from service.inbound.structured import domains

Belief = Literal["believed", "not-believed", "unchecked"]
"""Whether a mail is its player's; `unchecked` if our server has not said what DMARC has come to."""

NO_POLICY: Final = ("none", "bestguesspass")
"""The verdicts on DMARC of a domain that has published no policy."""
_GOOGLE: Final = frozenset({"gmail.com", "googlemail.com"})
_IDENTIFIERS: Final = {"spf": "smtp.mailfrom", "dkim": "header.d"}


def belief(mail: IncomingMail, registered: str, server: str | None, *, own: bool, strict: bool = False) -> Belief:
    """Return whether the player with the registered address has sent the mail.

    It may come from another spelling of the mailbox, for which nothing but DMARC that has passed will do. Whether that
    is the address of somebody else's account, the caller has to ask.

    `server` is the authserv-id of our mail server: DMARC has to pass there; where a domain has no policy, SPF or DKIM
    has to pass for the domain of From. Without `server` a mail is believed only if it is our `own`: it never left this
    machine. If `strict`, nothing but DMARC that has passed for the domain of From will do.
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
    # Two verdicts that differ are none: one of them may be what a stranger has got into an address.
    alike = {(each.verdict, each.domain("header.from")) for each in verdicts}
    if len(alike) > 1 or not _is_about(mail, verdicts[0], domain, strict):
        return "not-believed"
    passed = verdicts[0].verdict == "pass"
    aligned = not strict and verdicts[0].verdict in NO_POLICY and any(_aligned(each, domain) for each in found)
    return "believed" if passed or aligned else "not-believed"


def same_mailbox(sender: str, registered: str) -> bool:
    """Return whether mails from an address come from the mailbox that has the registered one.

    Mails to `zoe+games@x` arrive in the mailbox of `zoe@x` (RFC 5233), whose programs write from `zoe@x`. The other way
    round proves nothing: at a provider without such addresses somebody else may have `zoe+games@x`. At Google dots,
    what follows a +, and the elder of its domains make no difference.
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
    """Return whether the verdict is on the domain that we read in From."""
    stated = [value for name, value in verdict.properties if name == "header.from"]
    if stated:
        return verdict.domain("header.from") == domain
    # A server that does not say which domain it looked at may have read another one in a From that names two.
    return not strict and domains(mail.header("from")) <= {domain}


def _aligned(result: MethodResult, domain: str) -> bool:
    """Return whether SPF or DKIM has passed for the domain of From, or one that is related to it.

    RFC 7489, 3.1.1, compares organizational domains, for which the list of public suffixes is needed. Its copy would
    have to be kept up to date, for domains without a policy alone: a domain and those within it are told without.
    """
    name = _IDENTIFIERS.get(result.method)
    passed = None if name is None or result.verdict != "pass" else result.domain(name)
    if passed is None and result.method == "dkim" and result.verdict == "pass":
        passed = result.domain("header.i")
    return passed is not None and related(passed, domain)
