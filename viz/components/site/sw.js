// Stores the page for the next visit, even without a network. viz/export/site.py writes VERSION and FILES. The page's
// own worker stores the models' files, because it shows their progress and checks them.
//
// Pages that are open when a new version comes go on with their own: its code and data have addresses of their own, and
// are kept until the version after the new one.

/**
 * What this script asks of its worker: the types of pages, which all scripts are checked with, have no workers.
 * @typedef {Event & {request: Request, waitUntil: (done: Promise<void>) => void,
 *   respondWith: (answer: Promise<Response>) => void}} WorkerEvent
 * @typedef {{registration: ServiceWorkerRegistration, clients: {claim: () => Promise<void>},
 *   skipWaiting: () => Promise<void>,
 *   addEventListener: (name: string, act: (event: WorkerEvent) => void) => void}} ServiceWorkerScope
 */
const worker = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const VERSION = "{version}";
const FILES = "{files}".split("\n");
/** Another folder of the same host may hold another site. */
const OURS = `regard ${worker.registration.scope} `;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(OURS + VERSION)
      .then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" }))))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  const isOther = (/** @type {string} */ name) => name.startsWith(OURS) && name !== OURS + VERSION;
  event.waitUntil(
    caches
      .keys() // in the order in which they were made
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
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS));
  for (const name of [OURS + VERSION, ...names.reverse()]) {
    const found = await (await caches.open(name)).match(request, { ignoreSearch: true });
    if (found) return found;
  }
  return fetch(request);
}
