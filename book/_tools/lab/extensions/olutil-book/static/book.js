// What JupyterLab, with jupyterlab-myst, lacks for the pages of this book:
//
// - The cells of a solution are folded, and its title opens them.
// - A statement has its title, as on the site, and no number: its lecture numbers it.
// - Folded code says what it does.
// - Lines of text are no longer than can be read.
//
// It is small enough to be written as what JupyterLab loads, a container of webpack's
// module federation, so nothing has to be built.
"use strict";

{
  const STYLE = `
    .jp-MarkdownCell .myst { max-width: 48rem; }
    .jp-MarkdownCell .myst .myst-proof-title > :first-child:empty { display: none; }
    .jp-CodeCell:has(.jp-InputPlaceholder) .jp-OutputPlaceholder { display: none; }
  `;
  const GATE = /^:{3,}\{solution-(start|end)\}/;
  const gate = (cell) => cell.model.sharedModel.getSource().match(GATE)?.[1];

  // --- Solutions -------------------------------------------------------

  /** The cells from one that begins a solution to the one that ends it. */
  function solution(cells, start) {
    const end = cells.findIndex((cell, at) => at > start && gate(cell) === "end");
    return cells.slice(start + 1, end + 1);
  }

  function foldSolutions(notebook) {
    const cells = notebook.widgets;
    cells.forEach((cell, at) => {
      if (gate(cell) !== "start") return;
      for (const part of solution(cells, at)) part.setHidden(true);
    });
  }

  /** Show or hide a solution when its title, a `details`, is opened or closed. */
  function toggle(notebook, { target }) {
    const cells = notebook.widgets;
    const at = cells.findIndex((cell) => cell.node.contains(target));
    if (at < 0 || gate(cells[at]) !== "start") return;
    for (const part of solution(cells, at)) {
      part.setHidden(!target.open || gate(part) === "end");
    }
  }

  // --- Titles ----------------------------------------------------------

  // A change is seen by the observer again, so what is right is left alone.

  /** "Lemma 3 (One cut)" becomes "Lemma. One cut", and "Proof 2" becomes "Proof". */
  function nameStatement(title) {
    const [label] = title.children;
    const kind = label?.textContent.match(/^(\w+)\s*\d+$/)?.[1];
    if (!kind) return;
    for (const around of title.childNodes) {
      if (/^\s*[()]\s*$/.test(around.data)) around.data = "";
    }
    const said = title.textContent.slice(label.textContent.length).toLowerCase();
    const named = kind === "Remark" || said.includes(kind.toLowerCase());
    label.textContent = named ? "" : said.trim() ? `${kind}.` : kind;
  }

  function nameSolution(title) {
    const [first] = title.childNodes;
    if (first?.data?.startsWith("Start of ")) first.data = first.data.slice(9);
  }

  const MENDED = [
    [".myst-proof-title", nameStatement],
    [".myst-exercise-title", nameSolution],
  ];

  function mend(root) {
    for (const [selector, change] of MENDED) {
      for (const found of root.querySelectorAll(selector)) change(found);
    }
  }

  /** Folded code has the words that open it on the site in place of its first line. */
  function nameFolds(notebook) {
    for (const cell of notebook.widgets) {
      const said = cell.model.getMetadata("mystnb")?.code_prompt_show;
      const shown = cell.node.querySelector(".jp-InputPlaceholder .jp-PlaceholderText");
      if (said && shown && shown.textContent !== said) shown.textContent = said;
    }
  }

  // --- The extension ---------------------------------------------------

  function open(panel) {
    const notebook = panel.content;
    const watch = new MutationObserver(() => {
      mend(notebook.node);
      nameFolds(notebook);
    });
    watch.observe(notebook.node, { childList: true, subtree: true });
    notebook.node.addEventListener("toggle", (event) => toggle(notebook, event), true);
    panel.context.ready.then(() => foldSolutions(notebook));
  }

  async function extension({ INotebookTracker }) {
    const activate = (_, tracker) => {
      const style = document.createElement("style");
      style.textContent = STYLE;
      document.head.append(style);
      tracker.forEach(open);
      tracker.widgetAdded.connect((_, panel) => open(panel));
    };
    const requires = [INotebookTracker];
    return { id: "olutil-book:pages", autoStart: true, requires, activate };
  }

  let shared; // JupyterLab's own packages
  globalThis._JUPYTERLAB = globalThis._JUPYTERLAB || {};
  globalThis._JUPYTERLAB["olutil-book"] = {
    init: (scope) => (shared = scope),
    get: async () => {
      const [notebook] = Object.values(shared["@jupyterlab/notebook"]);
      const plugin = await extension((await notebook.get())());
      return () => ({ __esModule: true, default: plugin });
    },
  };
}
