"""How machines begin the subjects of their mails, in the languages of the mail programs that we have met.

Away notes, read receipts, mails that come back, and senders who have to prove that they are people. The facts are
common to the lists that Discourse, Mailman and Sisimai keep; each line is of one language.
"""

from __future__ import annotations

import re
from typing import Final

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
MACHINE: Final = re.compile("|".join((*_ANSWERS, *_RECEIPTS, *_RETURNS, *_PROOFS)), re.IGNORECASE)
"""Words that programs write in front of a subject, or instead of it."""

AWAY: Final = re.compile("|".join(_AWAY), re.IGNORECASE)
"""Words that people write, too."""
