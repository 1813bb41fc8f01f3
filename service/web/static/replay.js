// Plays a game that is looked at again: a slider, play and pause, the arrow keys; what comes next is fetched beforehand.
// Without it everything on the page works as well, by links and forms.
"use strict";

const replay = document.getElementById("replay");
const player = document.getElementById("player");
const slider = document.getElementById("slider");
const button = document.getElementById("play");
const speed = document.getElementById("speed");
const news = document.getElementById("news");
const steps = replay.dataset.steps.split(" ");
const KEPT = 60;
const AHEAD = 3;
const SETTLE = 120;

// Pages that were fetched, by their addresses, the oldest first.
const fetched = new Map();
let place = Number(replay.dataset.place);
let eyes = replay.dataset.eyes;
let playing = null;
let settling = null;

const address = (to) => `${location.pathname}?at=${steps[to]}&eyes=${eyes}`;
const within = (to) => Math.min(Math.max(0, to), steps.length - 1);

function page(at) {
  if (!fetched.has(at)) {
    const asked = fetch(at, { credentials: "same-origin" }).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    });
    // What failed is asked for again the next time.
    asked.catch(() => fetched.delete(at));
    fetched.set(at, asked);
    if (fetched.size > KEPT) fetched.delete(fetched.keys().next().value);
  }
  return fetched.get(at);
}

function show(found) {
  const opened = [...replay.querySelectorAll("details[open]")].map((each) => each.dataset.key);
  for (const part of replay.querySelectorAll("[data-part]")) {
    const fresh = found.getElementById(part.id);
    if (!fresh) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const way = focused?.dataset.way;
    const name = focused?.getAttribute("name");
    part.innerHTML = fresh.innerHTML;
    const twin = way ? `[data-way="${way}"]` : name ? `[name="${name}"]` : null;
    if (twin) part.querySelector(twin)?.focus({ preventScroll: true });
  }
  for (const each of replay.querySelectorAll("details")) each.open = opened.includes(each.dataset.key);
}

async function go(to) {
  place = within(to);
  slider.value = place;
  const at = address(place);
  try {
    const found = await page(at);
    // Somebody who has gone on meanwhile wants to see that.
    if (at !== address(place)) return;
    show(found);
    history.replaceState(null, "", at);
    news.textContent = "";
    for (let ahead = 1; ahead <= AHEAD; ahead += 1) {
      if (place + ahead < steps.length) page(address(place + ahead)).catch(() => {});
    }
  } catch {
    pause();
    news.textContent = replay.dataset.lost;
  }
  if (place === steps.length - 1) pause();
}

function pause() {
  clearTimeout(playing);
  playing = null;
  button.textContent = replay.dataset.play;
}

async function play() {
  button.textContent = replay.dataset.pause;
  const mine = setTimeout(async () => {
    await go(place + 1);
    if (playing === mine) play();
  }, Number(speed.value));
  playing = mine;
}

function toggle() {
  if (playing !== null) return pause();
  if (place === steps.length - 1) go(0);
  play();
}

button.addEventListener("click", toggle);
slider.addEventListener("input", () => {
  pause();
  clearTimeout(settling);
  settling = setTimeout(() => go(Number(slider.value)), SETTLE);
});

replay.addEventListener("click", (event) => {
  const link = event.target.closest("#ways a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  pause();
  go({ first: 0, back: place - 1, on: place + 1, last: steps.length - 1 }[link.dataset.way]);
});

replay.addEventListener("submit", (event) => {
  if (event.target.method !== "get") return;
  event.preventDefault();
  pause();
  const asked = new FormData(event.target);
  eyes = asked.get("eyes");
  const to = steps.indexOf(asked.get("at"));
  go(to < 0 ? place : to);
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, button, summary, pre, [role=region]")) return;
  const ways = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: steps.length - 1 };
  if (event.key === " ") toggle();
  else if (event.key in ways) {
    pause();
    go(ways[event.key]);
  } else return;
  event.preventDefault();
});

player.hidden = false;
document.getElementById("keys").hidden = false;
