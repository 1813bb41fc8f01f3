"""Every kind of mail in every language: as it was recorded, well built, and the same in both its parts."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from service.mail import html_part
from service.mail.blocks import Content, Grid
from service.rules.kernel import Unreadable
from tests.games.sealed_bids.notation import parse as parse_bid
from tests.mail_goldens import FOLDER, golden, mail_of, read
from tests.mail_samples import WRITERS
from tests.mail_tree import URL, Html, body, plain_words, tree, unsaid
from tests.rules.playouts import RULESETS

NAMES = sorted(WRITERS)
LARGEST_HTML = 60 * 1024
LARGEST_MAIL = 200 * 1024
NARROW_URL = re.compile(r"https?://[a-z0-9/.:_-]*[a-z0-9]")
COMMANDS = re.compile(
    r"help|hilfe|aide|show|zeige?n?|montrer?|voir|undo|zurück|annuler|resign|aufgeben|abandonner|mute|stumm|muet|pass|passe|skip",
    re.IGNORECASE,
)
ANSWERS = ("receipt", "problem.", "problem-not-yours")
GAME_MAILS = ("turn", "reminder", "lapsed", "started", "message", "proposal", *ANSWERS)
TEMPLATE = (Path(html_part.__file__).parent / "templates" / "mail.html").read_text()


def test_the_goldens_are_exactly_the_mails_that_there_are() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.eml")) == NAMES


def test_a_mail_is_written_byte_for_byte_as_it_was_recorded(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            assert golden(mail_of(name)).decode() == (FOLDER / f"{name}.eml").read_bytes().decode()


def test_the_columns_of_a_board_stand_below_each_other() -> None:
    texts = [body(read(mail_of(name)), "plain") for name in NAMES]
    rows = [line for text in texts for line in text.splitlines() if re.fullmatch(r"\|.*\|", line)]
    assert any(re.search(r"\|\d\d ", row) for row in rows)
    assert {row for row in rows if [at for at, sign in enumerate(row) if sign == "|"] != [0, 17, 34, 51, 68]} == set()


def test_the_head_of_a_table_has_room_on_a_phone(subtests: pytest.Subtests) -> None:
    for name in [name for name in NAMES if name.startswith(("over", "league-over"))]:
        with subtests.test(name):
            cells = re.findall(r'scope="col"[^>]*>([^<]+)<', body(read(mail_of(name)), "html"))
            assert 0 < sum(max(map(len, cell.split())) for cell in cells) <= html_part.PHONE_ROW_LENGTH


@pytest.mark.parametrize(("player", "apart"), [("Bob", False), ("Bartholomew", True)])
def test_names_have_rows_of_their_own_where_a_phone_has_no_room_beside_the_numbers(player: str, apart: bool) -> None:
    points = Grid(("Wer", "Milliarden", "Einfluss", "Nobelpreis", "Wert"), ((player, "3", "1", "0", "6"),))
    html = html_part.html_part(Content("de", "Vorbei", "Vorbei", (points,)), {})
    assert ("colspan=" in html) == apart


def test_a_french_mail_calls_the_opponent_by_its_french_name_only(subtests: pytest.Subtests) -> None:
    for name in [name for name in NAMES if name.endswith("1p.fr")]:
        with subtests.test(name):
            assert set(re.findall(r"\b(?:ODS|SOD)\b", body(read(mail_of(name)), "plain"))) == {"SOD"}


def test_a_mail_is_text_and_html_with_its_picture_inside(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            message = read(mail_of(name))
            tables = {"digest": 2, "digest-quiet": 0, "digest-clock": 2}
            count = tables.get(name.rpartition(".")[0], int(name.startswith((*GAME_MAILS, "over", "invitation"))))
            pictured = ("multipart/related", "text/html", *["image/png"] * count)
            assert tree(message) == ("multipart/alternative", "text/plain", pictured if count else "text/html")
            html = Html(body(message, "html"))
            images = [given for tag, given in html.tags if tag == "img"]
            pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
            assert [f"cid:{part['Content-ID'].strip('<>')}" for part in pictures] == [given["src"] for given in images]
            assert all(part.get_content_disposition() == "inline" and part.get_filename() is None for part in pictures)
            assert all(0 < len(given["alt"]) <= 250 for given in images)


def test_both_parts_say_the_same_and_lead_to_the_same_places(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            message = read(mail_of(name))
            text, html = body(message, "plain"), Html(body(message, "html"))
            assert URL.findall(text) == html.addresses
            assert unsaid(html, text) == []


@pytest.mark.parametrize("name", ["turn-first.en", "started.en", "message.en", "lapsed.en"])
def test_html_says_what_the_reader_holds_which_is_not_on_the_board(name: str) -> None:
    html = Html(body(read(mail_of(name)), "html"))
    assert any(chunk.startswith("Your hand: ") for chunk in html.words)
    assert any(chunk.startswith("Your objectives ") for chunk in html.words)


@pytest.mark.parametrize("name", ["over.de", "over-bastards.de", "over-1p.fr", "over-long-names.fr"])
def test_a_mail_of_a_game_that_is_over_tells_each_thing_once_and_nothing_of_a_turn(name: str) -> None:
    message = read(mail_of(name))
    text, html = body(message, "plain"), Html(body(message, "html"))
    for said in (text, " ".join(html.words)):
        assert not re.search(r"\bHand\b|Anweisung|\bMain\b|en main|passt bis", said)
    assert [chunk for chunk in html.words if re.match("Gewonnen|Victoire :", chunk)] == []
    assert re.search(r"^(Wer|Qui)  .*\b(SP|Wert|PV)\r?$", text, re.MULTILINE), "the table of points is there"


@pytest.mark.parametrize(("name", "away"), [("turn-clock.de", "abwesend."), ("reminder-crowd.fr", "s'absente")])
def test_html_leaves_the_absences_of_others_to_the_page_and_text_tells_them(name: str, away: str) -> None:
    message = read(mail_of(name))
    assert away in plain_words(body(message, "plain")).replace("\u2019", "'")
    assert away not in body(message, "html").replace("\u2019", "'")


def test_no_line_of_a_french_mail_begins_with_its_punctuation(subtests: pytest.Subtests) -> None:
    for name in [name for name in NAMES if name.endswith(".fr")]:
        with subtests.test(name):
            message = read(mail_of(name))
            html = re.sub(r"<(style|title).*?</\1>", "", body(message, "html"), flags=re.DOTALL)
            for said in (body(message, "plain"), html):
                assert re.findall(r".*\S[ \n] *[:;?!»](?!\S).*", said) == []
                assert re.findall(r".*«[ \n].*", said) == []


def test_the_move_that_shows_how_to_answer_ends_in_no_hyphen_after_which_a_line_could_end(
    subtests: pytest.Subtests,
) -> None:
    for name in [name for name in NAMES if name.startswith("turn")]:
        with subtests.test(name):
            text = body(read(mail_of(name)), "plain").replace("\u00a0", " ")
            assert not re.search(r"- ?[»”“\"]", text)


def test_links_are_short_plain_and_alone_on_their_lines(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            lines = [line for line in body(read(mail_of(name)), "plain").splitlines() if "://" in line]
            assert lines
            for line in lines:
                assert NARROW_URL.fullmatch(line.strip()), line
                assert len(line.strip()) < 70, line


def test_no_line_can_be_taken_for_a_reply(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            message = read(mail_of(name))
            html = body(message, "html")
            shown = re.sub(
                r"<(?!/?(span|a|td|th)\b)[^>]*>", "\n", re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL)
            )
            for line in [*body(message, "plain").splitlines(), *re.sub(r"<[^>]*>", "", shown).splitlines()]:
                plain = line.strip().strip("\"'.").replace("\u00a0", " ")
                assert not COMMANDS.fullmatch(plain), line
                for parse in (RULESETS["new-corp-order"].parse, parse_bid):
                    with pytest.raises(Unreadable):
                        parse(plain)


def test_headers_are_plain_and_say_what_the_mail_is(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            raw = mail_of(name)
            message = read(raw)
            header = raw.split(b"\r\n\r\n")[0].decode("ascii")
            ids = [
                line
                for line in header.splitlines()
                if re.match("(Message-ID|In-Reply-To|References|List-|Reply-To)", line)
            ]
            assert not [line for line in ids if "=?" in line]
            assert max(len(line) for line in header.splitlines() if not line.startswith("List-")) <= 78
            assert max(map(len, raw.splitlines())) <= 998
            language = name.rpartition(".")[2]
            assert message["Content-Language"] == language
            assert Html(body(message, "html")).tags[0] == ("html", {"lang": language})
            assert message["Auto-Submitted"] == ("auto-replied" if name.startswith(ANSWERS) else "auto-generated")
            kind = re.match(r"sign-in|\w+", name)
            # Challenges, requests of friends and invitations to tournaments are one kind for those who want none.
            assert kind
            listed = "challenge" if kind[0] in ("friend", "tournament") else kind[0]
            assert message["List-Id"] == f"<{listed}.boardroom.example>"
            assert message["Precedence"] == ("bulk" if name.startswith("digest") else None)
            # What concerns the safety of an account cannot be had without.
            unasked = not name.startswith((*ANSWERS, "sign-in", "trial", "account"))
            assert (message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click") == unasked
            assert (message["List-Unsubscribe"] is not None) == unasked
            running = name.startswith(GAME_MAILS)
            assert (message["Reply-To"] is not None) == running
            if running:
                assert message["Reply-To"].addresses[0].addr_spec == f"z+{'b' * 26}@boardroom.example"


def test_a_mail_is_small(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            raw = mail_of(name)
            assert len(body(read(raw), "html").encode()) <= LARGEST_HTML
            assert len(raw) <= LARGEST_MAIL


def test_html_is_plain_enough_for_every_mail_program(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            html = Html(body(read(mail_of(name)), "html"))
            used = {tag for tag, _ in html.tags}
            assert used.isdisjoint({"script", "link", "form", "iframe", "svg", "video"})
            for style in html.styles:
                assert not re.search(r"flex|display:\s*grid|position:|url\(|background-image", style), style
                sizes = re.findall(r"font-size: (\d+)px", style)
                assert all(int(size) >= 14 for size in sizes), style
            for given in (given for tag, given in html.tags if tag == "a"):
                high = {key: int(px) for key, px in re.findall(r"(line-height|padding): (\d+)px", given["style"])}
                # Links side by side in small print are as high as a line and the space around it (WCAG 2.2, 2.5.8).
                least = 32 if "font-size: 14px" in given["style"] else 44 - 2 * ("border: 1px" in given["style"])
                assert high["line-height"] + 2 * high.get("padding", 0) >= least, given["style"]
            levels = [int(tag[1]) for tag, _ in html.tags if re.fullmatch("h[1-6]", tag)]
            assert all(after <= before + 1 for before, after in pairwise([1, *levels]))


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colours(sheet: str) -> dict[tuple[str, str], str]:
    """The colours of a style sheet, by class and property."""
    rules = re.findall(r"((?:\.\w+,? ?)+) \{([^}]*)\}", sheet)
    return {
        (name, what): colour
        for names, body in rules
        for name in re.findall(r"\.(\w+)", names)
        for what, colour in re.findall(r"(?:^|[ ;])(color|background-color): (#\w{6})", body)
    }


def test_all_text_stands_out_from_its_ground_by_day_and_by_night() -> None:
    day, night = TEMPLATE.split("@media (prefers-color-scheme: dark)")
    for shades in (colours(day), {**colours(day), **colours(night)}):
        grounds = dict.fromkeys(("ink", "faint", "link", "move"), shades["paper", "background-color"])
        for name, ground in {**grounds, "button": shades["button", "background-color"]}.items():
            light, dark = sorted((luminance(shades[name, "color"]), luminance(ground)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (name, shades[name, "color"], ground)
