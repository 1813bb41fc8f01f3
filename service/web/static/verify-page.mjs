// Has verify.mjs check the record that somebody chooses or drops, and shows what came of it. The file stays here.

import { LONGEST_RECORD, verify, visible } from "./verify.mjs";

const form = document.getElementById("drop");
const found = document.getElementById("found");
const input = document.getElementById("record");
const [words, findings] = [JSON.parse(form.dataset.words), JSON.parse(form.dataset.findings)];
const VERDICTS = { true: "holds", false: "wrong", null: "unchecked" };
const { lang } = document.documentElement;
const moments = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "long" });

// Puts values into a text, which names their places.
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

function inWords(value) {
  if (value instanceof Date) return moments.format(value);
  return value.template ? filled(findings[value.template] ?? value.template, value.values.map(inWords)) : visible(String(value));
}

async function keysOfThisService() {
  try {
    const answer = await fetch("/.well-known/boardroom-keys.json");
    return answer.ok ? (await answer.json()).keys : null;
  } catch {
    return null;
  }
}

// The records of a file, as exports write them: zipped or not, and one after the other. No other line begins as a header.
// Of a zipped file, however much it unfolds to, no more than one record is in the memory at a time.
async function* recordsIn(file) {
  const zipped = hexOf(new Uint8Array(await file.slice(0, 2).arrayBuffer())) === "1f8b";
  const reader = (zipped ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream()).getReader();
  let rest = new Uint8Array();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const bytes = new Uint8Array(rest.length + chunk.value.length);
    bytes.set(rest);
    bytes.set(chunk.value, rest.length);
    let begin = 0;
    for (const { index } of new TextDecoder("latin1").decode(bytes).matchAll(/^\{"check":"[0-9a-f]*","commitment":/gm)) {
      if (index) yield bytes.subarray(begin, index);
      begin = index;
    }
    rest = bytes.subarray(begin);
    if (rest.length > LONGEST_RECORD) {
      await reader.cancel();
      throw Error("too long for a record");
    }
  }
  yield rest;
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

// What was committed to before the day of the deal that a record is of, as far as this service knows it.
async function dealOf(bytes) {
  try {
    const { deal } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(10))));
    const answer = deal && (await fetch(`/api/v1/deals/${encodeURIComponent(deal)}/proof`));
    return answer?.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

async function checked(bytes, keys) {
  // Whose seal it is can be told apart from whether it is one: a record from elsewhere has another service's.
  const deal = await dealOf(bytes);
  const report = await verify(bytes, null, deal);
  const ours = keys && (await verify(bytes, keys, deal));
  return ours?.holds ? { report: ours, ours: true } : { report, ours: false };
}

// Shows what came of the only record, or of the first that does not hold or cannot be checked, and how many there are.
async function check(file) {
  try {
    const keys = await keysOfThisService();
    let [told, count, wrong] = [null, 0, 0];
    for await (const bytes of recordsIn(file)) {
      const found = await checked(bytes, keys);
      const fails = found.report.holds === false;
      if (!told || (fails && !wrong) || (found.report.holds === null && told.report.holds)) told = found;
      [count, wrong] = [count + 1, wrong + fails];
    }
    const { report, ours } = told;
    const name = count > 1 ? `${file.name}, ${report.game ?? "?"}` : file.name;
    show(name, report, ours, count > 1 ? { count, wrong } : null);
  } catch {
    show(file.name, null);
  }
}

function show(name, report, ours, counts) {
  found.querySelector("h2").textContent = filled(report ? words[VERDICTS[report.holds]] : words.unread, { name: visible(name) });
  document.getElementById("several").textContent = counts ? filled(words.several, counts) : "";
  found.querySelector("table").hidden = !report;
  document.getElementById("keys").textContent = report?.holds && !ours ? words.keys : "";
  for (const row of found.querySelectorAll("tr[data-level]")) {
    const finding = report?.levels.find((each) => each.level === row.dataset.level);
    row.hidden = !finding && ["time", "deal"].includes(row.dataset.level);
    row.className = finding?.holds === false ? "wrong" : "";
    row.querySelector(".verdict").textContent = words[String(finding?.holds ?? null)];
    const said = finding ? inWords(finding) : "";
    row.querySelector(".told").textContent = finding?.line ? filled(words.line, { line: finding.line, said }) : said;
  }
  found.hidden = false;
}

input.addEventListener("change", () => input.files.length && check(input.files[0]));
form.addEventListener("submit", (event) => event.preventDefault());
for (const kind of ["dragover", "dragleave", "drop"]) {
  form.addEventListener(kind, (event) => {
    event.preventDefault();
    form.classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) check(event.dataTransfer.files[0]);
  });
}
// Without https a browser has no means to compute a hash.
if (!globalThis.crypto?.subtle) {
  document.getElementById("cannot").hidden = false;
  input.disabled = form.inert = true;
}
