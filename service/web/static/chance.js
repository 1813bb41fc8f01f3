// Draws the player's own value of chance in this browser, at the moment when a form is sent that takes a seat, so that
// the service cannot have chosen it. Without it the service draws one, and says so. Where the form makes an account, it
// says the time zone of this browser too; without it the account begins with UTC.
"use strict";

document.addEventListener("submit", (event) => {
  const field = event.target.elements.namedItem("nonce");
  const zone = event.target.querySelector("input[type=hidden][name=zone]");
  if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  if (field) field.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
});
