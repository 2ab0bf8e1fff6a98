// Joins still WebP files, which the browser has encoded, to an animated one: their picture data go into one RIFF container
// (https://developers.google.com/speed/webp/docs/riff_container). This needs no encoder, and is faster than a recording.

const PICTURE_CHUNKS = ["ALPH", "VP8 ", "VP8L"];
const ANIMATED = 0x02; // flag of VP8X
const OPAQUE = 0x02; // flag of ANMF: the frame replaces the previous one without blending

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
      return chunk("ANMF", joined([Uint8Array.from(about), ...pictureOf(still)]));
    }),
  ];
  return chunk("RIFF", joined([lettersOf("WEBP"), ...parts]));
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
  joined([lettersOf(name), Uint8Array.from(bytesOf(content.length, 4)), content, new Uint8Array(content.length % 2)]);

/** @param {Uint8Array[]} parts */
function joined(parts) {
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
