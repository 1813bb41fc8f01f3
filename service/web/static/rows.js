// Has j and k step through the rows of a list of games, as the arrows of a mail program do; Enter opens a row.
"use strict";

const covers = () => [...document.querySelectorAll(".gm-row .cover")];

document.addEventListener("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  const typing = event.target.closest("input, select, textarea");
  if (!step || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = covers();
  const at = all.indexOf(document.activeElement);
  all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))]?.focus();
});
