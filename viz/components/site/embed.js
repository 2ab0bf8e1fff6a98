// <regard-page text="The cat sleeps." model="en-fr" level="head" language="fr" height="700"></regard-page>: this site inside
// another page, such as a course's. Load it there with <script src="…/code/site/embed.js"></script>, which needs no
// header from the host of the site.

const CHOICES = [
  "text",
  "model",
  "level",
  "interventions",
  "layer",
  "head",
  "language",
  "view",
  "off",
  "heads",
  "lang",
];
// The last four are the former names of level, interventions, layer and head, and language, for old pages.
const script = /** @type {HTMLScriptElement} */ (
  document.currentScript ?? document.querySelector('script[src*="code/site/embed.js"]') // currentScript is null in a module
);
const site = new URL("../../", script.src);

class RegardPage extends HTMLElement {
  static observedAttributes = [...CHOICES, "height", "title"];
  /** @type {HTMLIFrameElement | null} */
  frame = null;

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const address = new URL(site);
    for (const name of CHOICES) {
      const value = this.getAttribute(name);
      if (value) address.searchParams.set(name, value);
    }
    address.searchParams.set("embed", "");
    this.frame ??= document.createElement("iframe");
    const title = this.getAttribute("title") ?? "Regard";
    Object.assign(this.frame, { title, loading: "lazy", allow: "clipboard-write" });
    if (this.frame.src !== address.href) this.frame.src = address.href;
    this.frame.style.cssText = `border:0;width:100%;height:${Number(this.getAttribute("height")) || 640}px`;
    if (!this.frame.isConnected) this.replaceChildren(this.frame);
  }
}

customElements.define("regard-page", RegardPage);
