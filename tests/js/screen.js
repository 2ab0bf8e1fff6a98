// Replaces the browser for the tested modules: a canvas that measures text, six pixels for each character.

const context = { font: "", measureText: (text) => ({ width: [...text].length * 6 }) };

globalThis.OffscreenCanvas = class {
  getContext() {
    return context;
  }
};
globalThis.document = { createElement: () => ({ getContext: () => context }), documentElement: { lang: "en" } };
