/* What the figures share.  It stands before each figure's own code, which has d3's
   `select` and `drag` in the global `d3`. */

const SVG = "http://www.w3.org/2000/svg";
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const ROUNDING = 1e-9; // of sums of chances
const neat = (x) => String(+x.toFixed(2));
const times = (x) => (x === 1 ? "once" : `${neat(x)} times`);

/** An element: h("p", { class: "ol-said" }, "text", more …); functions listen. */
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Put the parts of a figure into its place. */
function place(el, ...parts) {
  el.classList.add("ol-figure");
  el.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves the keys to the figure
  el.replaceChildren(...parts);
}

/** A drawing that scales with its column: a d3 selection of an <svg>. */
function drawing(width, height, label) {
  const svg = document.createElementNS(SVG, "svg");
  return d3
    .select(svg)
    .attr("viewBox", `0 0 ${width} ${height}`)
    .attr("role", "group")
    .attr("aria-label", label);
}

/** A line of the model: linear(0, 1, 10, 90)(0.5) is 50; `.back` is its inverse. */
function linear(from, to, low, high) {
  const scale = (x) => low + ((x - from) / (to - from)) * (high - low);
  scale.back = (y) => from + ((y - low) / (high - low)) * (to - from);
  return scale;
}

/** A drawing with these paths, by name, and with words. */
function sketch(width, height, label, names) {
  const svg = drawing(width, height, label);
  const paths = {};
  for (const name of names) paths[name] = svg.append("path").attr("class", `ol-${name}`);
  const write = (x, y, anchor, text) =>
    svg.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor).text(text);
  /** What paths are, line by line: [[name, text], …]. */
  const legend = (x, lines) => lines.forEach(([name, text], i) => {
    svg.append("path").attr("class", `ol-${name}`).attr("d", `M${x} ${16 + 20 * i}h26`);
    write(x + 32, 20 + 20 * i, "start", text);
  });
  return { svg, paths, write, legend };
}

/** Where the arrow keys lead: so much to the right, so much down. */
const ARROWS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** Marks of a part, each with its row and column in `data-at`: one of them is a stop of the
    Tab key, and arrow keys lead to the others.  Gives what makes a mark the stop. */
function rove(part) {
  const stop = (mark) => {
    for (const each of part.querySelectorAll("[data-at]")) each.setAttribute("tabindex", -1);
    mark.setAttribute("tabindex", 0);
    return mark;
  };
  part.addEventListener("focusin", ({ target }) => target.dataset.at && stop(target));
  part.addEventListener("keydown", (event) => {
    const { [event.key]: by } = ARROWS, { at } = event.target.dataset;
    if (!by || !at) return;
    event.preventDefault();
    let [row, column] = at.split(",").map(Number);
    for (let far = 0; far < 20; far += 1) { // there may be gaps
      [row, column] = [row + by[1], column + by[0]];
      const mark = part.querySelector(`[data-at="${row},${column}"]`);
      if (mark) return mark.focus({ preventScroll: true });
    }
  });
  return stop;
}

const counted = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** What there is to reach, and how the hand begins: the first line of a figure. */
const task = (goal, ...how) => h("p", { class: "ol-task" }, h("strong", {}, goal), " ", ...how);

/** A choice among a few words, as segments: radio buttons, so arrow keys move in it. */
let groups = 0;
function segments(label, words, value, chosen) {
  const name = `ol-${(groups += 1)}`;
  const inputs = words.map((word, index) =>
    h("label", {}, h("input", {
      type: "radio", name, value: index, checked: index === value,
      change: () => chosen(index),
    }), h("span", {}, word)));
  return h("fieldset", { class: "ol-segments" }, h("legend", {}, label), ...inputs);
}

/** A slider with its name and value; `text` says the value. */
function slider(label, { min, max, step = 1, value, text = String }, moved) {
  // The slider itself says its value; the sentence below the figure says the rest.
  const shown = h("output", { role: "none" }, text(value));
  const input = h("input", {
    type: "range", min, max, step, value, "aria-valuetext": text(value),
    input: () => {
      shown.textContent = text(+input.value);
      input.setAttribute("aria-valuetext", shown.textContent);
      moved(+input.value);
    },
  });
  return h("label", { class: "ol-slider" }, h("span", {}, label), input, shown);
}

function button(text, pressed, attributes = {}) {
  return h("button", { type: "button", ...attributes, click: pressed }, text);
}

/** The sentence below a figure, which screen readers say when it changes. */
function sentence() {
  const line = h("p", { class: "ol-said", role: "status" });
  line.say = (text) => {
    if (line.textContent !== text) line.textContent = text;
  };
  return line;
}

/** A bar that fills up to the best score, as far as that is still within reach. */
function meter() {
  const bar = h("div", { class: "ol-score", role: "img" });
  bar.show = (now, best, reach, text) => {
    const part = (x) => `${100 * Math.max(0, Math.min(1, x / best))}%`;
    bar.setAttribute("style", `--now:${part(now)};--reach:${part(reach)}`);
    bar.setAttribute("aria-label", `Score ${text(now)}; the best is ${text(best)}`);
  };
  return bar;
}

/** What this device remembers: a number under a name, or null; nothing is an error. */
const memory = {
  get(name) {
    try {
      return JSON.parse(localStorage.getItem(`olutil-${name}`));
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`olutil-${name}`, JSON.stringify(value));
    } catch {
      // A private window keeps nothing.
    }
  },
};
