// Entry points: Streamlit's component function, and boot() for a page without Streamlit.

import { openPacket, unpressed } from "../../shared/packet.js";
import { followDevice } from "./data/device.js";
import { Explorer } from "./explorer.js";
import { refine, unpack } from "./data/unpack.js";
import { WORDS } from "./words.js";

/** @type {WeakMap<Element, Explorer>} */
const instances = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!data) return undefined;
  const mounted = openPacket(data);
  document.documentElement.lang = mounted.header.language; // the stage says it too, perhaps after this is drawn
  let explorer = instances.get(parentElement);
  if (!explorer) {
    explorer = new Explorer(parentElement, {
      report: (report) => setStateValue("report", report),
      action: (action) => setTriggerValue("action", action),
    });
    instances.set(parentElement, explorer);
  }
  take(explorer, mounted);
  return () => {
    instances.delete(parentElement);
    explorer.destroy();
  };
}

/** What the page has sent: a new packet, unless this explorer holds it already; exact weights; a state of a revision. */
function take(explorer, { header, buffer, start }) {
  const [offset, length] = header.packet;
  const isNews = length > 0 && header.name !== explorer.reporter.holds;
  if (!length && header.name !== explorer.reporter.holds) return explorer.reporter.askAgain();
  const packet = isNews ? unpack(new Uint8Array(buffer, start + offset, length)) : null;
  if (packet) packet.strings = WORDS[header.language];
  refine(packet ? packet.views : explorer.views, header.exact, buffer, start);
  explorer.reporter.holds = header.name;
  const isTold = explorer.reporter.isTold(header.revision);
  explorer.matters = header.matters ?? null;
  if (packet) explorer.load(packet, { state: isTold ? header.state : null, isPresenting: header.isPresenting });
  else if (isTold) explorer.update({ ...header.state, isPresenting: header.isPresenting }, { isReported: false });
  else {
    explorer.update({ isPresenting: header.isPresenting }, { isReported: false });
    if (header.exact.length) explorer.refresh({ grid: false });
  }
  explorer.grid.matters.show();
  return undefined;
}

/** Draw a gzipped, base64-encoded packet into an element of any page. */
export async function boot(element, encoded) {
  const explorer = new Explorer(element, {});
  const packet = unpack(await unpressed(encoded));
  explorer.load(packet, { state: packet.state });
  followDevice(() => explorer);
  return explorer;
}
