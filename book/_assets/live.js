// Makes a page's code cells editable and runnable, on a click (see _ext/live.py, which
// writes the bar with the button).  Before the click nothing is fetched, not even the
// worker that will run Python.
"use strict";

(() => {
  const bar = document.querySelector(".live-bar");
  const status = bar.querySelector(".live-status");
  const offer = bar.querySelector("button");
  const settings = JSON.parse(bar.dataset.live);
  const absolute = (address) => new URL(address, document.baseURI).href;

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
        const address = absolute(settings.pyodide);
        this.hint(`Packages could not be loaded from ${address}. ${settings.local}`);
      } else if (error === "ModuleNotFoundError") {
        this.hint(`This module is not part of Pyodide. ${settings.local}`);
      } else if (error === "FileNotFoundError") {
        this.hint(`This file is not in the browser. ${settings.local}`);
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
      if (target === worker) fail(`${absolute(settings.worker)} gave no answer.`);
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
    failed: fail,
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

  function fail(text) {
    worker?.terminate();
    worker = null;
    const message = `Python could not be started. ${text} ${settings.local}`;
    running?.end("Not run.");
    running?.hint(message);
    running = null;
    drop();
    next();
    status.textContent = message;
    offer.textContent = "Try again";
  }

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

  offer.addEventListener("click", () => {
    if (!worker) launch();
  });
})();
