// The service worker: caches the page for the next visit, also offline. viz/export/site.py writes VERSION and FILES. The
// page's web worker caches the models' files, because it shows their progress and verifies them.
//
// A page that is open when a new version is deployed continues with its version: code and data have versioned addresses,
// and the cache of the previous version is kept.

/**
 * Types of the service worker's scope: all scripts are checked with the types of pages, which lack it.
 * @typedef {Event & {request: Request, waitUntil: (done: Promise<void>) => void,
 *   respondWith: (answer: Promise<Response>) => void}} WorkerEvent
 * @typedef {{registration: ServiceWorkerRegistration, clients: {claim: () => Promise<void>},
 *   skipWaiting: () => Promise<void>,
 *   addEventListener: (name: string, act: (event: WorkerEvent) => void) => void}} ServiceWorkerScope
 */
const worker = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const VERSION = "{version}";
const FILES = "{files}".split("\n");
/** Includes the scope, because another folder of the same host may hold another site. */
const CACHE_PREFIX = `regard ${worker.registration.scope} `;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE_PREFIX + VERSION)
      .then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" }))))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  const isOther = (/** @type {string} */ name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + VERSION;
  event.waitUntil(
    caches
      .keys() // in order of creation
      .then((names) =>
        Promise.all(
          names
            .filter(isOther)
            .slice(0, -1)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

/** @param {Request} request */
async function answer(request) {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  for (const name of [CACHE_PREFIX + VERSION, ...names.reverse()]) {
    const cached = await (await caches.open(name)).match(request, { ignoreSearch: true });
    if (cached) return cached;
  }
  return fetch(request);
}
