// Writes a PNG's resolution, because without it a document assumes the resolution of its own screen.

const SIGNATURE = 8;
const HEADER = 25; // length, name, thirteen bytes and the checksum of IHDR, which is always first

/** The file with a pHYs chunk after its header, so that it is shown at so many pixels an inch.
 * @type {(png: Blob, pixelsPerInch: number) => Promise<Blob>} */
export async function withResolution(png, pixelsPerInch) {
  const bytes = new Uint8Array(await png.arrayBuffer());
  const cut = SIGNATURE + HEADER;
  return new Blob([bytes.subarray(0, cut), physicalSize(pixelsPerInch), bytes.subarray(cut)], { type: png.type });
}

/** https://www.w3.org/TR/png/#11pHYs: pixels a metre along x and y, then 1 for metres. @param {number} pixelsPerInch */
function physicalSize(pixelsPerInch) {
  const chunk = new DataView(new ArrayBuffer(21));
  const perMetre = Math.round(pixelsPerInch / 0.0254);
  chunk.setUint32(0, 9);
  [..."pHYs"].forEach((letter, at) => chunk.setUint8(4 + at, letter.charCodeAt(0)));
  chunk.setUint32(8, perMetre);
  chunk.setUint32(12, perMetre);
  chunk.setUint8(16, 1);
  chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)));
  return chunk.buffer;
}

/** CRC-32 as PNG requires it. @param {Uint8Array} bytes */
function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
