"""Detect automatic mails: patterns of subjects by language, addresses and headers.

Kinds: away notes, read receipts, bounces, and challenges that demand proof of a human sender. The facts are common to
the lists that Discourse, Mailman and Sisimai keep; each line is of a single language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal
from unicodedata import normalize

from service.inbound.headers import IncomingMail

_ANSWERS: Final = (
    r"auto\s*:|\[?auto(?:mat(?:ic|ed))?[ -]?(?:reply|response|answer)\b|out[ -]of[ -](?:the[ -])?office\b",
    r"vacation (?:reply|response|message|notice)\b|away (?:message|notice)\b|auto-?responder\b",
    r"automatische (?:antwort|rückantwort|e-?mail)\b|abwesenheits\w*|autom(?:at)?\. antwort\b|außer haus\s*:",
    r"réponse automatique\b|(?:message|notification|avis|réponse) d.absence\b|absence du bureau\b",
    r"absente? du bureau\b|hors du bureau\b",
    r"respuesta automática\b|fuera de (?:la )?oficina\b|(?:aviso|mensaje) de ausencia\b",
    r"risposta automatica\b|risposta non al computer\b|fuori (?:sede|ufficio)\b|(?:avviso|messaggio) di assenza\b",
    r"automatisch(?:e)? (?:antwoord|reactie|bericht)\b|afwezigheids\w*|niet op kantoor\b|buiten kantoor\b",
    r"resposta automática\b|fora do escritório\b|(?:aviso|mensagem) de ausência\b|ausente do escritório\b",
    r"(?:automatyczna odpowiedź|odpowiedź automatyczna)\b|autoodpowiedź\b|autoresponder\b|poza biurem\b",
    r"automatiskt? svar\b|autosvar\b|frånvaro\w*|inte på kontoret\b",
    r"fraværs\w*|ikke på kontoret\b|ikke til stede\b",
    r"自動(?:返信|応答)|不在(?:通知|のお知らせ|応答)",
)
_RECEIPTS: Final = (
    r"(?:not )?read\s*:|(?:return|read) receipt\b|message (?:displayed|recall)\b|disposition notification\b",
    r"(?:un)?gelesen\s*:|(?:ungelesen )?gelöscht\s*:|(?:lese|empfangs|übermittlungs)bestätigung\b",
    r"(?:non )?lue?s?\s*:|accusé de (?:réception|lecture)\b|confirmation de lecture\b",
    r"(?:no )?leído\s*:|(?:confirmación de (?:lectura|entrega)|acuse de recibo)\b",
    r"(?:non )?lett[ao]\s*:|(?:conferma|ricevuta|avviso) di (?:lettura|ritorno|recapito)\b",
    r"(?:niet )?gelezen\s*:|(?:lees|ontvangst)bevestiging\b",
    r"(?:não )?lid[ao]\s*:|(?:confirmação|recibo|aviso) de (?:leitura|entrega|recepção)\b",
    r"(?:nie)?przeczytan[eoay]\s*:|potwierdzenie (?:przeczytania|odczytu|odbioru)\b",
    r"(?:o)?läst\s*:|läskvitto\b|läsbekräftelse\b",
    r"(?:ikke )?læst\s*:|læsekvittering\b|kvittering for læsning\b",
    r"(?:開封済み|未開封)\s*:|開封確認",
)
_RETURNS: Final = (
    r"undeliver(?:ed|able)\b|delivery (?:status|failure|has failed|delayed)\b|mail delivery (?:fail\w*|system)\b",
    r"returned (?:mail|to sender)\b|failure notice\b|mail (?:system )?error\b|message undeliverable\b",
    r"warning: (?:message|could not send)\b|e-?mail feedback report\b|relayed\s*:",
    r"un(?:zustellbar|befördert)\w*|nicht zustellbar\b|zustellung\w* (?:fehlgeschlagen|verzögert)\b|fehler bei der",
    r"non[ -](?:remis|distribué|délivré)\w*|échec de la (?:remise|distribution)\b|message non\b",
    r"no se (?:puede|pudo) entregar\b|no entregado\b|error de entrega\b",
    r"(?:non recapitabile|mancato recapito|recapito non riuscito)\b",
    r"onbestelbaar\b|niet (?:bezorgd|afgeleverd)\b",
    r"não (?:é possível entregar|entregue)\b|falha na entrega\b",
    r"(?:nie można dostarczyć|niedostarczon\w*|niedoręczalne)\b",
    r"(?:går inte att leverera|kan inte levereras|olevererbar\w*)\b",
    r"kan ikke leveres\b|ikke leveret\b",
    r"配信(?:不能|できません)",
)
_PROOFS: Final = (
    r"please (?:confirm|verify|validate) (?:your|this|that|delivery)\b",
    r"your e?-?(?:mail|message) (?:requires|needs|awaits)\b",
    r"your message to \S+ (?:awaits|requires)\b|(?:sender|e-?mail) verification\b|verification (?:required|needed)\b",
    r"confirmation (?:required|needed)\b|challenge\s*:|unverified (?:e-?mail|message)\b|.*\bverify#\S+",
    r"bitte bestätigen sie ihre (?:e-?mail|nachricht)\b|absenderprüfung\b",
    r"(?:veuillez confirmer|confirmez) (?:votre (?:message|e-?mail|courriel)|l.envoi)\b|demande d.authentification\b",
)
_AWAY: Final = (
    r"(?:i(?:.| a)m )?(?:on|currently on) (?:vacation|holiday|leave|annual leave)\b|(?:i(?:.| a)m )?away\b",
    r"(?:ich bin )?(?:derzeit |zur ?zeit )?(?:nicht (?:im (?:büro|haus)|da)|abwesend|im urlaub|au(?:ß|ss)er haus)\b",
    r"urlaub\b",
    r"(?:je suis )?(?:actuellement )?(?:absent(?:e|s)?|en (?:congés?|vacances)|en déplacement)\b",
    r"(?:estoy )?(?:ausente|de vacaciones)\b",
    r"(?:sono )?(?:assente|in (?:ferie|vacanza))\b",
    r"(?:ik ben )?(?:afwezig|op vakantie|met vakantie|met verlof)\b",
    r"(?:estou )?(?:ausente|de férias)\b",
    r"(?:jestem )?(?:na urlopie|nieobecn\w*|urlop)\b",
    r"(?:jag är )?(?:på semester|semester|bortrest|frånvarande|ledig)\b",
    r"(?:jeg er )?(?:på ferie|ferie|bortrejst|fraværende)\b",
    r"休暇",
)
MACHINE_SUBJECT: Final = re.compile("|".join((*_ANSWERS, *_RECEIPTS, *_RETURNS, *_PROOFS)), re.IGNORECASE)
"""Subjects, or beginnings of subjects, that only programs write."""

AWAY_SUBJECT: Final = re.compile("|".join(_AWAY), re.IGNORECASE)
"""Subjects that people write, too."""


Writer = Literal["person", "perhaps", "machine"]
"""Author of a mail; `perhaps` is a machine, unless the mail asks for something."""

# Names of servers and lists, in front of the @.
_MACHINE_ADDRESS: Final = re.compile(
    r"(?:mailer-?daemon|postmaster|(?:do-?)?not?-?reply|bounces?|daemon|listserv|majordomo|auto-?(?:reply|responder)"
    r"|automailer|vacation|boxtrapper)(?:[+=._-].*)?",
    re.IGNORECASE,
)
_BULK: Final = re.compile(r"bulk|junk|list|auto[-_ ]?reply", re.IGNORECASE)
# Headers that only machines write, and headers whose value names a machine.
_MARK_HEADERS: Final = re.compile(
    r"x-(?:mail-)?auto-?(?:repl(?:y|ied)|respond|responder|response|generated|reply-from|reply-to)"
    r"|auto-?repl(?:y|ied)|list-id|x-loop|x-fc-machinegenerated|x-vacation(?:-.*)?|x-tmda-.+|x-boxtrapper(?:-.*)?"
    r"|x-askversion|x-otrs-loop|x-failed-recipients|x-hmxmroriginalrecipient|x-list-administrivia|x-cron-env"
)
_SAID: Final = {
    "delivered-to": re.compile(r"auto-?responder", re.IGNORECASE),
    "x-post-messageclass": re.compile(r".*auto-?respon", re.IGNORECASE),
    "x-delivery-agent": re.compile(r"tmda", re.IGNORECASE),
    "x-mailer": re.compile(r".*(?:auto-?(?:respon|repl)|vacation)", re.IGNORECASE),
}
_DENIED: Final = ("no", "false", "0", "none")
_REPORT: Final = re.compile(r"multipart/report|message/(?:delivery-status|disposition-notification|feedback-report)")
_ANSWERED: Final = re.compile(
    r"\s*(?:(?:re|aw|antw|antwort|sv|vs|tr|rif|rv|res|odp|fw|fwd|wg)\s*(?:\[\d+\]\s*)?:\s*)*", re.I
)


def writer(mail: IncomingMail, returned_to: str, ours: str, subjects: Sequence[str]) -> Writer:
    """Return the author of the mail, by its headers and the subject styles of machines.

    `returned_to` is the envelope's sender, `ours` our own address, `subjects` the beginnings of our own subjects: names
    of tables and players in them prove nothing. A person, too, writes `Absent`, so those words alone are not enough.
    """
    return "machine" if _marked(mail, returned_to, ours) else _titled(mail, subjects)


def _marked(mail: IncomingMail, returned_to: str, ours: str) -> bool:
    return (
        not returned_to
        or (mail.header("auto-submitted") or "no").lower().split(";")[0].strip() != "no"
        or any(_BULK.fullmatch(value) for name in ("precedence", "preference") for value in mail.every(name))
        or any(_MARK_HEADERS.fullmatch(name) and value.strip().lower() not in _DENIED for name, value in mail.headers)
        or any(pattern.match(value) for name, pattern in _SAID.items() for value in mail.every(name))
        or _REPORT.match(mail.header("content-type").lower()) is not None
        or mail.sender == ours.lower()
        or _of_a_machine(mail.sender or "")
        # Bulk mail services put `bounces` into the envelopes of personal mails, too.
        or (not returned_to.lower().startswith("bounce") and _of_a_machine(returned_to))
    )


def _titled(mail: IncomingMail, ours: Sequence[str]) -> Writer:
    title = " ".join(normalize("NFKC", mail.shown("subject")).split())
    rest = _ANSWERED.sub("", title, count=1)
    known = [" ".join(normalize("NFKC", each).lower().split()) for each in ours]
    if any(rest.lower().startswith(each) for each in known):
        return "person"
    if MACHINE_SUBJECT.match(rest):
        return "machine"
    away = AWAY_SUBJECT.match(rest)
    if away is None:
        return "person"
    # Machines put a word before the subject that they answer; programs of people rarely set the last header, too.
    quoted = rest[away.end() :].lstrip()[:1] == ":" or any(each in rest.lower() for each in known)
    return "machine" if quoted or mail.every("x-auto-response-suppress") else "perhaps"


def _of_a_machine(address: str) -> bool:
    return _MACHINE_ADDRESS.fullmatch(address.partition("@")[0]) is not None
