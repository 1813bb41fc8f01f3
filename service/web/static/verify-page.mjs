// Has verify.mjs check the record that somebody chooses or drops, and shows what came of it. The file stays here.

import { verify } from "./verify.mjs";

const form = document.getElementById("drop");
const found = document.getElementById("found");
const input = document.getElementById("record");
const [words, findings] = [JSON.parse(form.dataset.words), JSON.parse(form.dataset.findings)];
const { lang } = document.documentElement;
const moments = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "long" });

// Puts values into a text, which names their places.
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

function inWords(value) {
  if (value instanceof Date) return moments.format(value);
  return value.template ? filled(findings[value.template] ?? value.template, value.values.map(inWords)) : String(value);
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
async function recordsIn(file) {
  const zipped = hexOf(new Uint8Array(await file.slice(0, 2).arrayBuffer())) === "1f8b";
  const source = zipped ? new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))) : file;
  const bytes = new Uint8Array(await source.arrayBuffer());
  const headers = new TextDecoder("latin1").decode(bytes).matchAll(/^\{"check":"[0-9a-f]*","commitment":/gm);
  const begins = [0, ...Array.from(headers, (header) => header.index).filter(Boolean)];
  return begins.map((begin, index) => bytes.subarray(begin, begins[index + 1]));
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function checked(bytes, keys) {
  // Whose seal it is can be told apart from whether it is one: a record from elsewhere has another service's.
  const report = await verify(bytes);
  const ours = keys && (await verify(bytes, keys));
  return ours?.holds ? { report: ours, ours: true } : { report, ours: false };
}

// Shows what came of the only record, or of the first that does not hold, and how many there are.
async function check(file) {
  try {
    const [records, keys] = [await recordsIn(file), await keysOfThisService()];
    const all = [];
    for (const bytes of records) all.push(await checked(bytes, keys));
    const wrong = all.filter(({ report }) => !report.holds);
    const { report, ours } = wrong[0] ?? all[0];
    const name = all.length > 1 ? `${file.name}, ${report.game ?? "?"}` : file.name;
    show(name, report, ours, all.length > 1 ? { count: all.length, wrong: wrong.length } : null);
  } catch {
    show(file.name, null);
  }
}

function show(name, report, ours, counts) {
  found.querySelector("h2").textContent = filled(report ? words[report.holds ? "holds" : "wrong"] : words.unread, { name });
  document.getElementById("several").textContent = counts ? filled(words.several, counts) : "";
  found.querySelector("table").hidden = !report;
  document.getElementById("keys").textContent = report?.holds && !ours ? words.keys : "";
  for (const row of found.querySelectorAll("tr[data-level]")) {
    const finding = report?.levels.find((each) => each.level === row.dataset.level);
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
