// The loop of a change as a file: an animated WebP where the browser encodes WebP, which takes a second; else a recording
// of the canvas, which takes as long as the loop; nothing where the browser can do neither.

import { pause } from "../dom.js";
import { animatedWebp } from "./animated_webp.js";
import { SECONDS } from "./loop_picture.js";

/** @import { LoopPicture } from "./loop_picture.js" */

const QUALITY = 0.9;
const FRAMES = 30; // of a recording, each second
const BITS = 4_000_000; // of a recording, each second
const VIDEOS = ["video/mp4;codecs=avc1.640028", "video/mp4", "video/webm;codecs=vp9", "video/webm"];

/**
 * @param {HTMLCanvasElement} canvas that the picture draws on
 * @param {LoopPicture} picture
 * @param {(share: number) => void} told of how much is done
 * @returns {Promise<File | null>}
 */
export async function loopFile(canvas, picture, told) {
  if (!(await stillOf(canvas, "image/webp"))) return recorded(canvas, picture, told);
  const frames = [];
  const { moments } = picture;
  for (const [place, moment] of moments.entries()) {
    picture.paint(moment);
    const still = /** @type {Blob} */ (await stillOf(canvas, "image/webp"));
    const milliseconds = 1000 * ((moments[place + 1] ?? SECONDS) - moment);
    frames.push({ still: new Uint8Array(await still.arrayBuffer()), milliseconds });
    told((place + 1) / moments.length);
  }
  const content = animatedWebp(frames, canvas.width, canvas.height);
  return new File([/** @type {BlobPart} */ (content)], "regard.webp", { type: "image/webp" });
}

/** The canvas as a file of a type; null where the browser cannot write it, and would give a PNG.
 * @param {HTMLCanvasElement} canvas @param {string} type @returns {Promise<Blob | null>} */
export const stillOf = (canvas, type) =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY));

/** @param {HTMLCanvasElement} canvas @param {LoopPicture} picture @param {(share: number) => void} told */
async function recorded(canvas, picture, told) {
  const type = globalThis.MediaRecorder && VIDEOS.find((each) => MediaRecorder.isTypeSupported(each));
  if (!type || !canvas.captureStream) return null;
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES), { mimeType: type, videoBitsPerSecond: BITS });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const isOver = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start();
  const begun = performance.now();
  for (let now = 0; now < SECONDS; now = (performance.now() - begun) / 1000) {
    picture.paint(now);
    told(now / SECONDS);
    await pause(1000 / FRAMES);
  }
  recorder.stop();
  await isOver;
  const [kind] = type.split(";");
  return new File(parts, `regard.${kind.slice("video/".length)}`, { type: kind });
}
