// Subscribes this browser to Web Push, and sends the subscription with the form.
const form = document.getElementById("push");
const missing = document.getElementById("push-missing");
const blocked = document.getElementById("push-blocked");

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));

const subscribed = async (key) => {
  await navigator.serviceWorker.register(form.dataset.worker);
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  try {
    return await pushManager.subscribe(wanted);
  } catch (error) {
    // One that was made with another key of this server is in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  }
};

if (form && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  form.hidden = false;
  missing.hidden = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") throw new Error("not granted");
      const { endpoint, keys } = (await subscribed(form.dataset.key)).toJSON();
      const kept = new Response(JSON.stringify({ endpoint, key: [...bytes(form.dataset.key)] }));
      await (await caches.open("offline")).put("/push/subscription", kept);
      form.elements.url.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit();
    } catch (error) {
      blocked.hidden = false;
      button.disabled = false;
    }
  });
}
