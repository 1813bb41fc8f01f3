// The browser knows its time zone and its languages: an account that keeps others is offered these.
"use strict";

function offer(button, field, value, name) {
  button.textContent = button.dataset.text.replace("{}", name);
  button.hidden = false;
  button.addEventListener("click", () => {
    field.value = value;
    button.hidden = true;
    field.focus();
  });
}

const zone = document.getElementById("time_zone");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (here && zone.value !== here) offer(document.getElementById("zone-here"), zone, here, here);

const language = document.getElementById("language");
const spoken = navigator.languages.map((each) => each.split("-")[0]);
const wished = spoken.map((code) => [...language.options].find((each) => each.value === code)).find(Boolean);
if (wished && wished.value !== language.value) {
  offer(document.getElementById("language-here"), language, wished.value, wished.textContent);
}
