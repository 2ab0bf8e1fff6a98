// Pictures are drawn in the next frames, a few in each, so that no frame is late on a slow device.

const BUDGET = 2; // milliseconds of a frame

/** @type {Set<{draw: () => void}>} */
const due = new Set();
let isFrameAsked = false;

/** Draw something in one of the next frames, once however often it is asked for. @param {{draw: () => void}} picture */
export function soon(picture) {
  due.add(picture);
  askFrame();
}

function askFrame() {
  if (isFrameAsked) return;
  isFrameAsked = true;
  requestAnimationFrame(drawDue);
}

function drawDue() {
  isFrameAsked = false;
  const end = performance.now() + BUDGET;
  for (const picture of due) {
    due.delete(picture);
    picture.draw();
    if (performance.now() > end) break;
  }
  if (due.size) askFrame();
}
