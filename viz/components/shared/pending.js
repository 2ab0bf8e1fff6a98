// What this page still has to send or to receive: names in the attribute data-pending of <html>, which is absent when the
// page rests. Tests wait for it (tests/browser/waiting.py); the page itself does not read it.

const RUN_STATE = "data-test-script-state"; // of Streamlit's application: initial, running, notRunning
const RUN_BEGINS_WITHIN = 5000; // milliseconds; a change that starts no run is not waited for after them

/** @returns {Map<object, string>} shared by all parts of the page, which are separate programs */
function pendingNames() {
  const shared = /** @type {{regardPending?: Map<object, string>}} */ (window);
  return (shared.regardPending ??= new Map());
}

/** Name what the page waits for, until the function that this returns is called.
 * @param {string} name one word
 * @returns {() => void} */
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

/** A function that sends to the server, and names the run that it asks for until the run has ended.
 * @template {(...values: never[]) => void} S @param {S} send @returns {S} */
export function pendingRun(send) {
  const named = (/** @type {Parameters<S>} */ ...values) => {
    untilRunEnds();
    send(...values);
  };
  return /** @type {S} */ (named);
}

function untilRunEnds() {
  const app = document.querySelector(`[${RUN_STATE}]`);
  if (!app) return;
  const done = pend("run");
  let hasBegun = app.getAttribute(RUN_STATE) === "running";
  const watching = new MutationObserver(() => {
    const isRunning = app.getAttribute(RUN_STATE) === "running";
    if (isRunning) hasBegun = true;
    else if (hasBegun) end();
  });
  const end = () => {
    watching.disconnect();
    clearTimeout(patience);
    done();
  };
  const patience = setTimeout(() => hasBegun || end(), RUN_BEGINS_WITHIN);
  watching.observe(app, { attributeFilter: [RUN_STATE] });
}
