// Shows what a reference leads to: a theorem, a definition, an equation, a term, a
// citation, an exercise, a figure, an erratum, what the ledger has of a statement.
//
// It opens when the mouse rests on a link or the keyboard's focus is there; Escape closes
// it.  On a touch screen there are no previews.  What is on another page is fetched when
// it is asked for, so previews add nothing to a page; a page that was opened from a folder
// may not fetch, and says so.  (sphinx-tippy would put all previews into every page.)
"use strict";

{
  const LINKS = ".bd-article a.reference.internal[href*='#']";
  const ENOUGH = 400; // characters of a section, if it has as many
  const DELAY = 250; // milliseconds, so that a passing mouse does not open anything

  const box = document.createElement("div");
  box.id = "preview";
  box.className = "preview bd-article"; // looks like the text that it is from
  box.role = "tooltip";
  box.popover = "auto";
  document.body.append(box);

  const HERE = location.href.split("#")[0];
  // A page that was opened from a folder may not read another one.
  const FORBIDDEN = document.createElement("p");
  FORBIDDEN.textContent = "A page opened from a folder shows no previews of other pages; " +
    "the link leads there. (make serve shows the book with all of them.)";

  const pages = new Map();

  /** The document at an address without hash; this one, or fetched once. */
  function page(address) {
    if (address === HERE) return document;
    if (!pages.has(address)) {
      const text = fetch(address).then((r) => (r.ok ? r.text() : Promise.reject(r)));
      pages.set(
        address,
        text.then((html) => new DOMParser().parseFromString(html, "text/html")),
      );
    }
    return pages.get(address);
  }

  /** What to show of a target: the nodes, or none. */
  function excerpt(target) {
    if (target.closest("dt")) {
      // Several terms may share one definition.
      const term = target.closest("dt");
      let definition = term;
      while (definition && definition.tagName !== "DD") {
        definition = definition.nextElementSibling;
      }
      const list = document.createElement("dl");
      list.append(term.cloneNode(true), definition?.cloneNode(true) ?? "");
      return [list];
    }
    if (target.matches("table.ledger > tbody")) {
      const checks = ["td:first-child > p", ".ledger-checks", ".ledger-errata"];
      return checks.map((part) => target.querySelector(part));
    }
    if (target.matches("section, section > span")) {
      // A heading, and paragraphs until something is said.
      const section = target.closest("section");
      const parts = [];
      let length = 0;
      for (const part of section.querySelectorAll(":scope > :is(h1, h2, h3, h4, p)")) {
        if (length > ENOUGH) break;
        if (part.matches("p")) length += part.textContent.length;
        parts.push(part);
      }
      return parts;
    }
    return [target.closest(".admonition, figure, div.math, .citation, li, p")];
  }

  /** A copy that can stand on this page: nothing to operate, and no id twice. */
  function copy(node, address) {
    const clone = node.cloneNode(true);
    for (const extra of clone.querySelectorAll(
      "script, button, input, .headerlink, .toggle-button, .cell, .evidence-line, .evidence",
    )) {
      extra.remove();
    }
    for (const link of clone.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    for (const image of clone.querySelectorAll("img")) {
      image.src = new URL(image.getAttribute("src"), address);
    }
    for (const named of [clone, ...clone.querySelectorAll("[id]")]) {
      named.removeAttribute("id");
    }
    return clone;
  }

  /** Below the link where there is room, else above it, and within the window. */
  function place(link) {
    const [at] = link.getClientRects();
    const room = document.documentElement;
    const left = Math.min(at.left, room.clientWidth - box.offsetWidth - 8);
    const below = at.bottom + 6;
    const fits = below + box.offsetHeight < room.clientHeight;
    box.style.left = `${Math.max(8, left)}px`;
    box.style.top = `${fits ? below : Math.max(8, at.top - 6 - box.offsetHeight)}px`;
  }

  let asked; // the link whose preview is wanted
  let shown; // and the one whose preview is open
  let timer;

  async function preview(address, id) {
    if (location.protocol === "file:" && address !== HERE) return [FORBIDDEN];
    const found = (await page(address)).getElementById(id);
    return (found ? excerpt(found) : []).filter(Boolean);
  }

  async function show(link) {
    const [address, hash] = link.href.split("#");
    const parts = await preview(address, decodeURIComponent(hash));
    if (!parts.length || asked !== link) return;
    // The browser's own tip would say the same once more.
    link.removeAttribute("title");
    link.setAttribute("aria-describedby", box.id);
    box.replaceChildren(...parts.map((part) => copy(part, address)));
    box.showPopover();
    shown = link;
    place(link);
  }

  function ask(link, delay) {
    clearTimeout(timer);
    if (asked === link) return;
    dismiss();
    asked = link;
    timer = setTimeout(() => show(link).catch(() => {}), delay);
  }

  function dismiss() {
    asked?.removeAttribute("aria-describedby");
    asked = shown = undefined;
    if (box.matches(":popover-open")) box.hidePopover();
  }

  // The mouse may travel from the link into the preview, to read or copy from it.
  function leave() {
    clearTimeout(timer);
    timer = setTimeout(dismiss, DELAY);
  }

  for (const link of document.querySelectorAll(LINKS)) {
    link.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") ask(link, DELAY);
    });
    link.addEventListener("pointerleave", leave);
    link.addEventListener("focus", () => {
      if (link.matches(":focus-visible")) ask(link, 0);
    });
    link.addEventListener("blur", dismiss);
  }
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", leave);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dismiss();
  });
  // A click elsewhere closes the box.  This event comes late: another preview may already
  // have been asked for.
  box.addEventListener("toggle", () => {
    if (shown && !box.matches(":popover-open")) dismiss();
  });
}
