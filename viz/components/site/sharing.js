// The dialog that shares a change, fetched when it is asked for.

import { sayGone } from "./version.js";

/** @param {Record<string, string>} t @param {import("../shared/share/share.js").Change | null} change */
export async function shareChange(t, change) {
  if (!change) return;
  const { default: Dialog } = await import("./share_entry.js").catch((failure) => sayGone(t, failure));
  new Dialog(t, change).open();
}
