"""How often somebody is answered who may be a machine, and that what was carried out is confirmed in any case."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from sqlalchemy import text

from service.mail.inbound.answers import MOST_REMARKS
from service.mail.inbound.ingest import Envelope, ingest
from service.runtime import Runtime
from tests.letters import Letter
from tests.replying import answers, by_reply, delivered, move_in, outcomes, reply, take

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"


def test_two_machines_that_answer_everything_are_written_to_three_times_an_hour_at_most(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    last, count = {BOB: mails[BOB], CAROL: mails[CAROL]}, {BOB: 0, CAROL: 0}
    for round_ in range(100):
        for letter in last.values():
            take(runtime, reply(letter, "mute" if round_ % 2 else "I am not here."))
        if round_ % 49 and round_ > 4:
            continue
        for each, letters in delivered(runtime, mailbox, game).items():
            count[each] += len(letters)
            last[each] = letters[-1]
    assert not delivered(runtime, mailbox, game)
    assert count == {BOB: 3, CAROL: 3}


def test_what_was_carried_out_is_confirmed_however_often_somebody_was_answered_before(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    kinds = []
    said = ["dis: un", "dis: deux", "dis: trois\nbid 99"]
    for words in ("Bonjour", "aide", "bid 99", "aide", *said, "muet", "muet", "abandonner oui", "abandonner oui"):
        take(runtime, reply(mails[CAROL], words))
        kinds.append([letter.kind for letter in answers(runtime, mailbox, game, CAROL)])
    done = [["receipt"]]
    assert kinds == [["problem"], ["receipt"], ["problem"], [], *done * 2, ["problem"], *done, [], *done, []]
    found = outcomes(runtime, game)
    assert found[4:] == ["said", "said", "said", "muted", "unanswered", "resigned", "unanswered"]


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
    {"Precedence": "bulk"},
    {"X_Autoreply": "yes"},
    {"List_Id": "<games.example.org>"},
    {"Subject": "Abwesenheitsnotiz: Re: Sealed Bids"},
    {"Subject": "=?utf-8?q?R=C3=A9ponse_automatique?= : Re: Sealed Bids"},
    {"Subject": "Out of Office Re: Sealed Bids"},
    {"From": "MAILER-DAEMON@example.org"},
    {"From": "no-reply@example.org"},
)


def test_machines_are_not_answered_and_play_nothing(
    runtime: Runtime, mailbox: Path, game: UUID, mails: dict[str, Letter]
) -> None:
    for headers in MACHINES:
        take(runtime, reply(mails[ALICE], move_in(mails[ALICE]), **headers))
    back = mails[ALICE].message["Reply-To"].addresses[0].addr_spec
    ingest(runtime, Envelope("", back, own=True), reply(mails[ALICE], "hold").as_bytes())
    assert not delivered(runtime, mailbox, game)
    assert outcomes(runtime, game) == ["automatic"] * (len(MACHINES) + 1)
    assert not by_reply(runtime, game)
