// Hands state and exact weights to the explorer of the same id, which may be on the page already or not yet.
export default function ({ data }) {
  if (!data) return;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  const { id } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  (window.regardControls ??= new Map()).set(id, data);
  window.dispatchEvent(new CustomEvent("regard:control", { detail: id }));
}
