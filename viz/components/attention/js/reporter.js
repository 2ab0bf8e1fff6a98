// From the explorer to Python: what the reader does, with the revision that it was done on.

// One change is told at once, so that a class sees it soon; what follows within this time is told together when it ends,
// so that a drag of the slider is two messages.
const REPORT_DELAY = 350; // milliseconds

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
    /** When the reader last changed anything. */
    this.changed = -Infinity;
  }

  /** Tell the state: now, or once nothing has changed for a moment. */
  tell() {
    this.stop();
    const isFirst = Date.now() - this.changed > REPORT_DELAY;
    this.changed = Date.now();
    this.waiting = setTimeout(
      () => {
        const { revision, holds } = this;
        this.send.report?.({ state: this.explorer.state, revision, holds });
      },
      isFirst ? 0 : REPORT_DELAY,
    );
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
