// What is wider than its column can be pushed sideways: formulas, code, tables.  Where
// it goes on, its edge is in the shade (book.css); the Tab key stops at it, so that it
// can be pushed without a mouse.

const WIDE = [
  ".bd-article div.math mjx-container",
  ".bd-article span.math",
  ".bd-article pre",
  ".bd-article .pst-scrollable-table-container",
].join();

/** Note at which edges things go on: all are measured before any changes. */
export function mark(things) {
  const measured = [...things].map((wide) => ({
    wide,
    before: wide.scrollLeft,
    after: wide.scrollWidth - wide.clientWidth - wide.scrollLeft,
  }));
  for (const { wide, before, after } of measured) {
    wide.classList.toggle("more-before", before > 1);
    wide.classList.toggle("more-after", after > 1);
    if (after > 1) wide.tabIndex = 0;
  }
}

// What is folded away would be laid out, each by itself, to be measured.
const FOLDED = "details:not([open]) > :not(summary)";

const markWithin = (part) =>
  mark([...part.querySelectorAll(WIDE)].filter((wide) => !wide.closest(FOLDED)));
const article = document.querySelector(".bd-article") ?? document.body;

// A formula is typeset later, what is folded may unfold, a window may be turned.
let width;
new ResizeObserver(([{ contentRect }]) => {
  if (contentRect.width === width) return;
  width = contentRect.width;
  markWithin(article);
}).observe(article);
document.addEventListener("toggle", ({ target }) => markWithin(target), true);
// A formula has its width when its font has arrived.
document.fonts.addEventListener("loadingdone", () => markWithin(article));
document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target !== document && target.matches(WIDE)) mark([target]);
  },
  { capture: true, passive: true }, // neither event bubbles
);
