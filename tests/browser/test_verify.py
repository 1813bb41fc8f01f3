"""A record is checked by the browser itself, with the keys of the service that it comes from."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.audit.records import sealed, without_line
from tests.browser.chromium import House

DROPPED = """(text) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([text], "broken.jsonl"));
  return dropped;
}"""


def test_a_record_is_checked_by_the_browser_and_sent_nowhere(house: House, chromium: Browser, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    whole.write_bytes(sealed())
    broken.write_bytes(without_line(sealed(), 6).data)
    context = chromium.new_context(locale="en-GB", viewport={"width": 360, "height": 740})
    page, asked, complaints = context.new_page(), [], []
    page.on("request", lambda request: asked.append((request.method, request.post_data)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(f"{house.url}/verify")
    page.set_input_files("#record", whole)
    expect(page.locator("#found h2")).to_have_text("whole.jsonl: the record holds")
    assert page.locator(".verdict").all_text_contents() == ["holds"] * 4
    expect(page.locator("#keys")).to_contain_text("no seal of this service")
    page.dispatch_event("#drop", "drop", {"dataTransfer": page.evaluate_handle(DROPPED, broken.read_text())})
    expect(page.locator("#found h2")).to_have_text("broken.jsonl: the record does NOT hold")
    expect(page.locator("tr[data-level=chain] .told")).to_contain_text("line 7: ")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert {method for method, _ in asked} == {"GET"} and not any(sent for _, sent in asked) and complaints == []
    context.close()
