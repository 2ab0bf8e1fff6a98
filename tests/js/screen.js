// What the tested modules ask a browser for: a canvas that measures text, six pixels a character.

const context = { font: "", measureText: (text) => ({ width: [...text].length * 6 }) };

globalThis.OffscreenCanvas = class {
  getContext() {
    return context;
  }
};
globalThis.document = { createElement: () => ({ getContext: () => context }), documentElement: { lang: "en" } };
