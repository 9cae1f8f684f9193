// Python for one page, in a worker of its own: the page stays usable meanwhile, and
// a cell that never ends is stopped by terminating the worker.  live.js starts it and
// sends {start: {...}} once, then {run: {code, name}} for one cell at a time.

const LIMIT = 100_000; // characters that one cell may print: a page has to hold them
const PACE = 100; // milliseconds between two deliveries of what a cell prints

let python, run, started;

const tell = (kind, text) => postMessage({ kind, text });

// The reader is told which host gave no answer that can be used; the console has more.
async function from(address, action) {
  try {
    return await action(address);
  } catch (error) {
    console.warn(error);
    throw new Error(new URL(address).host);
  }
}

async function bytes(address) {
  const answer = await fetch(address, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start({ pyodide, wheel, runner, files }) {
  tell("state", "Loading Python …");
  python = await from(pyodide, async (address) => {
    const { loadPyodide } = await import(`${address}pyodide.mjs`);
    return loadPyodide({ indexURL: address });
  });
  python.setStdout(writer("stdout"));
  python.setStderr(writer("stderr"));
  python.unpackArchive(await from(wheel, bytes), "wheel");
  for (const [name, address] of files) {
    const folder = name.split("/").slice(0, -1).join("/");
    python.FS.mkdirTree(folder || ".");
    python.FS.writeFile(name, await from(address, bytes));
  }
  python.FS.writeFile("live_cell.py", await from(runner, bytes));
  ({ run } = python.pyimport("live_cell"));
  tell("ready");
}

// What a cell prints is delivered in portions, in order, and up to a limit.
const printed = {
  kind: "",
  text: "",
  total: 0,
  delivered: 0,
  add(kind, text) {
    if (this.total > LIMIT || !text) return;
    if (kind !== this.kind) this.deliver();
    this.kind = kind;
    this.total += text.length;
    const full = this.total > LIMIT;
    this.text += full ? "\n… and more, which is not shown." : text;
    if (full || performance.now() - this.delivered > PACE) this.deliver();
  },
  deliver() {
    if (this.text) tell(this.kind, this.text);
    this.text = "";
    this.delivered = performance.now();
  },
};

// Takes the bytes that Python writes to a stream.
function writer(kind) {
  const decoder = new TextDecoder();
  const write = (bytes) => {
    printed.add(kind, decoder.decode(bytes, { stream: true }));
    return bytes.length;
  };
  return { write };
}

// Load the packages of Pyodide that a cell and olutil need.  Returns whether one could not
// be loaded; the cell runs anyway, since it may not use it.
async function loadPackages(code) {
  let unreachable = false;
  const options = {
    messageCallback: (text) => tell("state", `${text} …`),
    errorCallback: () => (unreachable = true),
  };
  try {
    if (/\bolutil\b/.test(code)) {
      await python.loadPackage(["numpy", "matplotlib"], options);
    }
    await python.loadPackagesFromImports(code, options);
  } catch {
    unreachable = true;
  }
  return unreachable;
}

async function runCell({ code, name }) {
  await started;
  const unreachable = await loadPackages(code);
  tell("state", `Running ${name} …`);
  printed.total = 0;
  const error = await run(code, name, (kind, text) => {
    printed.deliver();
    tell(kind, text);
  });
  printed.deliver();
  postMessage({ kind: "done", error, unreachable });
}

self.onmessage = ({ data }) => {
  if (data.run) return runCell(data.run);
  started = start(data.start);
  started.catch((error) => tell("unreachable", error.message));
};
