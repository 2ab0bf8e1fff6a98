// Keeps the whole site for the next visit, also without a network. VERSION and FILES are written by viz/export/site.py.

/** @type {any} the worker itself, whose types the page's own hide */
const worker = self;
const VERSION = "{version}";
const FILES = "{files}".split("\n");

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const isOld = (name) => name.startsWith("regard-") && name !== VERSION;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

/** From the cache, then the network; what the network gives of the site's own is kept. */
async function answer(request) {
  const cache = await caches.open(VERSION);
  const known = await cache.match(request, { ignoreSearch: true });
  if (known && request.cache !== "reload") return known;
  const found = await fetch(request);
  if (found.ok && found.status === 200) await cache.put(request, found.clone());
  return found;
}
