// Loads and opens the dialog that shares a change.

import { throwWithReload } from "./version.js";

/** @param {Record<string, string>} t @param {import("../shared/share/share.js").Change | null} change */
export async function shareChange(t, change) {
  if (!change) return;
  const { default: Dialog } = await import("./share_entry.js").catch((failure) => throwWithReload(t, failure));
  new Dialog(t, change).open();
}
