// From the explorer to Python: what the reader does is told a moment later, with the revision that it was done on.

const REPORT_DELAY = 350; // milliseconds, so that a drag of the slider is one message

export class Reporter {
  /**
   * @param {import("./explorer.js").Explorer} explorer
   * @param {{report?: (report: object) => void, action?: (action: object) => void}} send
   */
  constructor(explorer, send) {
    this.explorer = explorer;
    this.send = send;
    /** The last revision taken in; Python refuses reports on an earlier one. */
    this.revision = -1;
    /** The name of the packet on screen, so that it is not sent again. */
    this.holds = "";
    this.asked = 0;
    this.waiting = undefined;
  }

  /** Tell the state, once nothing has changed for a moment. */
  tell() {
    this.stop();
    this.waiting = setTimeout(() => {
      const { revision, holds } = this;
      this.send.report?.({ state: this.explorer.state, revision, holds });
    }, REPORT_DELAY);
  }

  /** Ask the page for something that needs Python. */
  ask(action) {
    this.send.action?.(action);
  }

  /** Ask for the packet, which the page believes to be here. */
  askAgain() {
    this.send.report?.({ holds: "", asked: ++this.asked });
  }

  /** Whether a state must be taken in: it is of a later revision. What the reader did meanwhile is dropped. */
  isTold(revision) {
    if (revision <= this.revision) return false;
    this.revision = revision;
    this.stop();
    return true;
  }

  stop() {
    clearTimeout(this.waiting);
  }
}
