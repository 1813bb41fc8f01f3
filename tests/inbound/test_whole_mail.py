"""All that somebody has written in a mail is read: in any charset, in any number of parts, to the end of a remark."""

from __future__ import annotations

from base64 import b64encode
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from time import process_time

import pytest

from service.inbound.attachments import without_attachments
from service.inbound.grammar import Act, ReplyText, read_reply
from service.inbound.headers import MAX_MAIL_BYTES
from service.inbound.text import Written, written
from service.rules.registry import find_rulesets
from tests.house import RULESETS

RULES = find_rulesets(RULESETS)["new-corp-order"]
PICTURE = MIMEImage(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "png")


def understood(raw: bytes) -> tuple[ReplyText, Written]:
    text = written(without_attachments(raw))
    return read_reply(RULES, text.text, ("Zoë Miller", "zoe m.")), text


def in_charset(charset: str, content: bytes, kind: str = "plain", encoding: str = "base64") -> bytes:
    head = f"Content-Type: text/{kind}; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + (b64encode(content) if encoding == "base64" else content)


def played(found: ReplyText) -> str | None:
    return found.command.notation if isinstance(found.command, Act) else found.command


WORDS = {
    "gb2312": ("gb2312", "祝你好运"),
    "gbk": ("gbk", "祝你好運"),
    "gb18030": ("gb18030", "祝你好运㐀"),
    "hz-gb-2312": ("hz", "祝你好运"),
    "big5": ("big5", "祝你好運"),
    "iso-2022-jp": ("iso2022_jp", "がんばって"),
    "shift_jis": ("shift_jis", "がんばって"),
    "euc-jp": ("euc_jp", "がんばって"),
    "windows-31j": ("cp932", "①がんばって"),
    "euc-kr": ("euc_kr", "행운을 빌어요"),
    "ks_c_5601-1987": ("cp949", "똠방각하"),
    "iso-2022-kr": ("iso2022_kr", "행운을 빌어요"),
    "iso-8859-8-i": ("iso8859_8", "בהצלחה"),
    "windows-1255": ("cp1255", "בהצלחה"),
    "koi8-r": ("koi8_r", "удачи"),
    "tis-620": ("tis_620", "โชคดี"),
    "utf-7": ("utf_7", "bonne chance à tous"),
    "utf-16": ("utf_16", "viel Glück"),
    "utf-16le": ("utf_16_le", "viel Glück"),
    "utf-16be": ("utf_16_be", "viel Glück"),
    "utf-32": ("utf_32", "viel Glück"),
    "iso-8859-1": ("cp1252", "5 € on you"),
}


@pytest.mark.parametrize("charset", WORDS)
def test_a_remark_is_read_in_the_charset_that_the_mail_names(charset: str) -> None:
    codec, words = WORDS[charset]
    found, text = understood(in_charset(charset, f"P 1 D\r\n\r\nsay: {words}\r\n".encode(codec)))
    assert (played(found), found.said, text.unsuited) == ("P 1 D", words, "")
    found, text = understood(in_charset(charset, f"<p>P 1 D</p><p>say: {words}</p>".encode(codec), "html"))
    assert (played(found), found.said, text.unsuited) == ("P 1 D", words, "")


def test_html_names_its_charset_itself_if_the_header_does_not() -> None:
    page = '<html><head><meta charset="shift_jis"></head><body>say: がんばって</body></html>'.encode("shift_jis")
    raw = b"Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + b64encode(page)
    assert understood(raw)[0].said == "がんばって"


@pytest.mark.parametrize(
    ("charset", "content", "said", "unsuited"),
    [
        # unknown, or not for text
        ("x-klingon", "say: schön".encode(), "schön", "x-klingon"),
        ("x-klingon", "say: schön".encode("cp1252"), "schön", "x-klingon"),
        ("rot13", b"say: plain", "plain", ""),
        # wrong
        ("utf-8", "say: schön".encode("cp1252"), "schön", "utf-8"),
        ("gb2312", "say: 5 € and more".encode(), "5 € and more", "gb2312"),
        ("utf-16", b"say: plain", "plain", ""),
        ("shift_jis", b"say: \x82\xa0\x81 !", "あ\ufffd !", "shift_jis"),
        # as good as none
        ("us-ascii", "say: schön".encode(), "schön", ""),
        ("unknown-8bit", "say: schön".encode("cp1252"), "schön", ""),
    ],
)
def test_a_charset_that_is_not_the_texts_is_told(charset: str, content: bytes, said: str, unsuited: str) -> None:
    found, text = understood(in_charset(charset, content))
    assert (found.said, text.unsuited) == (said, unsuited)


def test_nothing_in_utf_7_is_half_a_character() -> None:
    found, _ = understood(in_charset("utf-7", b"say: a +2AA- b"))
    assert found.said == "a +2AA- b"


@pytest.mark.parametrize("charset", ["utf-7", "utf-16", "hz", "iso-2022-kr", "gb18030", "cp932", "big5"])
@pytest.mark.parametrize("piece", [b"\xff", b"+", b"~{", b"\x1b$)C\x0e", b"\0\xd8", b"\x81"])
def test_no_charset_takes_long(charset: str, piece: bytes) -> None:
    begun = process_time()
    understood(in_charset(charset, piece * (MAX_MAIL_BYTES // len(piece) // 2)))
    assert process_time() - begun < 1


def parts(*each: MIMEBase, kind: str = "mixed") -> bytes:
    mail = MIMEMultipart(kind)
    for part in each:
        mail.attach(part)
    return mail.as_bytes()


def test_what_stands_below_a_picture_is_read() -> None:
    # As Apple Mail does with a picture in front of the text.
    found, _ = understood(
        parts(MIMEText("\n"), PICTURE, MIMEText("P 1 D\n\nsay: look at\n"), PICTURE, MIMEText("that"))
    )
    assert (played(found), found.said) == ("P 1 D", "look at\nthat")


def test_html_below_a_picture_is_read() -> None:
    found, _ = understood(parts(MIMEText("<br>", "html"), PICTURE, MIMEText("<div>P 1 D</div>", "html")))
    assert played(found) == "P 1 D"


def test_html_below_plain_text_is_read_once() -> None:
    text, page = "say: hello", "<p>say: hello</p>"
    assert understood(parts(MIMEText(text), MIMEText(page, "html")))[0].said == "hello"
    found, _ = understood(parts(MIMEText("[from outside]"), MIMEText("<p>P 1 D</p>", "html")))
    assert played(found) == "P 1 D"


def test_of_alternatives_one_is_read() -> None:
    page = MIMEMultipart("related")
    page.attach(MIMEText("<p>say: hello</p><img src='cid:1'>", "html"))
    page.attach(PICTURE)
    assert understood(parts(MIMEText("say: hello"), page, kind="alternative"))[0].said == "hello"
    # and the one with words, if the other has none
    assert understood(parts(MIMEText(" \n"), page, kind="alternative"))[0].said == "hello"


def test_a_mail_within_a_mail_is_not_its_writers() -> None:
    assert understood(parts(MIMEText("thanks"), MIMEMessage(MIMEText("P 1 D"))))[0] == ReplyText()
    assert understood(MIMEMessage(MIMEText("P 1 D")).as_bytes())[0] == ReplyText()


def test_a_file_that_is_shown_in_the_text_is_none_of_it() -> None:
    notes = MIMEText("P 1 D")
    notes.add_header("Content-Disposition", "inline", filename="notes.txt")
    assert understood(parts(MIMEText("see my notes"), notes))[0] == ReplyText()


@pytest.mark.parametrize("more", range(4))
def test_a_large_part_in_base64_is_read_wherever_it_is_cut(more: int) -> None:
    words = b"P 1 D\r\n\r\n" + b"> quoted\r\n" * (MAX_MAIL_BYTES // 10 + 1)
    raw = b"X-More: " + b"x" * more + b"\r\n" + in_charset("utf-8", words)
    assert len(raw) > MAX_MAIL_BYTES
    assert played(understood(raw)[0]) == "P 1 D"


SAID = {
    "say: good luck\n\nand see you on Sunday": "good luck\nand see you on Sunday",
    "say:\n\ngood luck": "good luck",
    "say: look\nFrom: my point of view\nall is well": "look From: my point of view all is well",
    "say: and as Bob wrote to me:\nall is well": "and as Bob wrote to me: all is well",
    "say: one\n\n> a quote\n\ntwo": "one\ntwo",
    "say: Date: Sunday\nat eight": "Date: Sunday at eight",
    "say: a - b\n- c": "a - b - c",
}


@pytest.mark.parametrize("text", SAID)
def test_a_remark_runs_to_the_end_of_what_its_writer_has_written(text: str) -> None:
    found = read_reply(RULES, text)
    assert (found.said, found.signature, found.quoted) == (SAID[text], (), "")


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nZoë\nexample.org",
        "--\nZoë",
        "—\nZoë",
        "Zoë",
        "\nzoe",
        "\nZoë Miller",
        "Sent from my iPhone",
        "\nGet Outlook for iOS",
        "\nVon meinem iPhone gesendet",
        "\nGesendet mit der GMX Mail App",
        "Envoyé de mon iPhone",
        "\nVerstuurd vanaf mijn iPhone",
        "\niPhoneから送信",
        "\n发自我的iPhone",
        "\nZoë\n\nSent with Proton Mail secure email.",
    ],
)
def test_a_signature_is_no_part_of_a_remark(signature: str) -> None:
    found = read_reply(RULES, f"P 1 D\n\nsay: good luck\n{signature}", ("Zoë Miller",))
    assert found.said == "good luck"
    assert found.signature == tuple(
        line.strip() for line in signature.splitlines() if line.strip() not in ("", "--", "—")
    )


def test_a_remark_that_is_only_a_name_is_said() -> None:
    assert read_reply(RULES, "say: Zoë", ("Zoë",)).said == "Zoë"
    assert read_reply(RULES, "say:\nZoë", ("Zoë",)).said == "Zoë"


OURS = "\n\nHello Bob, it is your move.\n\n  P 2 D\n\nP 2 D\n"
QUOTES = {
    "nl": "Van: Boardroom <boardroom@play.example.org>\nVerzonden: 21 november 2026 10:00\nAan: bob@example.net",
    "nl, by name": "Van: Boardroom\nVerzonden: zaterdag 21 november 2026 10:00\nAan: Bob\nOnderwerp: New Corp Order",
    "nl, in words": "Op za 21 nov. 2026 om 10:00 schreef Boardroom <boardroom@play.example.org>:",
    "ja": "差出人: Boardroom\n送信日時: 2026年11月21日 10:00\n宛先: Bob",
    "ja, wide": "差出人：Boardroom\n送信日時：2026年11月21日 10:00\n宛先：Bob",
    "ja, in words": "2026年11月21日(土) 10:00 Boardroom <boardroom@play.example.org>:",
    "zh": "发件人: Boardroom\n发送时间: 2026年11月21日 10:00",
    "zh, in words": '在 2026-11-21 10:00:00，"Boardroom" <boardroom@play.example.org> 写道：',
    "ko": "보낸 사람: Boardroom\n날짜: 2026년 11월 21일",
    "es": "De: Boardroom\nEnviado el: sábado, 21 de noviembre de 2026 10:00\nPara: Bob",
    "it, in words": "Il giorno sab 21 nov 2026 alle ore 10:00 Boardroom <boardroom@play.example.org> ha scritto:",
    "pl": "Od: Boardroom\nWysłano: sobota, 21 listopada 2026\nDo: Bob",
    "sv": "Från: Boardroom\nSkickat: den 21 november 2026 10:00\nTill: Bob",
    "ru": "От: Boardroom\nОтправлено: 21 ноября 2026 г. 10:00\nКому: Bob",
    "ru, in words": "сб, 21 нояб. 2026 г. в 10:00, Boardroom <boardroom@play.example.org>:",
    "de, broken": "Am Samstag, 21. November 2026 um 10:00 hat Boardroom\n<boardroom@play.example.org> gesendet:",
    "en, broken": "On Sat, Nov 21, 2026 at 10:00 AM Boardroom\n<boardroom@play.example.org>\nwrote:",
    "a language in no list": "Õd: Boardroom <boardroom@play.example.org>\nVälja: 21\nKelle: Bob\nMis: New Corp Order",
    "bold": "*From:* Boardroom <boardroom@play.example.org>\n*Sent:* Saturday",
    "a rule": "________________________________",
}


@pytest.mark.parametrize("language", QUOTES)
@pytest.mark.parametrize("above", ["P 1 D", "P 1 D\n\nsay: good luck"])
def test_a_quote_without_marks_is_no_second_command(language: str, above: str) -> None:
    found = read_reply(RULES, f"{above}\n\n{QUOTES[language]}{OURS}")
    assert (played(found), found.late, found.said) == ("P 1 D", (), "good luck" if "say" in above else None)
    assert found.quoted == QUOTES[language].splitlines()[0]


@pytest.mark.parametrize("language", [each for each in QUOTES if "words" in each or "broken" in each])
def test_what_stands_below_a_marked_quote_is_read(language: str) -> None:
    found = read_reply(RULES, f"{QUOTES[language]}\n\n> Hello\n> P 2 D\n\nP 1 D")
    assert (played(found), found.quoted) == ("P 1 D", "")


@pytest.mark.parametrize(
    "line",
    ["> ", "wrote ", "1 wrote@x.yz ", "From: a@b.cd ", "a: ", "Sent from ", "-", "—", "_", "On 1 ", "<a@" * 3],
)
def test_no_line_takes_long(line: str) -> None:
    def time(times: int) -> float:
        text = f"{line * times}\n" * 500
        begun = process_time()
        read_reply(RULES, f"say: x\n{text}x", ("Zoë",))
        return process_time() - begun

    assert time(2000 // len(line)) < 1


def test_lines_beyond_those_that_are_read_are_told() -> None:
    assert read_reply(RULES, "say: x\n" + "y\n" * 500).cut
    assert not read_reply(RULES, "say: x\n" + "> y\n" * 500).cut


FORMS = {
    "S/MIME": MIMEApplication(b"0\x82", "pkcs7-mime", smime_type="signed-data", name="smime.p7m").as_bytes(),
    "PGP": parts(MIMEApplication(b"Version: 1", "pgp-encrypted"), MIMEApplication(b"x"), kind="encrypted"),
    "winmail.dat": parts(MIMEText(""), MIMEApplication(b'x\x9f>"', "ms-tnef", name="winmail.dat")),
    "reaction": parts(
        MIMEText("👍 Bob reacted via Gmail"),
        MIMEText('{"emoji":"👍"}', "vnd.google.email-reaction+json"),
        kind="alternative",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_cannot_be_read_is_named(form: str) -> None:
    found, text = understood(FORMS[form])
    assert (found, text.form) == (ReplyText(), form)


def test_pgp_in_the_text_is_named() -> None:
    raw = b"\n-----BEGIN PGP MESSAGE-----\n\nwcBMA\n-----END PGP MESSAGE-----\n"
    assert understood(raw)[1].form == "PGP"
