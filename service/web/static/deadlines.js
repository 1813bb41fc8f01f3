// Counts down what is left until the deadlines of a page, which say it as text without this script.
"use strict";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const SECONDS_FROM = 3600;
const language = document.documentElement.lang || "en";
// As the server writes them: narrow units of other languages have gaps.
const BRIEF = language === "en" ? "narrow" : "short";
const list = new Intl.ListFormat(language, { type: "conjunction" });
// By the element: when its time is up, by the clock of this page, which nobody sets.
const ends = new WeakMap();

function worded(number, unit, unitDisplay) {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay }).format(number);
}

function duration(seconds, display) {
  // Above an hour the seconds would only be restless.
  let rest = seconds < SECONDS_FROM ? seconds : seconds - seconds % 60;
  const parts = [];
  for (const [unit, length] of UNITS) {
    const number = Math.floor(rest / length);
    rest %= length;
    if (number && parts.length < 2) parts.push(worded(number, unit, display));
    else if (parts.length) break;
  }
  if (!parts.length) parts.push(worded(0, "second", display));
  return display === "long" ? list.format(parts) : parts.join(" ");
}

function count() {
  for (const each of document.querySelectorAll("time.due[data-seconds]")) {
    if (!ends.has(each)) ends.set(each, performance.now() + each.dataset.seconds * 1000);
    const seconds = Math.ceil((ends.get(each) - performance.now()) / 1000);
    const text = seconds > 0 ? each.dataset.left.replace("{}", duration(seconds, "brief" in each.dataset ? BRIEF : "long")) : each.dataset.up;
    if (each.textContent !== text) each.textContent = text;
  }
}

count();
setInterval(count, 1000);
