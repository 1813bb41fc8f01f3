// What is too small on a page to be pressed or read, as sentences.
function pressable(element) {
  const cover = element.closest(".gm-row, .shelf li");
  if (cover && element.matches(".cover, h3 a")) return cover;
  if (element.matches("[type=radio], [type=checkbox]")) return element.closest("label, .option") ?? element;
  return element;
}

// A link within a sentence is as high as its line.
function inSentence(element) {
  if (!element.matches("a, button.term") || element.matches(".button, .more")) return false;
  const around = element.closest("p, li, dd, dt, td, figcaption, label, .note, .told");
  return around !== null && around.textContent.trim() !== element.textContent.trim();
}

window.tooSmall = () => {
  const found = [];
  const least = 43.9;
  const pressed = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  for (const element of document.querySelectorAll(pressed)) {
    const target = pressable(element);
    if (!element.checkVisibility() || target.closest(".unseen, .skip, svg") || inSentence(element)) continue;
    const { width, height } = target.getBoundingClientRect();
    if (width < least || height < least) {
      found.push(`${Math.round(width)} x ${Math.round(height)}: ${element.outerHTML.slice(0, 90)}`);
    }
  }
  for (const element of document.body.querySelectorAll("*:not(svg *):not(script)")) {
    const said = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (said && element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < 12) {
      found.push(`text of ${getComputedStyle(element).fontSize}: ${element.outerHTML.slice(0, 90)}`);
    }
  }
  return found;
};
