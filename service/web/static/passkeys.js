// Makes a passkey, or signs in by one: asks the server for a challenge, and sends the browser's answer with the form.
const usable = typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";

const ceremonies = {
  create: (wanted) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(wanted) }),
  get: (wanted) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(wanted) }),
};

const answered = async (place, form) => {
  const sent = { method: "POST", body: new URLSearchParams(new FormData(form)) };
  const challenge = await fetch(place.dataset.challenge, sent);
  if (!challenge.ok) throw new Error(`challenge: ${challenge.status}`);
  return ceremonies[place.dataset.ceremony](await challenge.json());
};

for (const place of usable ? document.querySelectorAll("[data-challenge]") : []) {
  const form = place.querySelector("form");
  const refusal = place.querySelector("[role=alert]");
  const missing = document.getElementById(place.dataset.missing);
  place.hidden = false;
  if (missing) missing.hidden = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    refusal.hidden = true;
    try {
      form.elements.credential.value = JSON.stringify(await answered(place, form));
      form.submit();
    } catch (error) {
      refusal.hidden = false;
      button.disabled = false;
      button.focus();
    }
  });
}
