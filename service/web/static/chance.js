// Draws the player's own value of chance in this browser, at the moment when a form is sent that takes a seat, so that
// the service cannot have chosen it. Without it the service draws one, and says so.
"use strict";

document.addEventListener("submit", (event) => {
  const field = event.target.elements.namedItem("nonce");
  if (field) field.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
});
