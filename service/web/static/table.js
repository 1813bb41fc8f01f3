// Makes the page of a game livelier: it follows the game, picks in place, moves between places by arrow keys, and shows
// again what has changed. Without it everything on the page works as well, by links and forms.
"use strict";

const table = document.getElementById("table");
const news = document.getElementById("news");
const POLL = 15000;
// A page that has not asked for 45 s is taken for closed (service/mail/preferences.py).
const OPEN = 20000;
const AGAIN = 2000;
const SETTLE = 150;
const STEADY = 60000;
const STEP = 200;
const STATED = [
  "hidden", "class", "data-version", "data-beside", "data-decision", "data-over", "data-title", "aria-label",
];
const PICKS = "a.step[href], a.place, a.piece, .pl .who a";
const PLACES = "#felt a[data-place], #panels .who a";

// What the server has sent last, by the id of the part: what people open or focus changes the document itself.
const sent = new Map();
let query = new URLSearchParams(location.search);
let stream = null;
let failures = 0;
let polling = null;
let opening = null;
let settling = null;
let ageing = null;
let asking = null;

const parts = (root) => root.querySelectorAll("[data-part]");
const state = () => document.getElementById("now").dataset;

function busy(now) {
  if (now !== undefined) table.setAttribute("aria-busy", now);
  return table.getAttribute("aria-busy") === "true";
}

function remember() {
  for (const part of parts(document)) sent.set(part.id, part.innerHTML);
}

// The same element after its part was replaced: by its id, its address, its name, or what it stands for on the board.
function twin(element, part) {
  if (!element || !part.contains(element)) return () => null;
  const { id, tagName } = element;
  const [href, name, place] = [element.getAttribute("href"), element.getAttribute("name"), element.dataset.place];
  return () => {
    if (id) return document.getElementById(id);
    const alike = [...part.querySelectorAll(tagName)];
    return alike.find((each) => (
      place ? each.dataset.place === place : href ? each.getAttribute("href") === href
        : name ? each.getAttribute("name") === name : each.tagName === "SUMMARY"
    ));
  };
}

function replace(root) {
  const before = state().title;
  let told = false;
  for (const fresh of parts(root)) {
    const part = document.getElementById(fresh.id);
    if (!part) continue;
    for (const name of STATED) {
      if (fresh.hasAttribute(name)) part.setAttribute(name, fresh.getAttribute(name));
      else part.removeAttribute(name);
    }
    if (sent.get(fresh.id) === fresh.innerHTML) continue;
    const opened = [...part.querySelectorAll("details[open]")].map((each) => each.dataset.key);
    const focus = twin(document.activeElement, part);
    part.innerHTML = fresh.innerHTML;
    for (const each of part.querySelectorAll("details")) if (opened.includes(each.dataset.key)) each.open = true;
    sent.set(fresh.id, fresh.innerHTML);
    focus()?.focus({ preventScroll: true });
    told ||= fresh.id === "moves";
  }
  document.title = state().title;
  age();
  if (told || before !== state().title) announce();
  if (state().over === "yes") stop();
}

// What is new is told with the names of those who did it; where nothing is marked as new, what happened last.
function announce() {
  const log = [...document.querySelectorAll("#moves .turnh, #moves .ev .told")];
  const fresh = log.filter((each) => each.closest(".new"));
  const next = log.findIndex((each, place) => place > 0 && each.matches(".turnh"));
  const lines = (fresh.length ? fresh : log.slice(0, next < 0 ? log.length : next)).map((each) => {
    const told = each.cloneNode(true);
    for (const aside of told.querySelectorAll("time, .av, .code")) aside.remove();
    return told.textContent;
  });
  const status = document.querySelector("#over:not([hidden]) h2, #act:not([hidden]) .say strong");
  news.textContent = [...lines, status?.textContent ?? ""].join(" ").replace(/\s+/g, " ");
}

// How long an action can still be taken back is said in minutes, and nothing is offered when the time is over.
function age() {
  clearTimeout(ageing);
  const left = Number(table.querySelector("[data-left]")?.dataset.left);
  if (left) ageing = setTimeout(() => (busy() ? age() : refresh(false)), ((left - 1) % 60 + 1) * 1000 + 500);
}

async function fetched(address, options) {
  asking?.abort();
  asking = new AbortController();
  const answer = await fetch(address, { ...options, signal: asking.signal, credentials: "same-origin" });
  if (answer.status === 204) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { page, search: new URL(answer.url).search };
}

const named = (asked) => {
  const search = new URLSearchParams(asked);
  return search.size ? `?${search}` : "";
};

async function refresh(have) {
  // News wait until what was pressed is answered; the answer may bring them along.
  if (have && busy()) return settle();
  const asked = new URLSearchParams(query);
  if (have) {
    asked.set("have", state().version);
    asked.set("beside", state().beside);
  }
  // What is shown here needs no mail, unless it lies behind another tab.
  if (!document.hidden) asked.set("open", "yes");
  try {
    const found = await fetched(table.dataset.live + named(asked));
    if (!found) return;
    const { page } = found;
    const now = page.getElementById("now");
    if (!now) return location.reload();
    if (have && query.size && now.dataset.decision !== state().decision) {
      // The way that was begun was one for an earlier decision.
      query = new URLSearchParams();
      history.replaceState(null, "", location.pathname);
      return refresh(false);
    }
    replace(page);
  } catch (error) {
    if (error.name !== "AbortError") news.textContent = table.dataset.lost;
  }
}

async function go(address, remembered = true) {
  query = new URL(address, location.href).searchParams;
  if (remembered) history.pushState(null, "", location.pathname + named(query));
  busy(true);
  await refresh(false);
  busy(false);
  ask();
  const told = document.querySelector("#act .say");
  if (told) news.textContent = told.textContent.replace(/\s+/g, " ").trim();
}

// The question is where the reader goes on: after a choice, and after a move.
function ask() {
  const act = document.querySelector("#over:not([hidden]), #act:not([hidden])");
  act.focus({ preventScroll: true });
  act.scrollIntoView({ block: "nearest" });
}

// What was sent was answered by another page: too often, or somebody has signed out elsewhere.
function instead(page) {
  stop();
  clearTimeout(ageing);
  document.title = page.title;
  document.getElementById("content").replaceWith(page.getElementById("content"));
}

async function send(form) {
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const body = new URLSearchParams(new FormData(form));
  busy(true);
  try {
    const { page, search } = await fetched(form.action, { method: "POST", body });
    if (!page.getElementById("now")) return instead(page);
    query = new URLSearchParams(search);
    history.pushState(null, "", location.pathname + search);
    replace(page);
    ask();
  } catch {
    // Whether it has arrived nobody knows; the page tells.
    location.assign(location.pathname);
  } finally {
    busy(false);
  }
}

// Shows the marks of what has changed one after the other; they are all on the board already.
function again() {
  const marks = [...document.querySelectorAll("#felt .change")];
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  marks.forEach((mark, place) => mark.animate(
    [{ opacity: 0 }, { opacity: 1 }], { duration: STEP, delay: STEP * place, fill: "backwards" },
  ));
}

table.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (event.target.closest(".again") && !query.size) {
    event.preventDefault();
    return again();
  }
  const link = event.target.closest(PICKS);
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
table.addEventListener("submit", (event) => {
  if (!event.target.matches(".confirm")) return;
  event.preventDefault();
  send(event.target);
});
addEventListener("popstate", () => {
  // Another tab of the side has the same query.
  if (new URLSearchParams(location.search).toString() !== query.toString()) go(location.href, false);
});

// From a place the arrow keys lead to the nearest one in their direction.
const TOWARDS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function nearest(from, [right, down]) {
  const middle = (each) => {
    const box = each.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  const far = (each) => {
    const [along, across] = [middle(each)[0] - x, middle(each)[1] - y];
    const ahead = along * right + across * down;
    return ahead > 1 ? ahead + 2 * Math.abs(along * down + across * right) : Infinity;
  };
  const found = [...document.querySelectorAll(PLACES)].filter((each) => far(each) < Infinity);
  return found.sort((one, other) => far(one) - far(other))[0];
}

const KEYS = { l: '.tabs [href="#log"]', t: '.tabs [href="#talk"]', n: "#top .gm" };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const place = event.target.closest?.(PLACES);
  if (TOWARDS[event.key] && place) {
    event.preventDefault();
    nearest(place, TOWARDS[event.key])?.focus();
  } else if (event.key === "Escape" && location.hash === "#talk") location.hash = "#panels";
  else if (event.key === "Escape") document.querySelector("#act a.cancel, #act .confirm a.step")?.click();
  else document.querySelector(KEYS[event.key])?.click();
});

function settle() {
  clearTimeout(settling);
  settling = setTimeout(() => refresh(true), SETTLE);
}

async function listen() {
  const { ticket, key } = table.dataset;
  if (!ticket || !("EventSource" in window) || failures > 3) return poll();
  try {
    const answer = await fetch(ticket, { method: "POST", body: new URLSearchParams({ form_key: key }) });
    const { url } = await answer.json();
    stream = new EventSource(`${url}?after=${state().version}&beside_log=${state().beside}`);
  } catch {
    failures += 1;
    return setTimeout(listen, AGAIN * failures);
  }
  stream.onmessage = () => {
    failures = 0;
    settle();
  };
  stream.addEventListener("changed", settle);
  stream.addEventListener("end", () => {
    stream.close();
    settle();
  });
  // A ticket opens a stream only once, so the browser's own attempt to come back would be refused.
  const since = Date.now();
  stream.onerror = () => {
    stream.close();
    // A stream that has lasted has only reached its age.
    failures = Date.now() - since > STEADY ? 0 : failures + 1;
    settle();
    setTimeout(listen, AGAIN * failures);
  };
}

function poll() {
  polling ??= setInterval(() => refresh(true), POLL);
}

function stop() {
  stream?.close();
  clearInterval(polling);
  clearInterval(opening);
}

remember();
age();
if (state().over === "no") {
  listen();
  if (table.dataset.ticket) opening = setInterval(() => document.hidden || refresh(true), OPEN);
}
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && state().over === "no") refresh(true);
});
