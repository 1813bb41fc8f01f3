// Plays a game that is looked at again: a slider, play and pause, the arrow keys; the next steps are fetched beforehand.
// Without it everything on the page works as well, by links and forms.
"use strict";

const replay = document.getElementById("replay");
const scrub = document.getElementById("scrub");
const slider = document.getElementById("slider");
const button = document.getElementById("play");
const turn = document.getElementById("turn");
const news = document.getElementById("news");
const steps = replay.dataset.steps.split(" ");
const turns = replay.dataset.turns.split(" ");
const PACE = 2000;
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
    const asked = fetch(`${at}&only=step`, { credentials: "same-origin" }).then(async (answer) => {
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
    const looking = focused?.dataset.eyes;
    part.innerHTML = fresh.innerHTML;
    if (looking !== undefined) part.querySelector(`[data-eyes="${looking}"]`)?.focus({ preventScroll: true });
  }
  for (const each of replay.querySelectorAll("details")) each.open = opened.includes(each.dataset.key);
}

// What does not come from the server: the links to other steps, the slider, and which moment is shown.
function point() {
  const ways = { first: 0, back: place - 1, on: place + 1, last: steps.length - 1 };
  for (const link of document.querySelectorAll("#ways a")) {
    const to = ways[link.dataset.way];
    const leads = to !== place && to === within(to);
    if (leads) {
      link.href = address(to);
      link.removeAttribute("aria-disabled");
    } else {
      link.removeAttribute("href");
      link.setAttribute("aria-disabled", "true");
    }
  }
  slider.value = place;
  const number = turns[place];
  turn.textContent = number === "0" ? replay.dataset.beginning : replay.dataset.turn.replace("#", number);
  slider.setAttribute("aria-valuetext", turn.textContent);
  for (const link of document.querySelectorAll("#moments a")) {
    link.href = `${location.pathname}?at=${link.dataset.at}&eyes=${eyes}`;
    if (link.dataset.at === steps[place]) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

async function go(to) {
  place = within(to);
  point();
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

function named(text, playing) {
  button.classList.toggle("playing", playing);
  button.title = text;
  button.querySelector(".unseen").textContent = text;
}

function pause() {
  clearTimeout(playing);
  playing = null;
  named(replay.dataset.play, false);
}

async function play() {
  named(replay.dataset.pause, true);
  const mine = setTimeout(async () => {
    await go(place + 1);
    if (playing === mine) play();
  }, PACE);
  playing = mine;
}

function toggle() {
  if (playing !== null) return pause();
  if (place === steps.length - 1) go(0);
  play();
}

// Hands the address of the step to what shares on this device, or else to the clipboard.
async function share(link) {
  const shared = { title: document.title, url: link.href };
  try {
    if (navigator.share) await navigator.share(shared);
    else {
      await navigator.clipboard.writeText(link.href);
      link.parentElement.querySelector("[role=status]").textContent = link.dataset.share;
    }
  } catch (refused) {
    // What was called off is done; where neither works, the address stands in the browser's own line.
    if (refused.name !== "AbortError") location.assign(link.href);
  }
}

button.addEventListener("click", toggle);
slider.addEventListener("input", () => {
  pause();
  turn.textContent = replay.dataset.turn.replace("#", turns[slider.value]);
  clearTimeout(settling);
  settling = setTimeout(() => go(Number(slider.value)), SETTLE);
});

replay.addEventListener("click", (event) => {
  const link = event.target.closest("#ways a, a[data-at], a[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  pause();
  if (link.dataset.share !== undefined) return void share(link);
  if (link.dataset.eyes !== undefined) eyes = link.dataset.eyes;
  const ways = { first: 0, back: place - 1, on: place + 1, last: steps.length - 1 };
  go(link.dataset.way ? ways[link.dataset.way] : steps.indexOf(link.dataset.at));
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

scrub.hidden = false;
button.hidden = false;
document.getElementById("jump").hidden = true;
document.getElementById("keys").hidden = false;
