// Formulas, code, tables and pictures that are wider than their column are scrolled
// sideways.  A shadow marks the edge where something is hidden (book.css), and the Tab key
// stops there, so that they can be scrolled without a mouse.
"use strict";

{
  const WIDE = [
    ".bd-article div.math",
    ".bd-article span.math.long",
    ".bd-article pre",
    ".bd-article .pst-scrollable-table-container",
    ".bd-article .wide-picture",
  ].join();

  /** Mark the edges where something is hidden.  All are measured before any is changed. */
  function mark(things) {
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

  // Folded parts are left out: to measure one, the browser would have to lay it out.
  const FOLDED = "details:not([open]) > :not(summary)";

  const markWithin = (part) =>
    mark([...part.querySelectorAll(WIDE)].filter((wide) => !wide.closest(FOLDED)));
  const article = document.querySelector(".bd-article") ?? document.body;

  // The theme's script would do the same, for folded parts as well, one after the other:
  // it lays out the page for each, which takes longer than all else that it does.
  const all = document.querySelectorAll;
  document.querySelectorAll = (selector) =>
    `${selector}`.startsWith("pre, .nboutput") ? [] : all.call(document, selector);

  // Measured again when the page gets another width, when a part is unfolded, and when
  // something is scrolled.
  let width;
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    markWithin(article);
  }).observe(article);
  document.addEventListener("toggle", ({ target }) => markWithin(target), true);
  document.addEventListener(
    "scroll",
    ({ target }) => {
      if (target !== document && target.matches(WIDE)) mark([target]);
    },
    { capture: true, passive: true }, // neither event bubbles
  );
}
