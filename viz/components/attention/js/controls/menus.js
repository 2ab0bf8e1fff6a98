// Menus of less frequently used settings, as popovers of the toolbar.

import { h } from "../../../shared/dom.js";
import { formatFixed } from "../../../shared/text.js";
import { savePicture } from "../picture/picture.js";
import { Popover, segmentsOf } from "./controls.js";

/** @import { Explorer } from "../explorer.js" */
/** @import { State } from "../types" */

/** Segments as a row of a menu.
 * @template {"sinks" | "scale" | "curve" | "palette" | "weighting"} Field
 * @param {Explorer} explorer @param {Field} field @param {State[Field][]} values */
function option(explorer, field, values) {
  const segments = segmentsOf(explorer, field, values);
  return {
    root: h("div", { class: "option" }, h("span", {}, explorer.strings[field]), segments.root),
    show: () => segments.show(explorer.state[field]),
  };
}

/** @param {Explorer} explorer */
export function sinksMenu(explorer) {
  const { strings } = explorer;
  const mode = option(explorer, "sinks", ["shown", "greyed", "removed"]);
  const kinds = explorer.packet.defaults.sink_kinds;
  const onchange = () => explorer.update({ sink_kinds: kinds.filter((_, at) => boxes[at].checked) });
  const boxes = kinds.map(() => h("input", { type: "checkbox", onchange }));
  const popover = new Popover("", [
    mode.root,
    h(
      "div",
      { class: "checks" },
      ...kinds.map((kind, at) => h("label", { class: "check" }, boxes[at], strings[`sink_${kind}`])),
    ),
    h("p", { class: "hint" }, strings.about_sinks),
  ]);
  return {
    popover,
    show() {
      const { state } = explorer;
      mode.show();
      popover.label.textContent = `${strings.sinks}: ${strings[`sinks_${state.sinks}`]}`;
      kinds.forEach((kind, at) => (boxes[at].checked = state.sink_kinds.includes(kind)));
    },
  };
}

/** @param {Explorer} explorer */
export function scaleMenu(explorer) {
  const { strings } = explorer;
  const options = [
    option(explorer, "scale", ["row", "head", "common"]),
    option(explorer, "curve", ["linear", "sqrt"]),
    option(explorer, "palette", ["hue", "viridis", "cividis", "grey"]),
  ];
  const output = h("output", {});
  const slider = h("input", {
    type: "range",
    min: "0",
    max: "0.5",
    step: "0.01",
    "aria-label": strings.threshold,
    oninput: () => explorer.update({ threshold: Number(slider.value) }),
  });
  const threshold = h("label", { class: "option" }, h("span", {}, strings.threshold), slider, output);
  const about = h("p", { class: "hint" });
  const popover = new Popover(strings.scale_menu, [...options.map(({ root }) => root), threshold, about]);
  return {
    popover,
    show() {
      const { state } = explorer;
      options.forEach((item) => item.show());
      slider.value = String(state.threshold);
      output.textContent = formatFixed(state.threshold);
      about.textContent = strings[`about_scale_${state.scale}`];
    },
  };
}

/** The menu of weightings, which Python computes on demand. @param {Explorer} explorer */
export function weightingMenu(explorer) {
  const { strings, view } = explorer;
  const choice = option(explorer, "weighting", view.weightings);
  /** @type {Record<string, string>} */
  const links = {
    value_weighted: "https://aclanthology.org/2020.emnlp-main.574/",
    rollout: "https://aclanthology.org/2020.acl-main.385/",
    gradient: "https://aclanthology.org/P19-1282/",
  };
  const about = h("p", { class: "hint" });
  const popover = new Popover("", [choice.root, about]);
  popover.root.hidden = view.weightings.length < 2;
  return {
    popover,
    show() {
      const { state } = explorer;
      choice.show();
      popover.label.textContent = `${strings.weighting}: ${strings[`weighting_${state.weighting}`]}`;
      about.replaceChildren(
        strings[`weighting_about_${state.weighting}`],
        " ",
        links[state.weighting]
          ? h("a", { href: links[state.weighting], target: "_blank", rel: "noreferrer" }, strings.paper)
          : "",
      );
    },
  };
}

/** @param {Explorer} explorer */
export function exportMenu(explorer) {
  const { strings } = explorer;
  const clear = h("input", { type: "checkbox" });
  const button = (/** @type {"png" | "svg"} */ format) =>
    h(
      "button",
      {
        onclick: () => {
          savePicture(explorer, format, clear.checked);
          popover.toggle(false);
        },
      },
      format.toUpperCase(),
    );
  const files = () => {
    explorer.requestAction("files");
    popover.toggle(false);
  };
  const segments = h("div", { class: "segments" }, button("png"), button("svg"));
  /** @type {HTMLElement[]} */
  const content = [
    h("div", { class: "option" }, h("span", {}, strings.picture), segments),
    h("label", { class: "check" }, clear, strings.transparent),
    h("p", { class: "hint" }, strings.about_picture),
  ];
  if (explorer.packet.isMounted) content.push(h("button", { class: "plain", onclick: files }, strings.export_files));
  const popover = new Popover(strings.export, content, "end");
  return { popover, show() {} };
}
