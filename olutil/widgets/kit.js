/* What the figures share.  It stands before each figure's own code, which has d3's
   `select` and `drag` in the global `d3`. */

const SVG = "http://www.w3.org/2000/svg";
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

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
  const shown = h("output", {}, text(value));
  const input = h("input", {
    type: "range", min, max, step, value,
    input: () => {
      shown.textContent = text(+input.value);
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
