// Reports the reader's changes to Python, with the revision on which they were made.

import { pend } from "../../../shared/pending.js";

/** @import { Action, Send, State } from "../types" */

// The first change is reported at once, so that a class sees it soon. Changes within this time after it are reported
// together when it ends, so that a drag of the slider is two messages.
const REPORT_DELAY = 350; // milliseconds

export class Reporter {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ waiting;
  #told = () => {};

  /** @param {{state: State}} explorer @param {Send} send */
  constructor(explorer, send) {
    this.explorer = explorer;
    this.send = send;
    /** The last revision received; Python refuses reports on an earlier one. */
    this.revision = -1;
    /** The name of the packet on screen, so that it is not sent again. */
    this.holds = "";
    /** When the reader last changed anything. */
    this.changed = -Infinity;
  }

  /** Report the state: now, or when nothing has changed for a moment. */
  tell() {
    this.stop();
    const isFirst = Date.now() - this.changed > REPORT_DELAY;
    this.changed = Date.now();
    this.#told = pend("report");
    this.waiting = setTimeout(() => this.#report(), isFirst ? 0 : REPORT_DELAY);
  }

  #report() {
    this.waiting = undefined;
    const { revision, holds } = this;
    this.send.report?.({ state: this.explorer.state, revision, holds });
    this.#told();
  }

  /** Report at once what waits to be reported: the page is about to be left. */
  end() {
    if (this.waiting === undefined) return;
    this.stop();
    this.#report();
  }

  /** Request an action from the page that needs Python. @param {Action} action */
  ask(action) {
    this.send.action?.(action);
  }

  /** Take a server state if its revision is newer than ours: stores the revision, drops changes not yet sent, and
   * returns true. An older revision changes nothing and returns false.
   * @param {number} revision */
  acceptRevision(revision) {
    if (revision <= this.revision) return false;
    this.revision = revision;
    this.stop();
    return true;
  }

  stop() {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.#told();
  }
}
