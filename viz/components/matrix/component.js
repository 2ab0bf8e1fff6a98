/* Grids of signed numbers: less and more of the same ink on either side of nothing. */

import { applyPalette } from "../shared/colour.js";
import { h } from "../shared/dom.js";
import { fill, language } from "../shared/text.js";

const grids = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let grid = grids.get(parentElement);
  if (!grid) {
    grid = { root: h("div", { class: "grids" }) };
    grid.root.addEventListener("click", (event) => choose(grid, event.target));
    grid.root.addEventListener("keydown", (event) => walk(grid, event));
    parentElement.append(grid.root);
    grids.set(parentElement, grid);
  }
  grid.send = setTriggerValue;
  grid.data = data;
  draw(grid);
  return () => {
    grid.root.remove();
    grids.delete(parentElement);
  };
}

const signed = (value, digits) =>
  Math.abs(value) < 0.5 * 10 ** -digits
    ? "0"
    : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;

function draw(grid) {
  const { data, root } = grid;
  applyPalette(root, data.colours);
  root.toggleAttribute("data-stacked", data.isStacked);
  root.replaceChildren(...data.blocks.map((block, index) => drawBlock(data, block, index)));
  grid.cell = null;
  root.querySelector("button")?.setAttribute("tabindex", "0");
}

function drawBlock(data, block, index) {
  const table = h("div", { class: "grid", role: "grid", "aria-label": block.title });
  const wide = block.columns.length;
  table.style.setProperty("--columns", wide);
  table.toggleAttribute("data-dense", wide > 20);
  const off = new Set(block.off.map(([row, column]) => `${row},${column}`));
  const corner = h("span", { class: "corner" });
  table.append(corner, ...block.columns.map((name) => h("span", { class: "top" }, name)));
  block.rows.forEach((name, row) => {
    table.append(h("span", { class: "side" }, name));
    block.columns.forEach((columnName, column) => {
      const value = block.values[row][column];
      const isUnknown = value === null;
      const said = isUnknown
        ? data.unknown
        : fill(data.help, { row: name, column: columnName, value: signed(value, data.digits) });
      const cell = h(
        "button",
        {
          class: "cell",
          type: "button",
          tabindex: "-1",
          title: said,
          "aria-label": said,
          "data-block": index,
          "data-row": row,
          "data-column": column,
        },
        isUnknown ? "" : signed(value, Math.min(data.digits, wide > 12 ? 1 : 2)),
      );
      const share = isUnknown || !block.limit ? 0 : Math.abs(value) / block.limit;
      cell.style.setProperty("--share", share.toFixed(3));
      cell.dataset.sign = isUnknown ? "unknown" : value < 0 ? "less" : "more";
      cell.toggleAttribute("data-strong", share > 0.55);
      cell.toggleAttribute("data-faint", share < 0.12);
      cell.toggleAttribute("data-off", off.has(`${row},${column}`));
      cell.toggleAttribute("data-still", !data.canClick);
      table.append(cell);
    });
  });
  const names = h("span", { class: "names" }, [block.rows_name, block.columns_name].filter(Boolean).join(" × "));
  const title = h("h3", {}, block.title);
  if (block.kind) title.dataset.kind = block.kind;
  return h("section", { class: "block" }, h("header", {}, title, names), h("div", { class: "scroll" }, table));
}

function choose(grid, target) {
  const cell = target.closest?.("button.cell");
  if (!cell || !grid.data.canClick) return;
  grid.send("cell", [Number(cell.dataset.block), Number(cell.dataset.row), Number(cell.dataset.column)]);
}

function walk(grid, event) {
  const cell = event.target.closest?.("button.cell");
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!cell || !step) return;
  event.preventDefault();
  const [row, column] = [Number(cell.dataset.row) + step[0], Number(cell.dataset.column) + step[1]];
  const next = grid.root.querySelector(
    `button[data-block="${cell.dataset.block}"][data-row="${row}"][data-column="${column}"]`,
  );
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
