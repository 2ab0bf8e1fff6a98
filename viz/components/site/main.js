// The page without a server: languages and the address around the desk.

import { followDevice } from "../attention/js/device.js";
import { h } from "../shared/dom.js";
import { Desk } from "./desk.js";
import { fromLink, toLink } from "./link.js";

class Page {
  /** @param {any} site what site.json holds */
  constructor(site) {
    this.site = site;
    const choices = fromLink(location.search);
    this.heading = h("header", {});
    this.body = h("div", { class: "site-desk" });
    this.foot = h("footer", {});
    document.querySelector("#app").replaceChildren(this.heading, this.body, this.foot);
    const setup = this.#speak(choices.language);
    this.desk = new Desk(this.body, setup, choices, (chosen, isNew) => {
      const address = location.pathname + toLink(chosen);
      if (isNew) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    });
    window.addEventListener("popstate", () => this.#restore());
    followDevice(() => this.desk.explorer);
  }

  /** Choose the requested language, or the first of the browser's that we have; returns the desk's setup. */
  #speak(/** @type {string} */ wish) {
    const { strings, languages, palettes, state, models, sentences } = this.site;
    const wished = [wish, ...navigator.languages].map((code) => code.split("-")[0]);
    this.language = wished.find((code) => code in strings) ?? "en";
    document.documentElement.lang = this.language;
    const { site: words, attention: explorer, gallery: groups } = strings[this.language];
    document.title = `Regard · ${words.tagline}`;
    const links = Object.entries(languages).map(([code, name]) =>
      h(
        "button",
        {
          type: "button",
          lang: code,
          class: "site-link",
          "aria-pressed": String(code === this.language),
          onclick: () => this.#change(code),
        },
        /** @type {string} */ (name),
      ),
    );
    this.heading.replaceChildren(
      h("h1", {}, "Regard"),
      h("p", {}, words.tagline),
      h("nav", { "aria-label": words.language }, links),
    );
    const { readmes } = this.site;
    const origin = readmes.length ? words.about_sets.replace("{files}", readmes.join(", ")) : "";
    this.foot.textContent = [words.about, origin].filter(Boolean).join(" ");
    const places = models.map((/** @type {any} */ each) => ({
      ...each,
      address: new URL(each.address, document.baseURI).href,
    }));
    return { words, explorer, groups, palettes, state, sentences, models: places };
  }

  /** @param {string} code */
  #change(code) {
    const { desk } = this;
    desk.choices.language = code;
    desk.remember(desk.choices, false);
    desk.build(this.#speak(code));
  }

  #restore() {
    const before = this.language;
    const choices = fromLink(location.search);
    const setup = this.#speak(choices.language);
    this.desk.choices = choices;
    if (this.language !== before) this.desk.build(setup);
    this.desk.take(choices);
  }
}

const page = new Page(await (await fetch(new URL("site.json", document.baseURI))).json());
await page.desk.opened; // storing files for the next visit must not delay this one
if ("serviceWorker" in navigator && location.protocol.startsWith("http"))
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => undefined);
