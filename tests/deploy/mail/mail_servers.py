"""The mail server of deploy/mail: Postfix, opendkim and rspamd with its files, but for ports, folders and the DNS."""

from __future__ import annotations

import os
import re
import shutil
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from service.local.supervisor import Child, Program
from tests.docs.rooms import ROOT
from tests.messages.services import certificate
from tests.ports import free_port
from tests.serving import PATIENCE, wait_for

PROGRAMS: Final = ("postfix", "opendkim", "opendkim-genkey", "rspamd")
# Postfix itself is asked by an address of this machine; whom it serves it is told by XCLIENT, as by a proxy.
_TESTED: Final = """
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = /dev/stdout
inet_protocols = ipv4
smtpd_authorized_xclient_hosts = 127.0.0.1
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
relayhost = [127.0.0.1]:{world}
"""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that signs mails, and its record for the DNS."""

    pem: bytes
    record: str

    @classmethod
    def made(cls) -> SigningKey:
        """Make one."""
        with tempfile.TemporaryDirectory() as folder:
            command = ["opendkim-genkey", "--domain", "example.org", "--selector", "boardroom", "--directory", folder]
            subprocess.run(command, check=True)
            return cls.read(Path(folder))

    @classmethod
    def read(cls, folder: Path) -> SigningKey:
        """Read what opendkim-genkey has made."""
        secret, record = ((folder / f"boardroom.{end}").read_text() for end in ("private", "txt"))
        return cls(secret.encode(), " ".join(re.findall(r'"[^"]*"', record)))


@dataclass(frozen=True, slots=True)
class MailServers:
    """The ports on which others and Boardroom reach Postfix, its folder, its log, and the key that opendkim has."""

    port: int
    submission: int
    configuration: Path
    log: Path
    key: SigningKey

    @contextmanager
    def talk(self, client: str) -> Iterator[smtplib.SMTP]:
        """Connect to it as a mail server at an address elsewhere."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as server:
            server.ehlo("mail.example.net")
            code, said = server.docmd("XCLIENT", f"ADDR={client} NAME=mail.example.net")
            assert code == 220, said
            server.ehlo("mail.example.net")
            yield server

    def send(self, client: str, sender: str, message: EmailMessage, raw: bytes) -> None:
        """Deliver the bytes of a mail from an address elsewhere to the mail's recipient."""
        with self.talk(client) as server:
            server.sendmail(sender, [message["To"].addresses[0].addr_spec], raw)

    @contextmanager
    def without_checks(self) -> Iterator[None]:
        """Have Postfix find nobody who checks mails."""
        usual = self._postfix("postconf", "-h", "smtpd_milters").strip()
        self._let_check(f"inet:127.0.0.1:{free_port()}")
        yield
        self._let_check(usual)

    def _let_check(self, where: str) -> None:
        self._postfix("postconf", "-e", f"smtpd_milters={where}")
        self._postfix("postfix", "reload")

    def queued(self) -> str:
        """Return what waits in its queue, '' if nothing does."""
        return self._postfix("postqueue", "-j")

    def _postfix(self, program: str, *words: str) -> str:
        command = [program, "-c", str(self.configuration), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def missing() -> str:
    """Return why the mail server cannot be tried here, '' where it can."""
    if os.geteuid() != 0:
        return "Postfix starts its parts under several accounts, which takes root"
    absent = [each for each in PROGRAMS if shutil.which(each) is None]
    return f"not here: {', '.join(absent)} (packages of Debian)" if absent else ""


@contextmanager
def mail_servers(folder: Path, inbox: int, world: int, dns: str) -> Iterator[MailServers]:
    """Run them: mails that come in go to the inbox, others to the one server of the whole world."""
    etc = folder / "etc"
    _install(etc)
    certificate(folder, ("mx.example.org",))
    ports = {name: free_port() for name in ("smtp", "submission", "rspamd", "opendkim")}
    filters = (_rspamd(folder, ports["rspamd"], dns), _opendkim(folder, ports["opendkim"]))
    try:
        for child, name in zip(filters, ("rspamd", "opendkim"), strict=True):
            wait_for(child, lambda port=ports[name]: _listens(port), PATIENCE)
        postfix = _postfix(folder, ports, inbox, world)
        try:
            wait_for(postfix, lambda: all(_listens(ports[name]) for name in ("smtp", "submission")), PATIENCE)
            key = SigningKey.read(etc / "boardroom" / "dkim")
            yield MailServers(ports["smtp"], ports["submission"], etc / "postfix", postfix.program.log, key)
        finally:
            postfix.stop()
    finally:
        for child in filters:
            # They keep nothing, and opendkim takes four seconds to end by itself.
            child.kill()


def _install(etc: Path) -> None:
    """Carry out what docs/operating.md says, with another folder in the place of /etc."""
    for name in ("postfix", "boardroom"):
        (etc / name).mkdir(parents=True)
    shutil.copytree("/etc/rspamd", etc / "rspamd")
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```\n([^`]*opendkim-genkey[^`]*)^```", page, re.MULTILINE)
    script = re.sub(r" /etc/", f" {etc}/", block)
    subprocess.run(["bash", "-euc", script], cwd=ROOT, check=True)


def _change(file: Path, changes: Mapping[str, str], more: str = "") -> None:
    """Change a file; what is to be changed has to be there."""
    text = file.read_text()
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    file.write_text(text + more)


def _postfix(folder: Path, ports: Mapping[str, int], inbox: int, world: int) -> Child:
    etc = folder / "etc" / "postfix"
    of_main = {
        "inet_interfaces = all": "inet_interfaces = loopback-only",
        "inet:127.0.0.1:8024": f"inet:127.0.0.1:{inbox}",
        "inet:127.0.0.1:11332": f"inet:127.0.0.1:{ports['rspamd']}",
        "regexp:/etc/": f"regexp:{folder}/etc/",
        "/etc/boardroom/tls/fullchain.pem": f"{folder}/server.pem",
        "/etc/boardroom/tls/privkey.pem": f"{folder}/server.pem",
    }
    _change(etc / "main.cf", of_main, _TESTED.format(folder=folder, world=world))
    of_master = {
        "inet:127.0.0.1:8891": f"inet:127.0.0.1:{ports['opendkim']}",
        "smtp       inet": f"127.0.0.1:{ports['smtp']} inet",
        "127.0.0.1:2525": f"127.0.0.1:{ports['submission']}",
    }
    _change(etc / "master.cf", of_master)
    (folder / "queue").mkdir()
    subprocess.run(["postfix", "-c", str(etc), "check"], check=True)
    daemons = subprocess.run(["postconf", "-h", "daemon_directory"], capture_output=True, text=True, check=True).stdout
    # `postfix start-fg` would leave it behind when it is stopped.
    command = [f"{daemons.strip()}/master", "-c", str(etc), "-s"]
    return Child(Program(name="postfix", command=command, log=folder / "postfix.log"))


def _opendkim(folder: Path, port: int) -> Child:
    file = folder / "etc" / "opendkim.conf"
    shutil.chown(folder / "etc" / "boardroom" / "dkim" / "boardroom.private", "opendkim")
    changes = {
        "KeyFile                 /etc/": f"KeyFile                 {folder}/etc/",
        "inet:8891@127.0.0.1": f"inet:{port}@127.0.0.1",
        "/run/opendkim/opendkim.pid": f"{folder}/opendkim.pid",
    }
    # The folder of the test lies in one that everybody may write to.
    _change(file, changes, "RequireSafeKeys no\n")
    return Child(Program(name="opendkim", command=["opendkim", "-f", "-x", str(file)], log=folder / "opendkim.log"))


def _rspamd(folder: Path, port: int, dns: str) -> Child:
    etc, data = folder / "etc" / "rspamd", folder / "rspamd-data"
    _change(etc / "local.d" / "worker-proxy.inc", {"127.0.0.1:11332": f"127.0.0.1:{port}"})
    # The whole list of public suffixes takes ten seconds of a processor to read.
    (folder / "suffixes").write_text("com\nnet\norg\n")
    options = f'dns {{ nameserver = "{dns}"; }}\nurl_tld = "{folder}/suffixes";\n'
    (etc / "override.d" / "options.inc").write_text(options)
    (etc / "override.d" / "logging.inc").write_text('type = "console";\n')
    data.mkdir()
    shutil.chown(data, "_rspamd")
    variables = {"CONFDIR": etc, "LOCAL_CONFDIR": etc, "DBDIR": data, "RUNDIR": data, "LOGDIR": data}
    command = ["rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", f"{etc}/rspamd.conf"]
    for name, value in variables.items():
        command += ["--var", f"{name}={value}"]
    return Child(Program(name="rspamd", command=command, log=folder / "rspamd.log"))


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 2):
        return True
    return False
