// Replaces the browser's document for modules that build their parts from elements: enough to find an element, to read its
// text and to click it. What is laid out, painted or animated is tested in a browser.

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

  toggleAttribute(name, isSet) {
    if (isSet) this.attributes.set(name, "");
    else this.attributes.delete(name);
  }

  addEventListener(name, act) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), act]);
  }

  /** Call the listeners of this element and of its ancestors. */
  dispatch(name, event = {}) {
    const dispatched = { target: this, preventDefault: () => {}, stopPropagation: () => {}, ...event };
    dispatched.composedPath ??= () => [this];
    for (let node = this; node; node = node.parent) for (const act of node.listeners.get(name) ?? []) act(dispatched);
  }

  /** All descendants with a tag or ".class". */
  findAll(selector) {
    const matches = ({ tag, className }) =>
      selector.startsWith(".") ? className.split(" ").includes(selector.slice(1)) : tag === selector;
    const elements = this.children.filter((child) => child instanceof Element);
    return elements.flatMap((child) => [...(matches(child) ? [child] : []), ...child.findAll(selector)]);
  }

  querySelectorAll(selector) {
    return this.findAll(selector);
  }

  querySelector(selector) {
    return this.findAll(selector)[0] ?? null;
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
    return new Proxy(context, { get: (methods, key) => methods[key] ?? (() => {}) });
  }

  get textContent() {
    return this.children.map((child) => (child instanceof Element ? child.textContent : child)).join("");
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
