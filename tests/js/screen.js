// Replaces the browser for the tested modules: a canvas that measures text, six pixels for each character, and keeps
// the last image.

export const context = {
  font: "",
  image: null,
  measureText: (text) => ({ width: [...text].length * 6 }),
  createImageData: (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) }),
  putImageData(image) {
    this.image = image;
  },
};

globalThis.OffscreenCanvas = class {
  getContext() {
    return context;
  }
};
globalThis.document = { createElement: () => ({ getContext: () => context }), documentElement: { lang: "en" } };
