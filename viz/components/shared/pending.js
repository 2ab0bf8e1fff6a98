// Names what the page still has to send or receive in the attribute data-pending of <html>, which is absent when the page
// is idle. Tests wait for that (tests/browser/actions.py); the page itself does not read it.

const RUN_STATE = "data-test-script-state"; // of Streamlit's application: initial, running, notRunning
const RUN_BEGINS_WITHIN = 5000; // milliseconds after which a change is taken to start no run

/** @returns {Map<object, string>} shared by all components of the page through the window */
function pendingNames() {
  const shared = /** @type {{regardPending?: Map<object, string>}} */ (window);
  return (shared.regardPending ??= new Map());
}

/** Add a name to data-pending.
 * @param {string} name one word
 * @returns {() => void} removes it */
export function pend(name) {
  const wait = {};
  pendingNames().set(wait, name);
  writePending();
  return () => {
    if (pendingNames().delete(wait)) writePending();
  };
}

function writePending() {
  const { dataset } = document.documentElement;
  if (pendingNames().size) dataset.pending = [...pendingNames().values()].join(" ");
  else delete dataset.pending;
}

/** Wrap a function that sends to the server: data-pending has "run" until the run that it starts has ended.
 * @template {(...values: never[]) => void} S @param {S} send @returns {S} */
export function pendingRun(send) {
  const tracked = (/** @type {Parameters<S>} */ ...values) => {
    untilRunEnds();
    send(...values);
  };
  return /** @type {S} */ (tracked);
}

function untilRunEnds() {
  const app = document.querySelector(`[${RUN_STATE}]`);
  if (!app) return;
  const done = pend("run");
  let hasBegun = app.getAttribute(RUN_STATE) === "running";
  const observer = new MutationObserver(() => {
    const isRunning = app.getAttribute(RUN_STATE) === "running";
    if (isRunning) hasBegun = true;
    else if (hasBegun) end();
  });
  const end = () => {
    observer.disconnect();
    clearTimeout(timeout);
    done();
  };
  const timeout = setTimeout(() => hasBegun || end(), RUN_BEGINS_WITHIN);
  observer.observe(app, { attributeFilter: [RUN_STATE] });
}
