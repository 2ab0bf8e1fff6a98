// Where the page calls in: Streamlit's component function, and boot() for a page without Streamlit.

const explorers = new Map(); // by id: the control packet finds its explorer here
const controls = new Map();
const instances = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!data) return undefined;
  const packet = unpack(data);
  if (packet.exact) return control(packet);
  let explorer = instances.get(parentElement);
  if (!explorer) {
    explorer = new Explorer(parentElement, {
      state: (state) => setStateValue("state", state),
      action: (action) => setTriggerValue("action", action),
    });
    instances.set(parentElement, explorer);
  }
  explorers.set(packet.id, explorer);
  const known = controls.get(packet.id);
  if (!explorer.state && packet.awaitsControl && !known) explorer.waiting = packet;
  else begin(explorer, packet, known);
  return () => {
    explorers.delete(packet.id);
    controls.delete(packet.id);
    instances.delete(parentElement);
    explorer.destroy();
  };
}

function begin(explorer, packet, known) {
  const isFirst = !explorer.state;
  if (known) refine(packet.views, known);
  explorer.load(packet, isFirst ? known?.state : undefined);
  if (isFirst && known) Object.assign(explorer, { imposed: JSON.stringify(fitState(known.state, packet.views[0])), revision: known.revision });
}

/** State and exact weights for an explorer; either may arrive first. */
function control(packet) {
  controls.set(packet.id, packet);
  const explorer = explorers.get(packet.id);
  if (!explorer) return undefined;
  if (explorer.waiting) {
    const { waiting } = explorer;
    explorer.waiting = null;
    begin(explorer, waiting, packet);
    return undefined;
  }
  if (packet.exact.length) {
    refine(explorer.views, packet);
    explorer.refresh({ grid: false });
  }
  explorer.impose(packet.state, packet.revision);
  return undefined;
}

/** Draw a gzipped, base64-encoded packet into an element of any page. */
async function boot(element, encoded) {
  const compressed = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const explorer = new Explorer(element, {});
  explorer.load(unpack(bytes));
  return explorer;
}
