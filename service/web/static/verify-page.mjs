// Has verify.mjs check the record that somebody chooses or drops, and shows what came of it. The file stays here.

import { verify } from "./verify.mjs";

const form = document.getElementById("drop");
const found = document.getElementById("found");
const input = document.getElementById("record");

async function keysOfThisService() {
  try {
    const answer = await fetch("/.well-known/boardroom-keys.json");
    return answer.ok ? (await answer.json()).keys : null;
  } catch {
    return null;
  }
}

async function check(file) {
  const [bytes, keys] = [new Uint8Array(await file.arrayBuffer()), await keysOfThisService()];
  // Whose seal it is can be told apart from whether it is one: a record from elsewhere has another service's.
  const report = await verify(bytes);
  const ours = keys && (await verify(bytes, keys)).holds;
  show(file.name, report, ours);
}

function show(name, report, ours) {
  const { holds, wrong, line, unknown } = form.dataset;
  found.querySelector("h2").textContent = `${name}: ${report.holds ? holds : wrong}`;
  document.getElementById("keys").textContent = report.holds && !ours ? unknown : "";
  for (const row of found.querySelectorAll("tr[data-level]")) {
    const finding = report.levels.find((each) => each.level === row.dataset.level);
    row.className = finding?.holds === false ? "wrong" : "";
    row.querySelector(".verdict").textContent = form.dataset[String(finding?.holds ?? null)];
    const place = finding?.line ? `${line.replace("#", finding.line)}: ` : "";
    row.querySelector(".told").textContent = finding ? place + finding.said : "";
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
