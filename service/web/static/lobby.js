// Has the page of a table that waits for its players follow who comes and goes, and move on when the game begins.
// Without it the page has a link to look again.
"use strict";

const lobby = document.getElementById("lobby");
const news = document.getElementById("news");
const POLL = 4000;

// What the server has sent last, by the id of the part: a browser changes what people write in.
const sent = new Map();
let polling = null;

const parts = (root) => [...root.querySelectorAll("[data-part]")];
const seats = () => document.getElementById("seats").dataset;

// A button by where its form goes, and what that sends.
function meant(element) {
  const form = element?.closest("form");
  if (!form) return null;
  return [form.getAttribute("action"), ...[...form.querySelectorAll("[type=hidden]")].map((each) => each.value)].join();
}

function replace(page) {
  const before = seats().told;
  for (const fresh of parts(page)) {
    const part = document.getElementById(fresh.id);
    if (sent.get(fresh.id) === fresh.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? meant(document.activeElement) : null;
    part.innerHTML = fresh.innerHTML;
    Object.assign(part.dataset, fresh.dataset);
    sent.set(fresh.id, fresh.innerHTML);
    if (focused) [...part.querySelectorAll("button")].find((each) => meant(each) === focused)?.focus();
  }
  if (seats().told !== before) news.textContent = seats().told;
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(lobby.dataset.live, { credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The game has begun or was called off, or one may not see it any more: the page's own address tells.
    const there = page.getElementById("seats");
    if (answer.ok && there?.dataset.status === seats().status) return replace(page);
    if (answer.status < 500 && answer.status !== 429) {
      clearInterval(polling);
      location.replace(lobby.dataset.page);
    }
  } catch {
    // The next look may be answered.
  }
}

for (const part of parts(document)) sent.set(part.id, part.innerHTML);
document.getElementById("look").hidden = true;
polling = setInterval(look, POLL);
document.addEventListener("visibilitychange", look);
