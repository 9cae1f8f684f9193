// "Report an error": a small dialog with a ready text to copy or to save.  It needs no
// host: the reader sends the text to whoever gave them this copy of the book.
"use strict";

{
  const { version, issues } = document.currentScript.dataset;
  const article = document.querySelector("article");
  // Whose ids are addresses: other ids are given by scripts, and change.
  const NAMED = ":is(section, div.cell, div.admonition, figure, p, dt)[id]";

  // What the reader was looking at when the button was reached.
  function place() {
    const selection = getSelection();
    const selected = article.contains(selection.anchorNode) ? `${selection}` : "";
    const at = selected ? selection.getRangeAt(0).getBoundingClientRect().top : 0;
    const line = at || innerHeight / 3;
    // The last of these above that line; the title, at the top of the page.
    const above = (selector) =>
      [...article.querySelectorAll(selector)]
        .filter((node) => node.getBoundingClientRect().top <= line)
        .at(-1);
    const section = above("h2, h3, h4") ?? article.querySelector("h1");
    return { section, near: above(NAMED) ?? section, selected };
  }

  function heading(node) {
    return node ? node.textContent.replace(/#$/, "").trim() : "";
  }

  function reportText({ section, near, selected }) {
    return [
      `Book: Online Learning and Mistake Bounds, version ${version}`,
      `Page: ${heading(article.querySelector("h1"))}`,
      `Section: ${heading(section)}`,
      `Place: ${location.pathname.split("/").at(-1)}#${near?.id ?? ""}`,
      ...(selected ? ["Text:", selected.replace(/^/gm, "> ")] : []),
      "",
      "What it says, what it should say, and an example:",
      "",
    ].join("\n");
  }

  const dialog = document.createElement("dialog");
  dialog.className = "report";
  dialog.setAttribute("aria-labelledby", "report-title");
  const send = issues
    ? `Send it to <a href="${issues}">the book's issues</a>.`
    : "Send it to whoever gave you this copy of the book.";
  dialog.innerHTML = `
    <form method="dialog">
      <h2 id="report-title">Report an error</h2>
      <label for="report-text">Complete this text, then copy or save it. ${send}</label>
      <textarea id="report-text" rows="11" spellcheck="true"></textarea>
      <p>
        <button type="button" value="copy">Copy</button>
        <button type="button" value="save">Save as a file</button>
        <button value="close">Close</button>
        <output></output>
      </p>
    </form>`;
  const text = dialog.querySelector("textarea");
  const said = dialog.querySelector("output");

  async function copy() {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      // Pages opened as files, or not over https, have no clipboard of that kind.
      document.execCommand("copy");
    }
    said.value = "Copied.";
  }

  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
    link.download = "report.txt";
    link.click();
    URL.revokeObjectURL(link.href);
    said.value = "Saved as report.txt.";
  }

  // In the header, which stays in sight: a reader need not leave the place in question.
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-sm report-button";
  button.title = "Report an error";
  button.setAttribute("aria-label", "Report an error");
  button.innerHTML = '<i class="fa-solid fa-flag" aria-hidden="true"></i>';

  // A press on the button ends the selection, so look before that.
  let seen = null;
  button.addEventListener("pointerdown", () => (seen = place()));
  button.addEventListener("click", () => {
    text.value = reportText(seen ?? place());
    seen = null;
    said.value = "";
    dialog.showModal(); // Escape closes it, and focus returns to the button
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  });
  dialog.querySelector("[value=copy]").addEventListener("click", copy);
  dialog.querySelector("[value=save]").addEventListener("click", save);

  document.querySelector(".article-header-buttons").prepend(button);
  document.body.append(dialog);
}
