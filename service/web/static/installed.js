// Has this browser keep the page that it shows without a connection, in the language of the day.
"use strict";

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js")
    .then(() => caches.open("offline"))
    .then((kept) => kept.add("/offline"))
    // A browser that keeps nothing plays as well.
    .catch(() => {});
}
