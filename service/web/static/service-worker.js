// Shows what is pushed, opens the table that it is about, and shows a page of its own where there is no connection.
// It keeps that page and what the page is made of, and with what it is subscribed.
const KEPT = "offline";
const PARTS = ["/offline", "/look/style.css", "/look/fonts/archivo-boardroom.woff2", "/look/icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(PARTS)));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  } else if (PARTS.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request, { ignoreVary: true })));
  }
});

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, icon: "/look/icon-192.png", data: { url } }));
});

// The push service may end a subscription and begin another: the channel of this browser is led on to that one. What it
// was subscribed with lies where channels.js has put it, since not every browser tells of the former subscription.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil((async () => {
    const kept = await caches.match("/push/subscription");
    const known = kept ? await kept.json() : {};
    const before = event.oldSubscription?.endpoint ?? known.endpoint;
    const key = known.key ? Uint8Array.from(known.key) : event.oldSubscription?.options.applicationServerKey;
    const fresh = event.newSubscription
      ?? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = fresh.toJSON();
    const told = { before, url: endpoint, p256dh: keys.p256dh, auth: keys.auth };
    await fetch("/push/renewal", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told),
    });
    const renewed = new Response(JSON.stringify({ ...known, endpoint }));
    await (await caches.open(KEPT)).put("/push/subscription", renewed);
  })());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url);
  if (url.origin === self.location.origin) {
    event.waitUntil(self.clients.openWindow(url.href));
  }
});
