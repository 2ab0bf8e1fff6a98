// Writes the loop of a change to a file: an animated WebP where the browser encodes WebP, which takes a second; else a
// recording of the canvas, which takes as long as the loop. Null where the browser can do neither.

import { sleep } from "../dom.js";
import { animatedWebp } from "./animated_webp.js";
import { SECONDS } from "./loop_picture.js";

/** @import { LoopPicture } from "./loop_picture.js" */

const QUALITY = 0.9;
const FRAMES_PER_SECOND = 30; // of a recording
const BITS_PER_SECOND = 4_000_000; // of a recording
const VIDEOS = ["video/mp4;codecs=avc1.640028", "video/mp4", "video/webm;codecs=vp9", "video/webm"];

/**
 * @param {HTMLCanvasElement} canvas that the picture draws on
 * @param {LoopPicture} picture
 * @param {(share: number) => void} onProgress
 * @returns {Promise<File | null>}
 */
export async function loopFile(canvas, picture, onProgress) {
  if (!(await stillOf(canvas, "image/webp"))) return record(canvas, picture, onProgress);
  const frames = [];
  const { moments } = picture;
  for (const [place, moment] of moments.entries()) {
    picture.paint(moment);
    const still = /** @type {Blob} */ (await stillOf(canvas, "image/webp"));
    const milliseconds = 1000 * ((moments[place + 1] ?? SECONDS) - moment);
    frames.push({ still: new Uint8Array(await still.arrayBuffer()), milliseconds });
    onProgress((place + 1) / moments.length);
  }
  const content = animatedWebp(frames, canvas.width, canvas.height);
  return new File([/** @type {BlobPart} */ (content)], "regard.webp", { type: "image/webp" });
}

/** Encode a canvas; null for a type that the browser cannot encode (`toBlob` falls back to PNG).
 * @param {HTMLCanvasElement} canvas @param {string} type @returns {Promise<Blob | null>} */
export const stillOf = (canvas, type) =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY));

/** @param {HTMLCanvasElement} canvas @param {LoopPicture} picture @param {(share: number) => void} onProgress */
async function record(canvas, picture, onProgress) {
  const type = globalThis.MediaRecorder && VIDEOS.find((video) => MediaRecorder.isTypeSupported(video));
  if (!type || !canvas.captureStream) return null;
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_SECOND), {
    mimeType: type,
    videoBitsPerSecond: BITS_PER_SECOND,
  });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start();
  const started = performance.now();
  for (let now = 0; now < SECONDS; now = (performance.now() - started) / 1000) {
    picture.paint(now);
    onProgress(now / SECONDS);
    await sleep(1000 / FRAMES_PER_SECOND);
  }
  recorder.stop();
  await stopped;
  const [kind] = type.split(";");
  return new File(parts, `regard.${kind.slice("video/".length)}`, { type: kind });
}
