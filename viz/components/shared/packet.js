// The packets of bytes that Python sends (viz/components/packet.py): a JSON header, then arrays aligned to four bytes.

/** @param {string} encoded in base64 */
export const bytesOfBase64 = (encoded) => Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));

/** Weights from 0 to 1 that were written as bytes in base64. @param {string} encoded */
export const weightsOfBase64 = (encoded) => Float32Array.from(bytesOfBase64(encoded), (byte) => byte / 255);

/** A packet that was compressed and written as base64. @param {string} encoded */
export async function decompress(encoded) {
  const stream = new Blob([bytesOfBase64(encoded)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @template Header
 * @param {Uint8Array} bytes
 * @returns {{header: Header, buffer: ArrayBuffer, start: number}} the header, and where in `buffer` the arrays start */
export function openPacket(bytes) {
  const aligned = bytes.byteOffset % 4 ? bytes.slice() : bytes;
  const { byteOffset } = aligned;
  const buffer = /** @type {ArrayBuffer} */ (aligned.buffer);
  const length = new DataView(buffer, byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, byteOffset + 4, length)));
  return { header, buffer, start: byteOffset + 4 + length };
}
