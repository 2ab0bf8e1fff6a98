// Writes the loop of a change to a file: an animated WebP where the browser encodes WebP, which takes a second; else a
// recording of the canvas, which takes as long as the loop. Null where the browser can do neither.
//
// The animated WebP joins still files, which the browser has encoded, in one RIFF container
// (https://developers.google.com/speed/webp/docs/riff_container). This needs no encoder.

import { sleep } from "../dom.js";
import { SECONDS } from "./loop_picture.js";

/** @import { LoopPicture } from "./loop_picture.js" */

const PICTURE_CHUNKS = ["ALPH", "VP8 ", "VP8L"];
const OPAQUE = 0x02; // flag of ANMF: the frame replaces the previous one without blending
const ANIMATED = 0x02; // flag of VP8X

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

/**
 * @param {{still: Uint8Array, milliseconds: number}[]} frames still WebP files of one size, and how long each is shown
 * @param {number} width pixels
 * @param {number} height pixels
 * @returns {Uint8Array} the animation, in an endless loop
 */
export function animatedWebp(frames, width, height) {
  const size = [...bytesOf(width - 1, 3), ...bytesOf(height - 1, 3)];
  const parts = [
    chunk("VP8X", Uint8Array.from([ANIMATED, 0, 0, 0, ...size])),
    chunk("ANIM", Uint8Array.from([0, 0, 0, 0, 0, 0])), // background colour, and loop count 0: endless
    ...frames.map(({ still, milliseconds }) => {
      const about = [0, 0, 0, 0, 0, 0, ...size, ...bytesOf(Math.round(milliseconds), 3), OPAQUE];
      return chunk("ANMF", concatBytes([Uint8Array.from(about), ...pictureOf(still)]));
    }),
  ];
  return chunk("RIFF", concatBytes([lettersOf("WEBP"), ...parts]));
}

/** The chunks of a still file that hold its picture. @param {Uint8Array} still */
function pictureOf(still) {
  const view = new DataView(still.buffer, still.byteOffset, still.byteLength);
  const chunks = [];
  for (let at = 12; at + 8 <= still.length;) {
    const name = String.fromCharCode(...still.subarray(at, at + 4));
    const end = at + 8 + view.getUint32(at + 4, true);
    if (PICTURE_CHUNKS.includes(name)) chunks.push(chunk(name, still.subarray(at + 8, end)));
    at = end + (end % 2);
  }
  return chunks;
}

/** A name, a length, and the content, padded to an even length. @param {string} name @param {Uint8Array} content */
const chunk = (name, content) =>
  concatBytes([
    lettersOf(name),
    Uint8Array.from(bytesOf(content.length, 4)),
    content,
    new Uint8Array(content.length % 2),
  ]);

/** @param {Uint8Array[]} parts */
function concatBytes(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {string} text */
const lettersOf = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Little-endian. @param {number} value @param {number} count */
const bytesOf = (value, count) => Array.from({ length: count }, (_, i) => (value >> (8 * i)) & 255);
