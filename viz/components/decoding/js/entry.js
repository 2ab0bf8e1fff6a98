/* Entry point for Streamlit, which calls it again with the same parent whenever the data changes. */

import { pendingRun } from "../../shared/pending.js";
import { Player } from "./player.js";
import { unpack } from "./unpack.js";

/** @type {WeakMap<Element, Player>} */
const players = new WeakMap();

/** @param {{data: Uint8Array, parentElement: HTMLElement, setTriggerValue: import("./player.js").Send}} given */
export default function ({ data, parentElement, setTriggerValue }) {
  const packet = unpack(data);
  const send = pendingRun(setTriggerValue);
  document.documentElement.lang = packet.language; // the stage says it too, perhaps after this is drawn
  const known = players.get(parentElement);
  if (known) {
    known.send = send;
    known.update(packet);
  } else {
    players.set(parentElement, new Player(parentElement, packet, send));
  }
  return () => {
    players.get(parentElement)?.destroy();
    players.delete(parentElement);
  };
}
