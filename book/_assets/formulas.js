// Typesets the formulas of a page with the site's own MathJax.
//
// Sphinx loads this module on the pages that have formulas (`mathjax_path` in
// _config.yml).  Other scripts may import it, to typeset what they bring into a page.

import { mark } from "./overflow.js";

const mathjax = new URL("mathjax/es5/", import.meta.url);

// All at once, hundreds of formulas would freeze a page for a second; these, with the
// layout that follows, take less than the 50 ms after which a page feels slow.
const BATCH = 10;

let ready;

/** Load MathJax, once, whoever asks first. */
export function load() {
  return (ready ??= start());
}

function start() {
  window.MathJax = {
    loader: {
      paths: { mathjax: mathjax.href.replace(/\/$/, "") },
      // The parts, not the one file that has all: no menu, which would need a speech
      // engine and make each formula a stop of the Tab key.
      load: [
        "core",
        "input/tex-base",
        "[tex]/ams",
        "output/chtml",
        "a11y/assistive-mml",
      ],
    },
    tex: { packages: { "[+]": ["ams"] } },
    options: { ignoreHtmlClass: "mathjax_ignore", processHtmlClass: "math" },
    // `typeset` below does it, a few formulas at a time.
    startup: { typeset: false },
  };
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("startup.js", mathjax);
    script.onload = () => resolve(window.MathJax.startup.promise);
    script.onerror = () => reject(new Error(`MathJax is not at ${script.src}`));
    document.head.append(script);
  });
}

// Lets the page draw, and answer the reader.
const turn = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Typeset formulas, a few at a time.
 * @param {Iterable<Element>} formulas elements of class "math", with TeX inside
 */
export async function typeset(formulas) {
  const all = [...formulas];
  if (all.length) await load();
  for (let first = 0; first < all.length; first += BATCH) {
    await window.MathJax.typesetPromise(all.slice(first, first + BATCH));
    await turn();
  }
  mark(all.map(scrolled)); // once, since it needs the layout of the whole page
}

/** What is scrolled if it is too wide: a display's drawing, or a formula in the text. */
const scrolled = (formula) =>
  formula.matches("div") ? formula.querySelector("mjx-container") : formula;

// A folded formula waits until it is unfolded or printed: the ledger has a thousand of
// them, and for each one typeset the browser lays out the whole table again.
const WAITING = ".math:not(:has(mjx-container))";
const isFolded = (formula) => formula.closest("details:not([open])");

/** The formulas that are not folded: those in sight and below first, then the rest. */
function inReadingOrder() {
  const formulas = [...document.querySelectorAll(".math")].filter((f) => !isFolded(f));
  const first = formulas.findIndex((f) => f.getBoundingClientRect().bottom > 0);
  return first < 1 ? formulas : [...formulas.slice(first), ...formulas.slice(0, first)];
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!target.open) return;
    typeset([...target.querySelectorAll(WAITING)].filter((f) => !isFolded(f)));
  },
  true, // it does not bubble
);
// A print does not wait for a promise.
window.addEventListener("beforeprint", () => {
  window.MathJax.typeset?.([...document.querySelectorAll(WAITING)]);
});

load().then(() => typeset(inReadingOrder()));
