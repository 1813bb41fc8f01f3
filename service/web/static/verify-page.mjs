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

async function check(file) {
  try {
    const [bytes, keys] = [new Uint8Array(await file.arrayBuffer()), await keysOfThisService()];
    // Whose seal it is can be told apart from whether it is one: a record from elsewhere has another service's.
    const report = await verify(bytes);
    const ours = keys && (await verify(bytes, keys));
    show(file.name, ours?.holds ? ours : report, ours?.holds);
  } catch {
    show(file.name, null);
  }
}

function show(name, report, ours) {
  found.querySelector("h2").textContent = filled(report ? words[report.holds ? "holds" : "wrong"] : words.unread, { name });
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
