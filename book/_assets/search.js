// What the search shows of a page has formulas as text (see _ext/formulas.py): the parts
// of a drawn one, read one after the other, would make 12 of one half.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { htmlToText } = Search; // Sphinx's searchtools.js
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const formula of page.querySelectorAll("math")) {
      formula.replaceWith(formula.getAttribute("alttext"));
    }
    return htmlToText(page.documentElement.outerHTML, anchor);
  };
});
