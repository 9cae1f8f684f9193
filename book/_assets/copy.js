// Copied text has each formula as TeX between dollar signs, ready for a notebook: the
// parts of a drawn one, read one after the other, would make 12 of one half.
"use strict";

document.addEventListener("copy", (event) => {
  const selection = getSelection();
  const typed = event.target.closest?.("input, textarea, [contenteditable]");
  if (selection.isCollapsed || typed) return;
  const range = selection.getRangeAt(0).cloneRange();
  // A formula is copied whole, whatever part of it is selected.
  const formula = (node) => (node.closest ? node : node.parentElement).closest("math");
  const first = formula(range.startContainer);
  const last = formula(range.endContainer);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  const copied = document.createElement("div");
  copied.append(range.cloneContents());
  const formulas = copied.querySelectorAll("math");
  if (!formulas.length) return;
  for (const { dataset, parentElement } of formulas) {
    const mark = parentElement.matches("div.math") ? "$$" : "$";
    parentElement.replaceChildren(`${mark}${dataset.tex}${mark}`);
  }
  // In the page for a moment, since only there lines end where paragraphs do.
  copied.style.cssText = "position: fixed; left: -200vw";
  document.body.append(copied);
  event.clipboardData.setData("text/plain", copied.innerText);
  copied.remove();
  event.preventDefault();
});
