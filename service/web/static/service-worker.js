// Shows what is pushed, opens the table that it is about, and shows a page of its own where there is no connection.
// It keeps that page and what the page is made of, and nothing else.
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

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url);
  if (url.origin === self.location.origin) {
    event.waitUntil(self.clients.openWindow(url.href));
  }
});
