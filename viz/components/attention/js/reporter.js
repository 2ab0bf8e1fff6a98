// Between the explorer and Python: what the reader does is told a moment later; what comes back may be an echo of it.

import { fitState } from "./state.js";

const REPORT_DELAY = 350; // milliseconds, so that a drag of the slider is one message
const REMEMBERED = 12;

export class Reporter {
  constructor(explorer, report) {
    Object.assign(this, { explorer, report, told: [], revision: 0 });
  }

  /** Tell the state, once nothing has changed for a moment. */
  tell() {
    this.stop();
    this.waiting = setTimeout(() => {
      const { state, view } = this.explorer;
      this.told = [JSON.stringify(fitState(state, view)), ...this.told].slice(0, REMEMBERED);
      this.report.state?.({ ...state, revision: this.revision ?? 0 });
    }, REPORT_DELAY);
  }

  /** Ask the page for something that needs Python. */
  ask(action) {
    this.report.action?.(action);
  }

  /** Take in a state imposed from outside, unless it is one that was told from here. */
  impose(state, revision) {
    const text = JSON.stringify(fitState(state, this.explorer.view));
    const isEcho = this.told.includes(text) || text === this.imposed;
    if (isEcho && revision === this.revision) return;
    this.accept(state, revision);
    this.explorer.update(state, { isReported: false });
  }

  /** Remember which state was imposed last. */
  accept(state, revision) {
    this.imposed = JSON.stringify(fitState(state, this.explorer.view));
    this.revision = revision;
  }

  stop() {
    clearTimeout(this.waiting);
  }
}
