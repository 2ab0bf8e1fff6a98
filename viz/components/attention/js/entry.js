// Where the page calls in: Streamlit's component function, and boot() for a page without Streamlit.

import { Explorer } from "./explorer.js";
import { refine, unpack } from "./unpack.js";

const instances = new WeakMap();

/** By explorer id: state and exact weights, handed over by a second, invisible component (control.js). */
const controls = (window.regardControls ??= new Map());

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!data) return undefined;
  const packet = unpack(data);
  let explorer = instances.get(parentElement);
  if (!explorer) {
    explorer = new Explorer(parentElement, {
      state: (state) => setStateValue("state", state),
      action: (action) => setTriggerValue("action", action),
    });
    explorer.onControl = (event) => event.detail === explorer.id && take(explorer);
    window.addEventListener("regard:control", explorer.onControl);
    instances.set(parentElement, explorer);
  }
  explorer.id = packet.id;
  if (!explorer.state && packet.awaitsControl && !controls.has(packet.id)) explorer.waiting = packet;
  else begin(explorer, packet);
  return () => {
    window.removeEventListener("regard:control", explorer.onControl);
    controls.delete(packet.id);
    instances.delete(parentElement);
    explorer.destroy();
  };
}

function begin(explorer, packet) {
  const known = controls.has(packet.id) ? unpack(controls.get(packet.id)) : null;
  const isFirst = !explorer.state;
  if (known) refine(packet.views, known);
  explorer.load(packet, isFirst ? known?.state : undefined);
  if (isFirst && known) explorer.reporter.accept(known.state, known.revision);
}

/** State and exact weights for an explorer; either packet may arrive first. */
function take(explorer) {
  if (explorer.waiting) {
    const { waiting } = explorer;
    explorer.waiting = null;
    return begin(explorer, waiting);
  }
  if (!explorer.state) return undefined;
  const packet = unpack(controls.get(explorer.id));
  if (packet.exact.length) {
    refine(explorer.views, packet);
    explorer.refresh({ grid: false });
  }
  return explorer.reporter.impose(packet.state, packet.revision);
}

/** Draw a gzipped, base64-encoded packet into an element of any page. */
export async function boot(element, encoded) {
  const compressed = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const explorer = new Explorer(element, {});
  explorer.load(unpack(bytes));
  return explorer;
}
