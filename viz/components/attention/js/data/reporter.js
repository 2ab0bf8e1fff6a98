// Reports the reader's changes to Python, with the revision that they are based on.

import { pend } from "../../../shared/pending.js";

/** @import { Action, Send, State } from "../types" */

// The first change is reported at once, so that a class sees it soon. Later changes within this time are reported together
// at its end, so that dragging a slider sends two messages.
const REPORT_DELAY = 350; // milliseconds

export class Reporter {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;
  #endPending = () => {};

  /** @param {{state: State}} explorer @param {Send} send */
  constructor(explorer, send) {
    this.explorer = explorer;
    this.send = send;
    /** The last revision received; Python refuses reports on an earlier one. */
    this.revision = -1;
    /** The name of the packet on screen, so that it is not sent again. */
    this.packetName = "";
    /** Time of the reader's last change. */
    this.lastChange = -Infinity;
  }

  /** Schedule a report: at once, or debounced if the last change was recent. */
  schedule() {
    this.cancel();
    const isFirst = Date.now() - this.lastChange > REPORT_DELAY;
    this.lastChange = Date.now();
    this.#endPending = pend("report");
    this.timer = setTimeout(() => this.#report(), isFirst ? 0 : REPORT_DELAY);
  }

  #report() {
    this.timer = undefined;
    const { revision, packetName } = this;
    this.send.report?.({ state: this.explorer.state, revision, holds: packetName });
    this.#endPending();
  }

  /** Send a scheduled report at once, before the page is left. */
  flush() {
    if (this.timer === undefined) return;
    this.cancel();
    this.#report();
  }

  /** Request an action from the page that needs Python. @param {Action} action */
  requestAction(action) {
    this.send.action?.(action);
  }

  /** Accept a server state if its revision is newer: stores the revision, cancels a scheduled report, and returns true.
   * An older revision changes nothing and returns false.
   * @param {number} revision */
  acceptRevision(revision) {
    if (revision <= this.revision) return false;
    this.revision = revision;
    this.cancel();
    return true;
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.#endPending();
  }
}
