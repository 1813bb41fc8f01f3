"""The settings of the mails that go out and come in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from service.settings import kinds
from service.settings.kinds import number, url
from service.settings.server import ServerSettings
from service.settings.setting import KEY_MADE, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings(ServerSettings):
    """How mails leave and arrive.

    Without `smtp_url` no mail is sent, without `mailbox` (a folder of .eml files) there is no /mailbox page.
    `mail_rate` is None for no limit; `bounce_domain` and `reply_domain` are '' for the sender's domain.
    """

    smtp_url: str | None = setting(
        "SMTP_URL",
        url("smtp", "smtps"),
        "The mail server that takes the mails: `smtp://host:25` or `smtps://host:465`, with `user:password@` if need "
        "be. TLS is used where the server offers it, as `SMTP_TLS` says.",
        without="`make up`: a mail sink, shown at `/mailbox` on this machine alone; elsewhere no mails are sent",
        secret=True,
    )
    smtp_tls: str = setting(
        "SMTP_TLS",
        kinds.TRUST,
        "What the certificate of the mail server has to be. `verify`: good, unless the server is on this machine "
        "(`localhost`, `127.0.0.1`, `::1`). A path: signed by one of the certificates in this file, such as the "
        "server's own. `any`: whatever it is, so that mails and password go to anybody who answers. `off`: STARTTLS is "
        "not used, so that everybody on the way can read them.",
        default="verify",
    )
    mail_from: str = setting("MAIL_FROM", kinds.TEXT, "The sender of mails.", default="Boardroom <boardroom@localhost>")
    mail_keys: tuple[str, ...] = setting(
        "MAIL_KEY",
        kinds.KEYS,
        "Signs links and addresses in mails, and seals mails that come in: 32 bytes in URL-safe base64. To change it, "
        "put the new key in front, with a comma.",
        without=KEY_MADE + "mails have no link to end them, and neither replies nor bounces are taken in",
        secret=True,
    )
    mail_delay: int = setting(
        "MAIL_DELAY",
        number(0, 60, " of minutes"),
        "For how long a turn mail waits in case its player plays meanwhile; players may choose for themselves.",
        default="3",
        up="0",
        unit="minutes",
    )
    mail_rate: tuple[int, int] | None = setting(
        "MAIL_RATE",
        kinds.RATE,
        "How many mails leave a minute, to one domain and in all, or `off`; the others wait.",
        default="600/3000",
        unit="mails a minute",
    )
    operator_email: str | None = setting(
        "OPERATOR_EMAIL",
        kinds.MAIL_ADDRESS,
        "Gets one mail a day, which shows that mails leave.",
        without="no such mail",
    )
    mailbox: Path | None = setting(  # noqa: RUF009 - a field, not a value
        "MAILBOX",
        kinds.FOLDER,
        "The folder whose `.eml` files `/mailbox` shows.",
        without="`make up`: that of the mail sink; elsewhere there is no such page",
    )
    local_mail: bool = setting(
        "LOCAL_MAIL",
        kinds.SWITCH,
        "`true`: mails stay in the mail sink though others reach the service; `/mailbox` is shown on this machine "
        "alone.",
        without="`false`: with such a `HOST` it does not start",
    )
    reply_domain: str = setting(
        "REPLY_DOMAIN", kinds.DOMAIN, "The domain at which replies arrive.", without="the domain of `MAIL_FROM`"
    )
    bounce_domain: str = setting(
        "BOUNCE_DOMAIN", kinds.DOMAIN, "The domain at which bounces arrive.", without="the domain of `MAIL_FROM`"
    )
    inbound_listen: str | None = setting(
        "INBOUND_LISTEN",
        url("smtp", "lmtp"),
        "Where your mail server delivers replies and bounces: `lmtp://host:port` or `smtp://host:port`, reachable by "
        "nobody else.",
        without="`make up` chooses one; elsewhere there is no inbox",
    )
    inbound_server: str | None = setting(
        "INBOUND_AUTHSERV_ID",
        kinds.OPTIONAL,
        "The name that your mail server writes into `Authentication-Results` "
        "(see [Replies by mail](../README.md#replies-by-mail)).",
        without="no mail from outside plays a move; its sender gets a fresh link instead",
    )
    inbound_secret: str | None = setting(
        "INBOUND_SECRET",
        kinds.SECRET,
        "Opens `POST /inbound/mail` for a provider that delivers mails by HTTP and sends it as `X-Inbound-Secret`: at "
        "least 16 characters.",
        without="there is no such address",
        secret=True,
    )
