// A written word as the model reads it: 32 × 384 pixels, ink 255 on 0, cut into strips from left to right; and its text
// encoding, which takes the place of a sentence in links and histories.

const MAX_SIDE = 1200; // pixels of an image file; larger ones are scaled down
const MIN_CONTRAST = 40; // of 255, between background and writing

/** @typedef {{pixels: Uint8Array, width: number, height: number}} Grey rows from top to bottom, ink 255 on 0 */

export const PICTURE_WIDTH = 384;
export const PICTURE_HEIGHT = 32;
const MIN_INK_WIDTH = 6; // pixels
/** Ink is scaled to fit into these pixels, and enlarged by MAX_SCALE at most. */
export const INK_HEIGHT = 28;
export const INK_WIDTH = 372;
export const MAX_SCALE = 3;
export const LEFT_MARGIN = 4; // pixels left of the ink
const INK_THRESHOLD = 40; // pixels up to this value are background
const PICTURE_MARK = "ink.";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const GREYS = 4;
const LONGEST_RUN = LETTERS.length / GREYS;
/** Length limit of a picture's text; a word takes about 800. */
export const MAX_PICTURE_CHARACTERS = 6000;

/**
 * Crop the ink, scale it to 28 pixels of height (less if it would be wider than 372), and put it at the left of the
 * picture, as `prepare` does in Python. Null without ink.
 * @param {Grey} grey
 * @returns {Uint8Array | null} (32 × 384)
 */
export function fitInk(grey) {
  const { pixels, width, height } = grey;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (pixels[y * width + x] > INK_THRESHOLD) {
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      }
  if (right < 0) return null;
  const [w, h] = [right - left + 1, bottom - top + 1];
  const cut = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    const from = (top + y) * width + left;
    cut.set(pixels.subarray(from, from + w), y * w);
  }
  const scale = Math.min(INK_HEIGHT / h, INK_WIDTH / w, MAX_SCALE);
  const [across, down] = [Math.max(2, roundHalfEven(w * scale)), Math.max(2, Math.min(30, roundHalfEven(h * scale)))];
  const small = resizePicture({ pixels: cut, width: w, height: h }, across, down);
  const picture = new Uint8Array(PICTURE_WIDTH * PICTURE_HEIGHT);
  const above = Math.floor((PICTURE_HEIGHT - down) / 2);
  for (let y = 0; y < down; y++)
    picture.set(small.subarray(y * across, (y + 1) * across), (above + y) * PICTURE_WIDTH + LEFT_MARGIN);
  return picture;
}

/** Round half to even, as Python does. @param {number} value */
function roundHalfEven(value) {
  const low = Math.floor(value);
  return value - low === 0.5 ? low + (low % 2) : Math.round(value);
}

/** Resize as Pillow's bilinear filter does: each new pixel is a mean weighted by a triangle, which is wider when the
 * picture shrinks.
 * @param {Grey} grey @param {number} across @param {number} down */
export function resizePicture({ pixels, width, height }, across, down) {
  const columns = trianglesOf(width, across);
  const wide = new Uint8Array(across * height);
  for (let y = 0; y < height; y++)
    columns.forEach(({ first, shares }, x) => {
      const sum = shares.reduce((total, share, i) => total + share * pixels[y * width + first + i], 0);
      wide[y * across + x] = Math.round(sum);
    });
  const small = new Uint8Array(across * down);
  trianglesOf(height, down).forEach(({ first, shares }, y) => {
    for (let x = 0; x < across; x++) {
      const sum = shares.reduce((total, share, i) => total + share * wide[(first + i) * across + x], 0);
      small[y * across + x] = Math.round(sum);
    }
  });
  return small;
}

/** The triangle filter of each new pixel: the first old pixel and the normalised weights.
 * @param {number} from pixels
 * @param {number} to pixels */
function trianglesOf(from, to) {
  const scale = from / to;
  const reach = Math.max(1, scale);
  return Array.from({ length: to }, (_, place) => {
    const centre = (place + 0.5) * scale;
    const first = Math.max(0, Math.floor(centre - reach + 0.5));
    const end = Math.min(from, Math.floor(centre + reach + 0.5));
    const shares = Array.from({ length: end - first }, (__, i) =>
      Math.max(0, 1 - Math.abs((first + i + 0.5 - centre) / reach)),
    );
    const sum = shares.reduce((total, share) => total + share, 0);
    return { first, shares: shares.map((share) => share / sum) };
  });
}

/** Run-length encode a picture, column by column: four greys, one character per run. A picture that takes too many
 * characters is encoded in black and white.
 * @param {Uint8Array} picture */
export function textOfPicture(picture) {
  const whole = runsOf(picture, (value) => Math.round((value * (GREYS - 1)) / 255));
  if (whole.length <= MAX_PICTURE_CHARACTERS) return PICTURE_MARK + whole;
  return PICTURE_MARK + runsOf(picture, (value) => (value > 127 ? GREYS - 1 : 0)).slice(0, MAX_PICTURE_CHARACTERS);
}

/** @param {Uint8Array} picture @param {(value: number) => number} greyOf */
function runsOf(picture, greyOf) {
  let [text, grey, length] = ["", -1, 0];
  const write = () => {
    if (length) text += LETTERS[grey * LONGEST_RUN + length - 1];
  };
  for (let x = 0; x < PICTURE_WIDTH; x++)
    for (let y = 0; y < PICTURE_HEIGHT; y++) {
      const next = greyOf(picture[y * PICTURE_WIDTH + x]);
      if (next === grey && length < LONGEST_RUN) length += 1;
      else {
        write();
        [grey, length] = [next, 1];
      }
    }
  if (grey) write(); // trailing background is omitted
  return text.replace(/[A-P]+$/, "");
}

/** Decode a picture; null if the text is not one. @param {string} text @returns {Uint8Array | null} */
export function pictureOfText(text) {
  if (!text.startsWith(PICTURE_MARK) || text.length > PICTURE_MARK.length + MAX_PICTURE_CHARACTERS) return null;
  const picture = new Uint8Array(PICTURE_WIDTH * PICTURE_HEIGHT);
  let at = 0;
  for (const letter of text.slice(PICTURE_MARK.length)) {
    const code = LETTERS.indexOf(letter);
    if (code < 0) return null;
    const length = (code % LONGEST_RUN) + 1;
    if (at + length > picture.length) return null;
    const value = Math.round((Math.floor(code / LONGEST_RUN) * 255) / (GREYS - 1));
    for (const end = at + length; at < end; at++)
      picture[(at % PICTURE_HEIGHT) * PICTURE_WIDTH + Math.floor(at / PICTURE_HEIGHT)] = value;
  }
  return picture;
}

/** Whether a text encodes a picture. @param {string} text */
export const isPictureText = (text) => text.startsWith(PICTURE_MARK);

/** The first empty column after the ink, at least 6 pixels from the left. @param {Uint8Array} picture */
export function inkWidth(picture) {
  for (let x = PICTURE_WIDTH - 1; x >= MIN_INK_WIDTH; x--)
    for (let y = 0; y < PICTURE_HEIGHT; y++) if (picture[y * PICTURE_WIDTH + x]) return x + 1;
  return MIN_INK_WIDTH;
}

/**
 * The strips of a picture from left to right, each with its rows of pixels from 0 to 1.
 * @param {Uint8Array} picture
 * @param {{strip: number, right: number | null}} source width of a strip in pixels; margin after the ink in pixels, null
 *   for the whole picture
 * @returns {Float32Array[]} of 32 × strip pixels
 */
export function stripsOf(picture, { strip, right }) {
  const maxStrips = PICTURE_WIDTH / strip;
  const count = right === null ? maxStrips : Math.min(maxStrips, Math.ceil((inkWidth(picture) + right) / strip));
  return Array.from({ length: count }, (_, place) =>
    Float32Array.from({ length: PICTURE_HEIGHT * strip }, (__, i) => {
      const [row, column] = [Math.floor(i / strip), i % strip];
      return picture[row * PICTURE_WIDTH + place * strip + column] / 255;
    }),
  );
}

/** @param {Blob} file
 * @returns {Promise<Grey | null>} null if it is no image or has no writing */
export async function greyOfFile(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((size) => Math.max(1, Math.round(size * scale)));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.fillStyle = "#fff"; // transparent pixels are background
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  return greyOfPixels(context.getImageData(0, 0, width, height).data, width, height);
}

/** The background is the median of the border pixels; ink is the difference from it, as in Python's `Picture.prepared`.
 * @param {Uint8ClampedArray} data red, green, blue and opacity
 * @param {number} width @param {number} height @returns {Grey | null} */
export function greyOfPixels(data, width, height) {
  const light = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round((299 * data[4 * i] + 587 * data[4 * i + 1] + 114 * data[4 * i + 2]) / 1000),
  );
  const isAtEdge = (/** @type {number} */ i) =>
    i < width || i >= width * (height - 1) || i % width === 0 || i % width === width - 1;
  const edge = light.filter((_, i) => isAtEdge(i)).sort();
  const background = edge[Math.floor(edge.length / 2)];
  const ink = light.map((value) => Math.max(0, background > 127 ? background - value : value - background));
  const maximum = ink.reduce((largest, value) => Math.max(largest, value), 0);
  if (maximum < MIN_CONTRAST) return null;
  const pixels = ink
    .map((value) => Math.round((value * 255) / maximum))
    .map((value) => (value > INK_THRESHOLD ? value : 0));
  return { pixels, width, height };
}
