// Less frequently used settings, in small panels under the toolbar.

import { h } from "../../../shared/dom.js";
import { fixed } from "../../../shared/text.js";
import { Popover, Segments } from "./controls.js";
import { savePicture } from "../picture/picture.js";

/** A group of radio buttons as a labelled row of segments. */
function option(explorer, field, names, words = field) {
  const { strings } = explorer;
  const segments = new Segments(
    strings[words],
    names.map((name) => [name, strings[`${words}_${name}`] ?? strings[name]]),
    (value) => explorer.update({ [field]: value }),
  );
  return {
    root: h("div", { class: "option" }, h("span", {}, strings[words]), segments.root),
    show: () => segments.show(explorer.state[field]),
  };
}

export function sinksMenu(explorer) {
  const { strings } = explorer;
  const mode = option(explorer, "sinks", ["shown", "greyed", "removed"]);
  const boxes = explorer.packet.defaults.sink_kinds.map((kind) => {
    const box = h("input", {
      type: "checkbox",
      onchange: () => explorer.update({ sink_kinds: boxes.filter(([, each]) => each.checked).map(([name]) => name) }),
    });
    return [kind, box, h("label", { class: "check" }, box, strings[`sink_${kind}`])];
  });
  const popover = new Popover("", [
    mode.root,
    h("div", { class: "checks" }, ...boxes.map(([, , label]) => label)),
    h("p", { class: "hint" }, strings.about_sinks),
  ]);
  return {
    popover,
    show() {
      const { state } = explorer;
      mode.show();
      popover.label.textContent = `${strings.sinks}: ${strings[`sinks_${state.sinks}`]}`;
      for (const [kind, box] of boxes) box.checked = state.sink_kinds.includes(kind);
    },
  };
}

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
  const popover = new Popover(strings.scale_menu, [...options.map((each) => each.root), threshold, about]);
  return {
    popover,
    show() {
      const { state } = explorer;
      options.forEach((each) => each.show());
      slider.value = String(state.threshold);
      output.textContent = fixed(state.threshold);
      about.textContent = strings[`about_scale_${state.scale}`];
    },
  };
}

/** Other weightings than the raw weights, computed by Python on demand. */
export function weightingMenu(explorer) {
  const { strings, view } = explorer;
  const weighting = option(explorer, "weighting", view.weightings);
  const links = {
    value_weighted: "https://aclanthology.org/2020.emnlp-main.574/",
    rollout: "https://aclanthology.org/2020.acl-main.385/",
    gradient: "https://aclanthology.org/P19-1282/",
  };
  const about = h("p", { class: "hint" });
  const popover = new Popover("", [weighting.root, about]);
  popover.root.hidden = view.weightings.length < 2;
  return {
    popover,
    show() {
      const { state } = explorer;
      weighting.show();
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

export function exportMenu(explorer) {
  const { strings } = explorer;
  const clear = h("input", { type: "checkbox" });
  const button = (format) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          savePicture(explorer, format, clear.checked);
          popover.toggle(false);
        },
      },
      format.toUpperCase(),
    );
  const popover = new Popover(
    strings.export,
    [
      h(
        "div",
        { class: "option" },
        h("span", {}, strings.picture),
        h("div", { class: "segments" }, button("png"), button("svg")),
      ),
      h("label", { class: "check" }, clear, strings.transparent),
      h("p", { class: "hint" }, strings.about_picture),
      explorer.packet.isMounted &&
        h(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => {
              explorer.ask("files");
              popover.toggle(false);
            },
          },
          strings.export_files,
        ),
    ].filter(Boolean),
    { align: "end" },
  );
  return { popover, show() {} };
}
