// What a test asks about the focus: the places that should be stops, and how the one looks that has it now.
"use strict";

const NATIVE = "a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex]";

function rgb(colour) {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return { red, green, blue, alpha };
}

function luminance({ red, green, blue }) {
  const [r, g, b] = [red, green, blue].map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// What lies behind an element, as far as plain backgrounds go.
function behind(element) {
  for (let each = element.parentElement; each; each = each.parentElement) {
    const colour = rgb(getComputedStyle(each).backgroundColor);
    if (colour.alpha > 0.9) return colour;
  }
  return rgb("rgb(255, 255, 255)");
}

// A radio button of a group is one stop together with its like.
function group(element) {
  return element.type === "radio" && document.querySelector(`input[name="${element.name}"]:checked`) || element;
}

function wanted(element) {
  return element.checkVisibility({ visibilityProperty: true }) && !element.disabled
    && (!element.hasAttribute("tabindex") || element.tabIndex >= 0 || element.matches("a[href], button"))
    && group(element) === element;
}

const named = (element) => `${element.localName} ${(element.textContent || element.name || element.id).trim().slice(0, 30)}`;
let places = [];

globalThis.focusPlaces = () => {
  places = [...document.querySelectorAll(NATIVE)].filter(wanted);
  return places.map(named);
};

function focused() {
  const element = document.activeElement;
  return !element || element === document.body || element === document.documentElement ? null : element;
}

// The focus comes into a frame a moment after the key: until then nothing has it. Who expects it somewhere waits.
globalThis.focusNow = async (expected) => {
  for (let left = 40; expected && !focused() && left; left -= 1) await new Promise((go) => setTimeout(go, 50));
  const element = focused();
  if (!element) return null;
  const ring = element.querySelector?.(":scope > .ring");
  const style = getComputedStyle(ring ?? element);
  const box = element.getBoundingClientRect();
  const wide = ring ? parseFloat(style.strokeWidth) : style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
  return {
    place: places.indexOf(element),
    name: named(element),
    // A day, a month and a year are stops of one field.
    inner: element.matches("iframe, input[type=date]"),
    wide,
    contrast: wide ? contrast(rgb(ring ? style.stroke : style.outlineColor), behind(element)) : 0,
    inside: box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight,
  };
};
