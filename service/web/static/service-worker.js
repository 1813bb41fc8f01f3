// Shows what is pushed, and opens the table that it is about. It keeps nothing and answers no requests.
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
