/* Two modes, one column a position. */

const boards = new WeakMap();

export default function ({ data, parentElement }) {
  let root = boards.get(parentElement);
  if (!root) {
    root = make("div", "board");
    parentElement.append(root);
    boards.set(parentElement, root);
  }
  draw(root, data);
  return () => { root.remove(); boards.delete(parentElement); };
}

function make(tag, className = "", attributes = {}, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const bare = (piece) => piece.replaceAll("▁", "") || "␣";
const isSpecial = (piece) => /^<.*>$|^\[.*\]$/.test(piece);
const number = (value) => value.toLocaleString(document.documentElement.lang || "en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

function draw(root, data) {
  const { words } = data;
  const colours = data.colours[isDark(root) ? "dark" : "light"];
  for (const [name, colour] of Object.entries(colours)) root.style.setProperty(`--${name}`, colour);
  const all = [...data.training.losses, ...data.inference.losses, ...(data.masked ?? [])].filter((loss) => loss !== null);
  const most = Math.max(...all, 1e-6);
  const table = make("table");
  table.append(make("caption", "", {}, data.parting === null ? words.never_parts : fill(words.parts_at, { position: data.parting + 1, wanted: bare(data.reference[data.parting]), said: bare(data.inference.predicted[data.parting] ?? "—") })));
  const head = make("tr", "", {}, make("th", "", { scope: "row" }, words.reference));
  data.reference.forEach((piece, at) => {
    const cell = make("th", "wanted", { scope: "col" }, token(piece));
    cell.toggleAttribute("data-parting", at === data.parting);
    head.append(cell);
  });
  table.append(make("thead", "", {}, head));
  table.append(section(data, "training", most), section(data, "inference", most));
  root.replaceChildren(make("div", "scroll", {}, table));
}

function section(data, mode, most) {
  const { words, reference, parting } = data;
  const { fed, predicted, losses, mean } = data[mode];
  const title = make("tr", "mode", {}, make("th", "", { colspan: String(reference.length + 1), scope: "rowgroup" },
    make("span", "name", {}, words[mode]), make("span", "remark", {}, words[`${mode}_how`]), make("span", "mean", {}, fill(words.mean_loss, { loss: number(mean) }))));
  const row = (label, pieces, mark) => {
    const line = make("tr", "", {}, make("th", "", { scope: "row" }, label));
    reference.forEach((_, at) => {
      const piece = pieces[at];
      const cell = make("td", "", {}, piece === undefined ? make("span", "none", {}, "·") : token(piece));
      if (piece !== undefined && mark) cell.dataset.hit = mark(piece, at) ? "yes" : "no";
      cell.toggleAttribute("data-parting", mode === "inference" && at === parting);
      line.append(cell);
    });
    return line;
  };
  const costs = make("tr", "losses", {}, make("th", "", { scope: "row" }, words.loss));
  reference.forEach((piece, at) => {
    const loss = losses[at];
    const cell = make("td");
    if (loss !== null) {
      const bar = make("span", "loss", {}, make("span", "ink"));
      bar.style.setProperty("--share", (loss / most).toFixed(4));
      if (mode === "training" && data.masked) {
        bar.style.setProperty("--before", (data.masked[at] / most).toFixed(4));
        bar.append(make("span", "before"));
      }
      cell.append(bar, make("span", "number", {}, number(loss)));
      cell.title = fill(words.loss_help, { piece: bare(piece), loss: number(loss), share: `${(Math.exp(-loss) * 100).toFixed(1)} %` });
    }
    costs.append(cell);
  });
  return make("tbody", mode, {}, title,
    row(words.row_fed, fed, mode === "inference" ? (piece, at) => at === 0 || piece === reference[at - 1] : null),
    row(words.predicts, predicted, (piece, at) => piece === reference[at]), costs);
}

function token(piece) {
  const node = make("span", "token", {}, bare(piece));
  node.toggleAttribute("data-special", isSpecial(piece));
  return node;
}

function isDark(node) {
  const ground = getComputedStyle(node.getRootNode().host ?? node).getPropertyValue("--st-background-color").trim();
  const hex = ground.match(/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i)?.slice(1).map((part) => parseInt(part, 16));
  const [red, green, blue] = hex ?? ground.match(/\d+/g)?.map(Number) ?? [255, 255, 255];
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}
