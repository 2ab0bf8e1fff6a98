// Entry points: Streamlit's component function, and boot() for a page without Streamlit.

import { openPacket, decompress } from "../../shared/packet.js";
import { pendingRun } from "../../shared/pending.js";
import { followDevice } from "./controls/presenting.js";
import { nameMarks, WORDS } from "./words.js";
import { Explorer } from "./explorer.js";
import { refine, unpack } from "./data/unpack.js";

/** @import { ExactEntry, Packet, State } from "./types" */
/** @import { Measured } from "./matters.js" */
/**
 * The argument of a Streamlit component.
 * @typedef {{data: Uint8Array | null, parentElement: Element, setStateValue: (name: "report", value: object) => void,
 *   setTriggerValue: (name: "action", value: object) => void}} Mount
 */
/**
 * The header that the page sends with a packet: its name, a state with its revision, and exact weights.
 * @typedef {object} Header
 * @property {string} name
 * @property {string} language
 * @property {[offset: number, length: number]} packet of length 0 if the browser has it already
 * @property {ExactEntry[]} exact
 * @property {State} state
 * @property {number} revision
 * @property {boolean} isPresenting
 * @property {Measured | null} matters
 */

/** @type {WeakMap<Element, Explorer>} */
const instances = new WeakMap();

/** Count of requests for a packet, so that each request has another value. */
let requests = 0;

/** @param {Mount} mount */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!data) return undefined;
  /** @type {{header: Header, buffer: ArrayBuffer, start: number}} */
  const { header, buffer, start } = openPacket(data);
  document.documentElement.lang = header.language; // the stage sets it too, but perhaps after this drawing
  const existing = instances.get(parentElement);
  const [offset, length] = header.packet;
  const hasPacket = existing?.reporter.packetName === header.name;
  const packet = length && !hasPacket ? unpack(new Uint8Array(buffer, start + offset, length)) : null;
  if (packet) {
    packet.strings = wordsFor(header.language, packet.views);
    nameMarks(packet.views, packet.strings);
    const send = {
      report: pendingRun((/** @type {object} */ report) => setStateValue("report", report)),
      action: pendingRun((/** @type {object} */ action) => setTriggerValue("action", action)),
    };
    refine(packet.views, header.exact, buffer, start);
    const explorer = existing ?? new Explorer(parentElement, send, packet, header);
    if (!existing) flushBeforeOtherInput(explorer);
    instances.set(parentElement, explorer);
    apply(explorer, packet, header);
  } else if (existing && hasPacket) {
    refine(existing.views, header.exact, buffer, start);
    apply(existing, null, header);
  } else pendingRun(setStateValue)("report", { holds: "", asked: ++requests }); // the server believes that the browser has the packet
  return () => {
    instances.get(parentElement)?.destroy();
    instances.delete(parentElement);
  };
}

/** The words in a language; for pictures with their variants.
 * @type {(language: string, views: import("./types").View[]) => Record<string, string>} */
function wordsFor(language, views) {
  const words = WORDS[language];
  return views.some(({ source }) => source?.picture) ? { ...words, ...WORDS[`${language} of pictures`] } : words;
}

/** Send a pending report before any input outside of the explorer, which may lead to another page.
 * @type {(explorer: Explorer) => void} */
function flushBeforeOtherInput(explorer) {
  const life = new AbortController();
  const report = (/** @type {Event} */ event) => {
    if (!explorer.root.isConnected) life.abort();
    else if (!event.composedPath().includes(explorer.root)) explorer.reporter.flush();
  };
  for (const name of ["pointerdown", "keydown"])
    document.addEventListener(name, report, { capture: true, signal: life.signal });
}

/** Show a new packet, or a state of a later revision, and exact weights.
 * @type {(explorer: Explorer, packet: Packet | null, header: Header) => void} */
function apply(explorer, packet, { name, revision, state, isPresenting, matters, exact }) {
  explorer.reporter.packetName = name;
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
  const packet = unpack(await decompress(encoded));
  nameMarks(packet.views, packet.strings);
  const explorer = new Explorer(element, {}, packet, { state: packet.state });
  followDevice(() => explorer);
  return explorer;
}
