// The browser knows the time zone that it is in: whoever keeps another one in the account is offered it.
const zone = document.getElementById("time_zone");
const offer = document.getElementById("zone-here");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (here && zone.value !== here) {
  offer.textContent = offer.dataset.text.replace("{}", here);
  offer.hidden = false;
  offer.addEventListener("click", () => {
    zone.value = here;
    offer.hidden = true;
    zone.focus();
  });
}
