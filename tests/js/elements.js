// Replaces the browser's document for modules that build their parts from elements: enough to find an element, to read its
// words and to press it. What is laid out, painted or animated is tested in a browser.

import { context } from "./screen.js";

globalThis.Node = class {
  parent = null;
};

class Element extends globalThis.Node {
  children = [];
  attributes = new Map();
  listeners = new Map();
  dataset = {};
  className = "";
  hidden = false;
  tabIndex = -1;
  isConnected = true;
  style = { setProperty: (name, value) => (this.style[name] = value) };

  constructor(tag) {
    super();
    this.tag = tag;
  }

  append(...nodes) {
    for (const node of nodes) {
      if (node instanceof Element) node.parent = this;
      this.children.push(node);
    }
  }

  prepend(...nodes) {
    this.children.unshift(...nodes);
  }

  replaceChildren(...nodes) {
    this.children = [];
    this.append(...nodes);
  }

  setAttribute(name, value) {
    if (name === "class") this.className = value;
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  toggleAttribute(name, isThere) {
    if (isThere) this.attributes.set(name, "");
    else this.attributes.delete(name);
  }

  addEventListener(name, act) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), act]);
  }

  /** Let the listeners of this element, and of those around it, hear of an event. */
  hear(name, event = {}) {
    const heard = { target: this, preventDefault: () => {}, stopPropagation: () => {}, ...event };
    heard.composedPath ??= () => [this];
    for (let node = this; node; node = node.parent) for (const act of node.listeners.get(name) ?? []) act(heard);
  }

  /** All elements inside of a tag or ".class". */
  all(wanted) {
    const isIt = wanted.startsWith(".")
      ? (each) => each.className.split(" ").includes(wanted.slice(1))
      : (each) => each.tag === wanted;
    const inside = this.children.filter((each) => each instanceof Element);
    return inside.flatMap((each) => [...(isIt(each) ? [each] : []), ...each.all(wanted)]);
  }

  querySelectorAll(wanted) {
    return this.all(wanted);
  }

  querySelector(wanted) {
    return this.all(wanted)[0] ?? null;
  }

  contains(other) {
    return other === this || Boolean(other?.parent && this.contains(other.parent));
  }

  checkVisibility() {
    return !this.hidden && (!this.parent || this.parent.checkVisibility());
  }

  getRootNode() {
    return globalThis.document;
  }

  focus() {
    globalThis.document.activeElement = this;
  }

  getContext() {
    return new Proxy(context, { get: (all, key) => all[key] ?? (() => {}) });
  }

  get textContent() {
    return this.children.map((each) => (each instanceof Element ? each.textContent : each)).join("");
  }

  set textContent(text) {
    this.children = [String(text)];
  }
}

globalThis.document = {
  createElement: (tag) => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  createTextNode: (text) => Object.assign(new Element("text"), { textContent: text }),
  documentElement: Object.assign(new Element("html"), { lang: "en" }),
  activeElement: null,
};
globalThis.window = { addEventListener: () => {}, removeEventListener: () => {} };
globalThis.getComputedStyle = () => ({ direction: "ltr", getPropertyValue: () => "#102030" });
globalThis.requestAnimationFrame = () => 0;
