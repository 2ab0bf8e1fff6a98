// Entry points: Streamlit's component function, and boot() for a page without Streamlit.

import { openPacket, unpressed } from "../../shared/packet.js";
import { pendingRun } from "../../shared/pending.js";
import { followDevice } from "./data/device.js";
import { nameMarks } from "./data/names.js";
import { Explorer } from "./explorer.js";
import { refine, unpack } from "./data/unpack.js";
import { WORDS } from "./words.js";

/** @import { ExactEntry, Packet, State } from "./types" */
/** @import { Measured } from "./matters.js" */
/**
 * What Streamlit calls a component with.
 * @typedef {{data: Uint8Array | null, parentElement: Element, setStateValue: (name: "report", value: object) => void,
 *   setTriggerValue: (name: "action", value: object) => void}} Mount
 */
/**
 * What the page sends beside a packet: its name, a state of a revision, and exact weights.
 * @typedef {object} Header
 * @property {string} name
 * @property {string} language
 * @property {[offset: number, length: number]} packet of no length where the browser holds it already
 * @property {ExactEntry[]} exact
 * @property {State} state
 * @property {number} revision
 * @property {boolean} isPresenting
 * @property {Measured | null} matters
 */

/** @type {WeakMap<Element, Explorer>} */
const instances = new WeakMap();

/** How often a packet was asked for, so that each request is another value. */
let requests = 0;

/** @param {Mount} mount */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!data) return undefined;
  /** @type {{header: Header, buffer: ArrayBuffer, start: number}} */
  const { header, buffer, start } = openPacket(data);
  document.documentElement.lang = header.language; // the stage says it too, perhaps after this is drawn
  const known = instances.get(parentElement);
  const [offset, length] = header.packet;
  const isHeld = known?.reporter.holds === header.name;
  const packet = length && !isHeld ? unpack(new Uint8Array(buffer, start + offset, length)) : null;
  if (packet) {
    packet.strings = wordsFor(header.language, packet.views);
    nameMarks(packet.views, packet.strings);
    const send = {
      report: pendingRun((/** @type {object} */ report) => setStateValue("report", report)),
      action: pendingRun((/** @type {object} */ action) => setTriggerValue("action", action)),
    };
    refine(packet.views, header.exact, buffer, start);
    const explorer = known ?? new Explorer(parentElement, send, packet, header);
    if (!known) reportBeforeOthers(explorer);
    instances.set(parentElement, explorer);
    take(explorer, packet, header);
  } else if (known && isHeld) {
    refine(known.views, header.exact, buffer, start);
    take(known, null, header);
  } else pendingRun(setStateValue)("report", { holds: "", asked: ++requests }); // the server takes the browser to have it
  return () => {
    instances.get(parentElement)?.destroy();
    instances.delete(parentElement);
  };
}

/** The words in a language, as they are said of what is on screen.
 * @type {(language: string, views: import("./types").View[]) => Record<string, string>} */
function wordsFor(language, views) {
  const words = WORDS[language];
  return views.some(({ source }) => source?.picture) ? { ...words, ...WORDS[`${language} of pictures`] } : words;
}

/** Report what waits before anything outside the explorer is pressed: it may lead to another page.
 * @type {(explorer: Explorer) => void} */
function reportBeforeOthers(explorer) {
  const life = new AbortController();
  const report = (/** @type {Event} */ event) => {
    if (!explorer.root.isConnected) life.abort();
    else if (!event.composedPath().includes(explorer.root)) explorer.reporter.end();
  };
  for (const name of ["pointerdown", "keydown"])
    document.addEventListener(name, report, { capture: true, signal: life.signal });
}

/** Show a new packet, or a state of a later revision, and weights that are exact now.
 * @type {(explorer: Explorer, packet: Packet | null, header: Header) => void} */
function take(explorer, packet, { name, revision, state, isPresenting, matters, exact }) {
  explorer.reporter.holds = name;
  const acceptRevision = explorer.reporter.acceptRevision(revision);
  explorer.matters = matters;
  explorer.bridge.offer(matters);
  if (!packet) {
    explorer.update({ ...(acceptRevision ? state : {}), isPresenting }, { isReported: false });
    if (exact.length) explorer.refresh({ grid: false });
  } else if (packet !== explorer.packet) explorer.load(packet, { state: acceptRevision ? state : null, isPresenting });
  explorer.parts.grid.matters.show();
}

/** Draw a gzipped, base64-encoded packet into an element of any page.
 * @type {(element: Element, encoded: string) => Promise<Explorer>} */
export async function boot(element, encoded) {
  const packet = unpack(await unpressed(encoded));
  nameMarks(packet.views, packet.strings);
  const explorer = new Explorer(element, {}, packet, { state: packet.state });
  followDevice(() => explorer);
  return explorer;
}
