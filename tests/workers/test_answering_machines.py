"""How often somebody is answered who may be a machine, and that what was carried out is confirmed in any case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.inbound.executor import MOST_REMARKS
from service.inbound.headers import IncomingMail
from service.inbound.ingest import Envelope, ingest
from service.inbound.loops import writer
from service.runtime import Runtime
from tests.builders import sealed_bids
from tests.letters import Letter
from tests.replying import answer, answers, by_reply, delivered, move_in, outcomes, reply, take

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"


def later(runtime: Runtime, hours: int) -> None:
    """Let hours pass for what has been answered."""
    with runtime.engine.begin() as db:
        db.execute(text("update inbound_mail set answered_at = answered_at - :by"), {"by": timedelta(hours=hours)})


def test_two_machines_that_answer_everything_are_written_to_three_times_an_hour_at_most(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    last, count = {BOB: mails[BOB], CAROL: mails[CAROL]}, {BOB: 0, CAROL: 0}
    for round_ in range(50):
        for letter in last.values():
            take(runtime, reply(letter, "I am not here."))
        if round_ % 24 and round_ > 4:
            continue
        for each, letters in delivered(runtime, mailbox, game).items():
            count[each] += len(letters)
            last[each] = letters[-1]
    assert not delivered(runtime, mailbox, game)
    assert count == {BOB: 3, CAROL: 3}


def quoting(letter: Letter, _: int) -> EmailMessage:
    return reply(letter, f"I shall read this on Monday.\n\n{letter.text}")


def retitled(letter: Letter, round_: int) -> EmailMessage:
    return reply(letter, "I shall read this on Monday.", Subject=f"[Ticket {round_}] We have got your mail")


def from_elsewhere(letter: Letter, round_: int) -> EmailMessage:
    return reply(letter, "I shall read this on Monday.", From=f"desk{round_}@example.com")


@pytest.mark.slow
@pytest.mark.parametrize("written_by", [quoting, retitled, from_elsewhere])
def test_a_machine_that_nobody_detects_is_answered_eight_times_a_day_and_three_an_hour_at_most(
    runtime: Runtime,
    mailbox: Path,
    game: UUID,
    mails: dict[str, Letter],
    written_by: Callable[[Letter, int], EmailMessage],
) -> None:
    last, hours = mails[BOB], []
    for hour in range(24):
        count = 0
        for round_ in range(5):
            take(runtime, written_by(last, 10 * hour + round_))
            for letter in answers(runtime, mailbox, game, BOB):
                count, last = count + 1, letter
        hours.append(count)
        later(runtime, 1)
    assert hours[:4] == [3, 3, 2, 0]
    assert sum(hours) == 8
    assert not by_reply(runtime, game)
    # What a person writes who sits behind the machine is played at any time.
    take(runtime, reply(last, move_in(mails[BOB])))
    assert "gespielt" in answer(runtime, mailbox, game, BOB)


def test_whoever_is_not_answered_any_more_is_told_once_and_plays_on(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    told = []
    for _ in range(5):
        take(runtime, reply(mails[ALICE], "P33 I think"))
        told += [" ".join(each.text.split()) for each in answers(runtime, mailbox, game, ALICE)]
    assert ["bring no answer for a while" in each for each in told] == [False, False, True]
    take(runtime, reply(mails[ALICE], "show"))
    assert "table as it is now" in answer(runtime, mailbox, game, ALICE)
    take(runtime, reply(mails[ALICE], move_in(mails[ALICE])))
    assert "You played" in answer(runtime, mailbox, game, ALICE)


def test_whoever_mistypes_in_one_game_is_answered_in_another(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    other = sealed_bids(runtime.games).game.id
    second = delivered(runtime, mailbox, other)[ALICE][0]
    counts = []
    for letter, about in ((mails[ALICE], game), (second, other)):
        for _ in range(4):
            take(runtime, reply(letter, "castle"))
        counts.append(len(answers(runtime, mailbox, about, ALICE)))
    assert counts == [3, 3]


@pytest.mark.slow
def test_words_that_the_game_knows_have_a_larger_limit_of_their_own(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for _ in range(4):
        take(runtime, reply(mails[ALICE], "castle"))
    hours = []
    for _ in range(6):
        for _ in range(25):
            take(runtime, reply(mails[ALICE], "show"))
        hours.append(len([each for each in answers(runtime, mailbox, game, ALICE) if each.kind == "receipt"]))
        later(runtime, 1)
    assert hours == [20, 20, 20, 0, 0, 0]


def test_what_was_carried_out_is_confirmed_however_often_somebody_was_answered_before(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    kinds = []
    said = ["dis: un", "dis: deux", "dis: trois\nbid 99"]
    for words in (*["Bonjour"] * 4, *said, "muet", "muet", "abandonner oui", "Bonjour"):
        take(runtime, reply(mails[CAROL], words))
        kinds.append([letter.kind for letter in answers(runtime, mailbox, game, CAROL)])
    done = [["receipt"]]
    assert kinds == [*[["problem"]] * 3, [], *done * 2, ["problem"], *done, *done, *done, []]
    assert outcomes(runtime, game)[3:] == [
        "unanswered",
        *["said"] * 3,
        "muted",
        "muted-before",
        "resigned",
        "unanswered",
    ]


def test_remarks_have_a_limit_of_their_own_and_whoever_reaches_it_is_told(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for number in range(MOST_REMARKS + 1):
        take(runtime, reply(mails[ALICE], f"say: {number}"))
    *_, last = answers(runtime, mailbox, game, ALICE)
    assert last.kind == "problem" and "20 times within an hour" in " ".join(last.text.split())
    assert outcomes(runtime, game) == [*["said"] * MOST_REMARKS, "too-many"]
    with runtime.engine.connect() as db:
        spoken = db.execute(text("select text from talk where game_id = :game"), {"game": game}).scalars().all()
    assert sorted(map(int, spoken)) == list(range(MOST_REMARKS))


MACHINES: tuple[dict[str, str], ...] = (
    {"Auto_Submitted": "auto-replied (vacation)"},
    {"Auto_Submitted": "auto-generated"},
    {"X_Autogenerated": "Reply"},
    {"X_Autoreply": "yes"},
    {"X_Auto_Reply": "yes"},
    {"X_Autorespond": "Re: Sealed Bids"},
    {"X_Autoresponder": "1"},
    {"X_Mail_Autoreply": "true"},
    {"X_AutoReply_From": "alice@example.org"},
    {"X_FC_MachineGenerated": "true"},
    {"X_POST_MessageClass": "9; Autoresponder"},
    {"X_TMDA_Fingerprint": "abc"},
    {"X_Delivery_Agent": "TMDA/1.1.12"},
    {"X_Boxtrapper": "Pwd"},
    {"X_AskVersion": "2.5.3"},
    {"X_Loop": "alice@example.org"},
    {"X_Failed_Recipients": "bob@example.org"},
    {"X_Mailer": "vacation 1.2"},
    {"Delivered_To": "Autoresponder"},
    {"Preference": "auto_reply"},
    *({"Precedence": each} for each in ("bulk", "junk", "list", "auto_reply", "auto-reply")),
    {"List_Id": "<games.example.org>"},
    {"From": "MAILER-DAEMON@example.org"},
    {"From": "no-reply@example.org"},
    {"From": "autoresponder@example.org"},
    {"From": "boardroom@example.org"},
    {"X_Auto_Response_Suppress": "All", "Subject": "Absent"},
)
TITLES = (
    *("Automatic reply: {}", "AUTO: Alice is out of the office (returning 7.12.)", "Auto: {}", "Out of Office: {}"),
    *("Re: Out of Office", "[Auto-Reply] {}", "Autoreply: {}", "Away: {}", "Vacation response"),
    *("Abwesenheitsnotiz: {}", "Automatische Antwort: {}", "Abwesend: {}", "AW: Abwesend: {}", "Außer Haus: {}"),
    *("Réponse automatique : {}", "Message d'absence", "Absence du bureau : {}", "Absent: {}", "En congé: {}"),
    *("Respuesta automática: {}", "Fuera de la oficina: {}", "Ausente: {}"),
    *("Risposta automatica: {}", "Fuori sede: {}", "Fuori ufficio: {}", "Assente: {}"),
    *("Automatisch antwoord: {}", "Afwezigheidsbericht", "Niet op kantoor: {}", "Afwezig: {}"),
    *("Resposta automática: {}", "Fora do escritório: {}"),
    *("Automatyczna odpowiedź: {}", "Odpowiedź automatyczna: {}", "Poza biurem: {}"),
    *("Automatiskt svar: {}", "Autosvar: {}", "Frånvaromeddelande", "Frånvarande: {}"),
    *("Automatisk svar: {}", "Fraværsmeddelelse", "Ikke på kontoret: {}"),
    *("自動返信: {}", "不在通知", "自動応答: {}"),
    *("Gelesen: {}", "Lu : {}", "Lu\u00a0: {}", "Read: {}", "Letto: {}", "Leído: {}", "Gelezen: {}", "Lida: {}"),
    *("Przeczytano: {}", "Läst: {}", "Læst: {}", "開封済み：{}", "Not read: {}", "Ungelesen gelöscht: {}"),
    *("Return Receipt (displayed) - {}", "Accusé de réception : {}", "Lesebestätigung: {}"),
    *("failure notice", "Mail delivery failed: returning message to sender", "Unzustellbar: {}", "Non remis : {}"),
    *("Undeliverable: {}", "Returned mail: see transcript for details", "No se puede entregar: {}"),
    *("Please confirm your message", "Your email requires verification verify#a1B2", "Sender verification"),
    "Veuillez confirmer votre message",
)
PERHAPS = (
    *("Absent", "Ich bin außer Haus", "Abwesend bis Montag", "Im Urlaub", "En congé", "Je suis absente ce soir"),
    *("On vacation", "Away until Monday", "De vacaciones", "In ferie", "Op vakantie", "De férias", "Na urlopie"),
    *("På semester", "På ferie"),
)
"""What people write over their own mails as well."""


def test_machines_are_not_answered_and_play_nothing(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    title = mails[ALICE].message["Subject"]
    for headers in (*MACHINES, *({"Subject": each.format(title)} for each in TITLES)):
        take(runtime, reply(mails[ALICE], move_in(mails[ALICE]), **headers))
    for words in PERHAPS:
        take(runtime, reply(mails[ALICE], "I shall read this on Monday.", Subject=words))
    back = mails[ALICE].message["Reply-To"].addresses[0].addr_spec
    ingest(runtime, Envelope("", back, own=True), reply(mails[ALICE], "hold").as_bytes())
    assert not delivered(runtime, mailbox, game)
    found = outcomes(runtime, game)
    assert [(at, each) for at, each in enumerate(found) if each != "automatic"] == []
    assert len(found) == len(MACHINES) + len(TITLES) + len(PERHAPS) + 1
    assert not by_reply(runtime, game)


REPORTS = (
    ("disposition-notification", "Disposition: manual-action/MDN-sent-manually; displayed"),
    ("delivery-status", "Action: failed\nStatus: 5.1.1"),
    ("feedback-report", "Feedback-Type: abuse"),
)


@pytest.mark.parametrize(("kind", "words"), REPORTS)
def test_a_report_is_not_answered_whatever_its_subject(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], kind: str, words: str
) -> None:
    back = mails[ALICE].message["Reply-To"].addresses[0].addr_spec
    raw = (
        f"From: {ALICE}\nTo: {back}\nSubject: Re: {mails[ALICE].message['Subject']}\n"
        f'Content-Type: multipart/report; report-type={kind}; boundary="=_1"\n\n'
        f"--=_1\nContent-Type: text/plain\n\n{move_in(mails[ALICE])}\n"
        f"--=_1\nContent-Type: message/{kind}\n\n{words}\n--=_1--\n"
    )
    ingest(runtime, Envelope(ALICE, back, own=True), raw.encode())
    assert not delivered(runtime, mailbox, game)
    assert outcomes(runtime, game) == ["automatic"]


@pytest.mark.parametrize("subject", [*PERHAPS, "Re: {}", "AW: RE: {}", "Gone fishing", "Autos: my move", "", "Lundi"])
def test_a_person_who_writes_such_words_plays(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], subject: str
) -> None:
    title = subject.format(mails[ALICE].message["Subject"])
    take(runtime, reply(mails[ALICE], move_in(mails[ALICE]), Subject=title))
    assert "You played" in answer(runtime, mailbox, game, ALICE)


PEOPLE: tuple[dict[str, str], ...] = (
    {"X_Auto_Response_Suppress": "DR, RN, NRN, OOF, AutoReply"},
    {"Auto_Submitted": "no"},
    {"List_Unsubscribe": "<https://footer.example.net/u>"},
    {"Precedence": "first-class"},
    {"X_Autoreply": "no"},
)


@pytest.mark.parametrize("headers", PEOPLE)
def test_headers_that_peoples_programs_write_too_stop_nobody(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter], headers: dict[str, str]
) -> None:
    take(runtime, reply(mails[ALICE], move_in(mails[ALICE]), **headers))
    assert "You played" in answer(runtime, mailbox, game, ALICE)


def test_a_mail_that_somebody_elses_server_has_passed_on_plays(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    back = mails[ALICE].message["Reply-To"].addresses[0].addr_spec
    raw = reply(mails[ALICE], move_in(mails[ALICE])).as_bytes()
    ingest(runtime, Envelope("bounces+77-alice=example.org@em.example.net", back, own=True), raw)
    assert "You played" in answer(runtime, mailbox, game, ALICE)


@pytest.mark.parametrize("called", ["Abwesend", "AUTO: 3", "Automatic reply", "Out of Office"])
def test_a_subject_of_ours_that_begins_like_a_machines_is_still_ours(called: str) -> None:
    earlier, today = f"{called} #a1b2c3", f"Your move: {called}"
    for ours, rest in ((earlier, ": Alice – Bob"), (today, " (Bob takes D3)")):
        for title in (f"{ours}{rest}", f"Re: {ours}{rest}", f"AW: WG: {ours.lower()}{rest}"):
            mail = IncomingMail((("subject", title),))
            assert writer(mail, ALICE, "boardroom@example.org", (earlier, today)) == "person"
        answered = IncomingMail((("subject", f"Automatic reply: {ours}{rest}"),))
        assert writer(answered, ALICE, "boardroom@example.org", (earlier, today)) == "machine"
