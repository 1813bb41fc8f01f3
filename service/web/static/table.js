// Makes the page of a game livelier: it follows the game, picks actions in place, and lets the board be touched.
// Without it everything on the page works as well, by links and forms.
"use strict";

const table = document.getElementById("table");
const news = document.getElementById("news");
const POLL = 15000;
const AGAIN = 2000;
const SETTLE = 150;
const STEADY = 60000;
const STATED = [
  "hidden", "data-version", "data-beside", "data-decision", "data-over", "data-title", "aria-label",
];
const SVG = "http://www.w3.org/2000/svg";

// What the server has sent last, by the id of the part: what people open or focus changes the document itself.
const sent = new Map();
let query = new URLSearchParams(location.search);
let stream = null;
let failures = 0;
let polling = null;
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
  for (const part of parts(table)) sent.set(part.id, part.innerHTML);
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
  mark();
  if (told || before !== state().title) announce();
  if (state().over === "yes") stop();
}

function announce() {
  const first = document.querySelector("#moves .deeds li");
  const lines = first ? [...first.querySelectorAll("p:not(.when)")].map((each) => each.textContent) : [];
  const status = document.querySelector("#now .stand");
  news.textContent = [...lines, status?.textContent ?? ""].join(" ").replace(/\s+/g, " ");
}

// What the next step allows is marked on the board, and does there what its link does.
function mark() {
  for (const ring of table.querySelectorAll(".ring")) ring.remove();
  for (const square of table.querySelectorAll("#board .square.open")) {
    square.classList.remove("open");
    for (const name of ["tabindex", "role", "aria-label"]) square.removeAttribute(name);
  }
  const links = new Map();
  for (const link of table.querySelectorAll("#pick a[data-at]")) {
    const place = link.dataset.at;
    links.set(place, links.has(place) ? null : link);
  }
  for (const [place, link] of links) {
    const square = link && table.querySelector(`#board .picture:first-child [data-place="${CSS.escape(place)}"]`);
    if (square) open(square, link);
  }
  const some = table.querySelector("#board .square.open") !== null;
  // An image is one thing to a screen reader; what can be chosen in it has to be reached.
  table.querySelector("#board svg")?.setAttribute("role", some ? "group" : "img");
  document.documentElement.classList.toggle("with-script", some);
  age();
}

// How long an action can still be taken back is said in minutes, and nothing is offered when the time is over.
function age() {
  clearTimeout(ageing);
  const left = Number(table.querySelector("[data-left]")?.dataset.left);
  if (left) ageing = setTimeout(() => (busy() ? age() : refresh(false)), ((left - 1) % 60 + 1) * 1000 + 500);
}

function open(square, link) {
  const box = square.getBBox();
  const ring = document.createElementNS(SVG, "rect");
  const values = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4, rx: 6, class: "ring" };
  for (const [name, value] of Object.entries(values)) ring.setAttribute(name, value);
  square.append(ring);
  square.classList.add("open");
  square.setAttribute("tabindex", "0");
  square.setAttribute("role", "button");
  // Whoever speaks to the machine says what is to be read there.
  const read = [...square.querySelectorAll("title, text")].map((each) => each.textContent).join(" ");
  // Without a space between them two texts would be one word.
  for (const each of square.querySelectorAll("*")) if (each.nextSibling?.nodeType !== Node.TEXT_NODE) each.after(" ");
  square.setAttribute("aria-label", `${link.textContent}, ${read}`);
  square.dataset.href = link.getAttribute("href");
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
  document.querySelector("#pick .step, #pick button")?.focus({ preventScroll: true });
  document.getElementById("pick").scrollIntoView({ block: "nearest" });
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
    // What cannot be taken back is asked for once more, further down.
    const again = document.querySelector("#pick .final[role=alert]");
    again?.focus({ preventScroll: true });
    document.getElementById(again ? "pick" : "now").scrollIntoView({ block: "nearest" });
  } catch {
    // Whether it has arrived nobody knows; the page tells.
    location.assign(location.pathname);
  } finally {
    busy(false);
  }
}

table.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a.step");
  const square = event.target.closest(".square.open");
  if (!link && !square) return;
  event.preventDefault();
  go(link ? link.getAttribute("href") : square.dataset.href);
});
table.addEventListener("keydown", (event) => {
  const square = event.target.closest?.(".square.open");
  if (!square || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  go(square.dataset.href);
});
table.addEventListener("submit", (event) => {
  if (!event.target.matches(".confirm")) return;
  event.preventDefault();
  send(event.target);
});
addEventListener("popstate", () => go(location.href, false));

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
}

remember();
mark();
if (state().over === "no") listen();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && state().over === "no") refresh(true);
});
