// Makes a page's code cells editable and runnable (see _ext/live.py).  A button in the
// header opens a bar below it, with the button that starts Python.  Before that one is
// pushed nothing is fetched, not even the worker that will run Python.
"use strict";

(() => {
  const settings = JSON.parse(document.currentScript.dataset.live);
  const LOCAL = "On your own machine it runs in a copy of this book with “make lab”.";
  const absolute = (address) => new URL(address, document.baseURI).href;
  const distribution = new URL(absolute(settings.pyodide)).host;

  let worker = null;
  let cells = null; // made when Python is ready for the first time
  let running = null;
  let waiting = [];

  // --- Small parts of the page ---------------------------------------

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function button(text, onclick, name = text) {
    const made = element("button", { type: "button", className: "btn btn-sm", onclick });
    rename(made, text, name);
    return made;
  }

  function rename(made, text, name = text) {
    made.textContent = text;
    made.setAttribute("aria-label", name);
  }

  // The text of a part of a cell, in which a browser may have written new lines as <br>.
  function plain(part) {
    for (const end of part.querySelectorAll("br")) end.replaceWith("\n");
    return part.textContent;
  }

  function say(text) {
    status.textContent = text;
    if (running) running.label.textContent = text;
  }

  // --- A cell --------------------------------------------------------

  class Cell {
    constructor(box, index) {
      this.name = `cell ${index + 1}`;
      this.code = box.querySelector(".cell_input pre");
      this.original = this.code.innerHTML;
      this.stored = box.querySelector(":scope > .cell_output");
      this.alts = [...(this.stored?.querySelectorAll("img") ?? [])].map(({ alt }) => alt);
      this.output = element("div", { className: "cell_output live-output" });
      this.label = element("span", { className: "live-label" });
      this.runs = button("Run", () => this.runOrStop(), `Run ${this.name}`);
      const above = () => enqueue(cells.slice(0, index));
      const tools = element(
        "div",
        { className: "live-tools" },
        this.runs,
        button("Run all above", above, `Run all above ${this.name}`),
        button("Reset", () => this.reset(), `Reset ${this.name} to its original`),
        this.label,
      );
      box.classList.add("live");
      box.insertBefore(tools, this.stored);
      box.append(this.output);
      this.makeEditable();
    }

    makeEditable() {
      const attributes = {
        contenteditable: "plaintext-only",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": `Code of ${this.name}; Shift and Enter run it`,
        spellcheck: "false",
        autocapitalize: "off",
        tabindex: "0",
      };
      for (const [name, value] of Object.entries(attributes)) {
        this.code.setAttribute(name, value);
      }
      // The stored colors are those of the stored code.
      this.code.addEventListener("input", () => this.code.classList.add("live-edited"));
      this.code.addEventListener("keydown", (event) => this.press(event));
    }

    // Tab is left alone: it leads out of the cell.  Enter keeps the indentation.
    press(event) {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (event.shiftKey) return enqueue([this]);
      const before = getSelection().getRangeAt(0).cloneRange();
      before.setStart(this.code, 0);
      const line = plain(before.cloneContents()).split("\n").at(-1);
      const deeper = line.trimEnd().endsWith(":") ? "    " : "";
      document.execCommand("insertText", false, `\n${line.match(/^ */)[0]}${deeper}`);
    }

    runOrStop() {
      if (this === running) stop.click();
      else enqueue([this]);
    }

    get edited() {
      return this.code.classList.contains("live-edited");
    }

    reset() {
      if (this === running) stop.click();
      waiting = waiting.filter((cell) => cell !== this);
      this.code.innerHTML = this.original;
      this.code.classList.remove("live-edited");
      this.output.replaceChildren();
      this.label.textContent = "";
      if (this.stored) this.stored.hidden = false;
    }

    begin() {
      this.output.replaceChildren();
      if (this.stored) this.stored.hidden = true;
      rename(this.runs, "Stop", `Stop ${this.name}`);
    }

    end(text) {
      rename(this.runs, "Run", `Run ${this.name}`);
      this.label.textContent = text;
      if (!this.stored) return;
      const compare = () => {
        this.stored.hidden = !this.stored.hidden;
        toggle.setAttribute("aria-pressed", String(!this.stored.hidden));
      };
      const toggle = button("Stored output", compare, `Stored output of ${this.name}`);
      toggle.setAttribute("aria-pressed", "false");
      this.label.append(" ", toggle);
    }

    // --- What a cell shows ---

    print(kind, text) {
      const last = this.output.lastElementChild;
      if (last?.dataset.kind === kind) return last.firstElementChild.append(text);
      // With a tab index a long line can be scrolled by keyboard too.
      const said = element("pre", { tabIndex: 0 }, text);
      const box = element("div", { className: `output ${kind}` }, said);
      box.dataset.kind = kind;
      this.output.append(box);
    }

    draw(data) {
      const image = element("img", { src: `data:image/png;base64,${data}` });
      // The stored sentence is true of what the stored code draws.
      const stored = this.alts[this.output.querySelectorAll("img").length];
      image.alt = (!this.edited && stored) || `Figure drawn by ${this.name}, run here`;
      this.output.append(image);
    }

    // Scripts that are set as HTML do not run; copies of them do.
    render(html) {
      const box = element("div", { className: "output text_html", innerHTML: html });
      this.output.append(box);
      for (const old of box.querySelectorAll("script")) {
        const script = element("script", { textContent: old.textContent });
        for (const { name, value } of old.attributes) script.setAttribute(name, value);
        old.replaceWith(script);
      }
    }

    hint(text, ...buttons) {
      this.output.append(element("p", { className: "live-hint" }, text, " ", ...buttons));
    }

    explain(error, unreachable) {
      const index = cells.indexOf(this);
      if (error === "NameError" && index > 0) {
        const again = () => enqueue(cells.slice(0, index + 1));
        this.hint(
          "Earlier cells may define this name.",
          button("Run all above, then this", again, `Run all above, then this ${this.name}`),
        );
      } else if (unreachable) {
        this.hint(`Packages could not be loaded from ${distribution}. ${LOCAL}`);
      } else if (error === "ModuleNotFoundError") {
        this.hint(`This module is not part of Pyodide. ${LOCAL}`);
      } else if (error === "FileNotFoundError") {
        this.hint(`This file is not in the browser. ${LOCAL}`);
      }
    }
  }

  // --- The queue: one cell at a time ----------------------------------

  function enqueue(more) {
    if (!worker) launch();
    for (const cell of more) {
      if (cell === running || waiting.includes(cell)) continue;
      waiting.push(cell);
      cell.label.textContent = "Waiting …";
    }
    next();
  }

  function next() {
    if (running) return;
    running = waiting.shift() ?? null;
    rename(stop, running ? "Stop" : "Restart Python");
    if (!running) return;
    running.begin();
    const code = plain(running.code.cloneNode(true));
    worker.postMessage({ run: { code, name: running.name } });
  }

  function done({ error, unreachable }) {
    const cell = running;
    running = null;
    cell.end(error ? `Run here: ${error}.` : "Run here.");
    status.textContent = error ? `${error} in ${cell.name}.` : `${cell.name} has run.`;
    if (error) {
      cell.explain(error, unreachable);
      drop();
    }
    next();
  }

  // What was to run after a failure, or after a stop, does not run.
  function drop() {
    for (const cell of waiting) cell.label.textContent = "";
    waiting = [];
  }

  // --- Python ----------------------------------------------------------

  function launch() {
    try {
      worker = new Worker(absolute(settings.worker), { type: "module" });
    } catch {
      return fail("A page opened from a file may not start Python: it has to be served.");
    }
    // Messages of a worker that was stopped are ignored.
    worker.onerror = ({ target }) => {
      if (target === worker) noAnswer(location.host);
    };
    worker.onmessage = ({ data, target }) => {
      if (target === worker) receive[data.kind](data.text ?? data);
    };
    worker.postMessage({
      start: {
        pyodide: absolute(settings.pyodide),
        wheel: absolute(settings.wheel),
        runner: absolute(settings.runner),
        files: settings.files.map(([name, address]) => [name, absolute(address)]),
      },
    });
  }

  const receive = {
    state: say,
    ready: () => {
      if (!cells) activate();
    },
    unreachable: noAnswer,
    done,
    stdout: (text) => running.print("stream", text),
    stderr: (text) => running.print("stderr", text),
    error: (text) => running.print("traceback", text),
    "text/plain": (text) => running.print("text_plain", text),
    "text/html": (text) => running.render(text),
    "image/png": (data) => running.draw(data),
  };

  function restart(text) {
    worker?.terminate();
    worker = null;
    running?.end("Stopped.");
    running = null;
    drop();
    next();
    status.textContent = `${text} Its variables are gone; the next run starts it anew.`;
  }

  function noAnswer(host) {
    fail(`There is no answer from ${host}: are you online?`);
  }

  function fail(text) {
    worker?.terminate();
    worker = null;
    const message = `Python could not be started. ${text} ${LOCAL}`;
    running?.end("Not run.");
    running?.hint(message);
    running = null;
    drop();
    next();
    status.textContent = message;
    offer.textContent = "Try again";
  }

  // --- The header ------------------------------------------------------

  const status = element("p", { className: "live-status", role: "status" });
  const offer = button("Start Python", () => {
    if (!worker) launch();
  });
  const bar = element("div", { className: "live-bar d-print-none", id: "live-bar", hidden: true });
  bar.append(offer, status);
  status.textContent =
    "Edit this page's code and run it in your browser. To start, some tens of megabytes " +
    `are loaded from ${distribution}.`;

  const opener = button("", () => {
    bar.hidden = !bar.hidden;
    opener.setAttribute("aria-expanded", String(!bar.hidden));
  }, "Live code");
  opener.classList.add("live-opener");
  opener.title = "Edit and run this page's code";
  opener.innerHTML = '<i class="fa-solid fa-play" aria-hidden="true"></i><span>Live code</span>';
  opener.setAttribute("aria-expanded", "false");
  opener.setAttribute("aria-controls", bar.id);
  document.querySelector(".article-header-buttons").prepend(opener);
  document.querySelector(".bd-header-article").after(bar);

  const all = button("Run all", () => enqueue(cells));
  const stop = button("Restart Python", () => {
    restart(running ? `Stopped ${running.name} and Python.` : "Stopped Python.");
  });

  function activate() {
    cells = [...document.querySelectorAll("article div.cell")]
      .filter((box) => box.querySelector(".cell_input pre"))
      .map((box, index) => new Cell(box, index));
    const focused = document.activeElement === offer;
    offer.replaceWith(all, stop);
    if (focused) all.focus();
    status.textContent = `Ready: ${cells.length} cells can be edited and run.`;
  }
})();
