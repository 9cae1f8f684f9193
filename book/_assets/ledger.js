// Sorts and filters the ledger, and opens the row that an address names.
// Each part of the table (tbody) has classes such as lecture-kak and how-exhaustive, by
// which it is filtered; the query of the address keeps the reader's choice.
"use strict";

{
  const table = document.querySelector("table.ledger");
  const form = document.querySelector(".ledger-controls");
  const CHOICES = ["lecture", "how", "text"]; // the fields of the form
  const parts = [...table.tBodies];
  const texts = new Map(parts.map((part) => [part, part.textContent.toLowerCase()]));
  const columns = [...table.tHead.rows[0].cells];
  const FEW = 40; // are shown at first where each statement takes lines of its own
  const narrow = matchMedia("(max-width: 48em)");
  const more = document.createElement("button");
  let few = true;
  let sorted = { column: null, descending: false };

  function cellText(part, column) {
    return part.rows[0].cells[column].textContent.trim();
  }

  /** The number that a text is, "83,521" or "1.2 × 10³⁰", or none. */
  function number(text) {
    const plain = text.replaceAll(",", "").replace(" × 10", "e");
    return Number(plain.replace(/[⁰¹²³⁴-⁹]/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)));
  }

  // Numbers sort as numbers, the rest as words; nothing comes last.
  function compare(a, b) {
    if (!a || !b) return Boolean(b) - Boolean(a);
    const [x, y] = [a, b].map(number);
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
    return sorted.descending ? -order : order;
  }

  function sort() {
    const { column, descending } = sorted;
    const order = [...parts];
    if (column !== null) {
      order.sort((a, b) => compare(cellText(a, column), cellText(b, column)));
    }
    table.append(...order);
    columns.forEach((head, at) => {
      head.ariaSort = at !== column ? null : descending ? "descending" : "ascending";
    });
  }

  function filter() {
    const { lecture, how, text } = form.elements;
    const words = text.value.toLowerCase().split(/\s+/);
    const found = [...table.tBodies].filter(
      (part) =>
        (!lecture.value || part.classList.contains(`lecture-${lecture.value}`)) &&
        (!how.value || part.classList.contains(`how-${how.value}`)) &&
        words.every((word) => texts.get(part).includes(word)),
    );
    const shown = new Set(narrow.matches && few ? found.slice(0, FEW) : found);
    for (const part of parts) part.hidden = !shown.has(part);
    form.querySelector("output").value = `${found.length} of ${parts.length} statements`;
    more.hidden = shown.size === found.length;
    more.textContent = `Show the other ${found.length - shown.size}`;
  }

  // --- The address ---------------------------------------------------------

  function restore() {
    const query = new URLSearchParams(location.search);
    for (const name of CHOICES) {
      form.elements[name].value = query.get(name) ?? "";
      // A value that is no option would leave the choice empty.
      if (form.elements[name].selectedIndex === -1) form.elements[name].value = "";
    }
    const key = query.get("sort") ?? "";
    const column = columns.findIndex((head) => sortKey(head) === key.replace("-", ""));
    sorted = { column: column < 0 ? null : column, descending: key.startsWith("-") };
  }

  function showAll() {
    few = false;
    for (const name of CHOICES) form.elements[name].value = "";
    sorted = { column: null, descending: false };
    update();
  }

  function remember() {
    const query = new URLSearchParams();
    for (const name of CHOICES) {
      if (form.elements[name].value) query.set(name, form.elements[name].value);
    }
    if (sorted.column !== null) {
      const key = sortKey(columns[sorted.column]);
      query.set("sort", (sorted.descending ? "-" : "") + key);
    }
    const search = query.size ? `?${query}` : "";
    history.replaceState(null, "", location.pathname + search + location.hash);
  }

  function sortKey(head) {
    return head.textContent.trim().toLowerCase().split(" ")[0];
  }

  function openTarget() {
    const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!parts.includes(part)) return;
    if (part.hidden) showAll();
    part.querySelector("details").open = true;
    part.scrollIntoView();
  }

  // --- Wiring --------------------------------------------------------------

  function update() {
    sort();
    filter();
    remember();
  }

  columns.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    // Of numbers the largest first, of words the first; then the other way round; then
    // in the order of the lectures.
    const largest = parts.some((part) => number(cellText(part, column)) > 0);
    button.addEventListener("click", () => {
      if (sorted.column !== column) sorted = { column, descending: largest };
      else if (sorted.descending === largest) sorted.descending = !largest;
      else sorted.column = null;
      update();
    });
  });

  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    showAll();
  });
  window.addEventListener("hashchange", openTarget);
  more.type = "button";
  more.className = "ledger-more";
  more.addEventListener("click", () => {
    few = false;
    filter();
  });
  table.after(more);

  restore();
  form.hidden = false;
  update();
  openTarget();
}
