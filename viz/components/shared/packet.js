// The packets of bytes that Python sends (viz/components/packet.py): a JSON header, then arrays aligned to four bytes.

/**
 * @param {Uint8Array} bytes
 * @returns {{header: any, buffer: ArrayBuffer, start: number}} the header, and where in `buffer` the arrays start
 */
export function openPacket(bytes) {
  const aligned = bytes.byteOffset % 4 ? bytes.slice() : bytes;
  const { byteOffset } = aligned;
  const buffer = /** @type {ArrayBuffer} */ (aligned.buffer);
  const length = new DataView(buffer, byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, byteOffset + 4, length)));
  return { header, buffer, start: byteOffset + 4 + length };
}
