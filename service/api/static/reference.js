// The reference is drawn by a script that is not ours. What it leaves to be desired for those who use a keyboard or a
// screen reader is mended as soon as it is drawn, and whenever a part of it opens.
"use strict";

const shown = document.querySelector("main");

/** Let what scrolls sideways be reached by the keyboard. */
function reachScrolling() {
  for (const each of shown.querySelectorAll("pre, table")) {
    if (each.tabIndex < 0 && each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
}

/** Have no heading skip a level below the one before it. */
function orderHeadings() {
  let before = 0;
  for (const each of shown.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    before = Math.min(Number(each.tagName[1]), before + 1);
    each.ariaLevel = before;
  }
}

let due = false;

function mend() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    orderHeadings();
    reachScrolling();
  });
}

new MutationObserver(mend).observe(shown, { childList: true, subtree: true });
addEventListener("resize", mend);
