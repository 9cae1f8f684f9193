/* The Perceptron on points that the reader drags.  Points are whole numbers, hence
   weights and the best separator's normal are, too: no sign is ever rounded. */

const RADIUS = 50; // of the disc of the examples; what is shown calls it 1
const MOST = 1000; // mistakes after which the passes stop

const dot = ([a, b], [c, d]) => a * c + b * d;
const signed = (X, y) => X.map(([a, b], i) => [y[i] * a, y[i] * b]); // the y x

/** The mistakes in passes over the examples until one has none: where, and w then. */
function run(X, y, most = MOST) {
  const V = signed(X, y);
  const mistakes = [];
  let [w, round, good] = [[0, 0], 0, 0];
  for (; good < V.length && mistakes.length < most; round += 1) {
    const v = V[round % V.length];
    good += 1;
    if (dot(w, v) > 0) continue;
    w = [w[0] + v[0], w[1] + v[1]];
    good = 0;
    mistakes.push({ round, w });
  }
  return mistakes;
}

/** How many examples are on the wrong side for these weights, or on the line. */
const wrong = (w, X, y) => signed(X, y).filter((v) => dot(w, v) <= 0).length;

/** What a normal vector u proves: its least y (u · x), and R²/γ² if that is positive. */
function proves(u, X, y) {
  const least = Math.min(...signed(X, y).map((v) => dot(u, v)));
  const longest = Math.max(...X.map((x) => dot(x, x)));
  const bound = least > 0 ? (longest * dot(u, u)) / least ** 2 : Infinity;
  return { u, least, bound };
}

/** The separator of largest margin, or null.  Its normal is the point of the convex
    hull of the y x that is nearest to 0: a corner, or the foot on a side. */
function best(X, y) {
  const V = signed(X, y);
  const sides = V.flatMap(([a, b], i) => V.slice(0, i).map(([c, d]) => [b - d, c - a]));
  const tried = [...V, ...sides, ...sides.map(([a, b]) => [-a, -b])]
    .map((u) => proves(u, X, y))
    .filter(({ least }) => least > 0);
  // The squares of the margins are fractions: least² / u·u.
  const larger = (p, q) => p.least ** 2 * dot(q.u, q.u) > q.least ** 2 * dot(p.u, p.u);
  return tried.reduce((p, q) => (p && !larger(q, p) ? p : q), null);
}

/** The nearest place for a point: whole numbers, in the disc. */
function inDisc(x) {
  const [a, b] = x.map(Math.round);
  if (a * a + b * b <= RADIUS ** 2) return [a, b];
  return [a, b].map((c) => Math.trunc((c * RADIUS) / Math.hypot(a, b)));
}

/** What follows from the examples, and from the reader's separator if there is one. */
function follow({ X, y, own }) {
  const [mistakes, top] = [run(X, y), best(X, y)];
  const used = own ? proves(own, X, y) : top;
  return {
    mistakes, top, u: used && used.u, bound: used ? used.bound : Infinity,
    γ: used ? used.least / Math.hypot(...used.u) / RADIUS : 0,
    R: Math.max(...X.map((x) => Math.hypot(...x))) / RADIUS,
    ended: !wrong(weights(mistakes, mistakes.length), X, y),
  };
}

/** w after so many mistakes, and its length where the disc has the radius 1. */
const weights = (mistakes, m) => (m ? mistakes[m - 1].w : [0, 0]);
const length = (mistakes, m) => Math.hypot(...weights(mistakes, m)) / RADIUS;

// ------------------------------------------------------------------ in words

/** A number in three digits, or in all those before its point. */
function short(x) {
  const text = x >= 1000 ? Math.round(x).toLocaleString("en") : `${+x.toPrecision(3)}`;
  return text.replace("-", "−");
}

const many = (n, one, more = `${one}s`) => `${short(n)} ${n === 1 ? one : more}`;
const pass = ({ round }, X) => Math.floor(round / X.length) + 1;

/** What the last mistake that is shown did. */
function stepInWords({ X, y, shown }, { mistakes, γ, R }, names) {
  if (!shown)
    return "Before the first mistake w = 0: there is no line, and no example is right.";
  const mistake = mistakes[shown - 1];
  const [old, w, i] = [weights(mistakes, shown - 1), mistake.w, mistake.round % X.length];
  const product = (v) => short((y[i] * dot(v, X[i])) / RADIUS ** 2);
  const least = γ > 0 ? `${names.mistakes}${names.margin} = ${short(shown * γ)} ≤ ` : "";
  return (
    `Mistake ${shown}, in pass ${pass(mistake, X)}: for the ringed example y (w·x) ` +
    `rises from ${product(old)} to ${product(w)}. Examples on the wrong side: ` +
    `${wrong(old, X, y)} before, ${wrong(w, X, y)} after. ` +
    `${least}‖w‖ = ${short(length(mistakes, shown))} ≤ ` +
    `R√${names.mistakes} = ${short(R * Math.sqrt(shown))}.`
  );
}

/** All mistakes, and what is proved about their number. */
function allInWords({ X, y, own }, { mistakes, top, bound, γ, ended }, { margin }) {
  const made = many(mistakes.length, "mistake");
  if (!top)
    return "No line through the middle separates these examples: the theorem promises " +
      `nothing, and the mistakes never end (after ${made} we stop). This does not count: ` +
      "move an example back.";
  const played = ended
    ? `${made} in ${many(pass(mistakes.at(-1), X), "pass", "passes")}, and no more.`
    : `${made}, and more would come: here we stop.`;
  const allowed = `R²/${margin}² = ${short(top.bound)}`;
  const its = `${margin} = ${short(γ)}`;
  if (!own) return `${played} The margin is ${its}, and the theorem allows ${allowed}.`;
  const yours = γ > 0
    ? `has ${its} and allows ${short(bound)}`
    : `is wrong on ${many(wrong(own, X, y), "example")} and allows any number`;
  return `${played} Your separator ${yours}; the best one allows ${allowed}.`;
}

// ------------------------------------------------------------------ the chart

const [WIDE, HIGH] = [340, 270];

/** A round number that is at least as large: the end of an axis. */
function roundUp(x) {
  const ten = 10 ** Math.floor(Math.log10(x));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].map((k) => k * ten).find((end) => end >= x);
}

/** ‖w‖ after each mistake, between the two curves of the proof; gives what draws it. */
function chartOf({ margin, mistakes: M }) {
  const curves = ["axes", "end", "ceiling", "floor", "later", "length"];
  const label = "The length of w after each mistake";
  const { svg, paths, write, legend } = sketch(WIDE, HIGH, label, curves);
  const head = svg.append("circle").attr("class", "ol-plus").attr("r", 5);
  legend(48, [["ceiling", `R√${M}`], ["length", "‖w‖"], ["floor", `${M}${margin}`]]);
  write(184, HIGH - 5, "middle", `mistakes ${M}`);
  const meet = write(0, HIGH - 43, "end", `R²/${margin}²`);
  const across = [[40, "middle"], [184, "middle"], [WIDE - 2, "end"]]
    .map(([x, anchor]) => write(x, HIGH - 19, anchor));
  const top = write(34, 16, "end");
  write(34, HIGH - 32, "end", "0");

  return ({ mistakes, R, γ, bound }, shown) => {
    const total = mistakes.length;
    const end = roundUp(Math.max(10, 1.05 * Math.min(bound, 4 * total)));
    const tall = Math.ceil(Math.sqrt(end));
    const [x, y] = [linear(0, end, 40, 328), linear(0, tall, HIGH - 36, 12)];
    const through = (ms, f) => `M${ms.map((m) => `${x(m)} ${y(f(m))}`).join("L")}`;
    const root = Array.from({ length: 41 }, (_, k) => end * (k / 40) ** 2);
    const track = Array.from({ length: total + 1 }, (_, m) => m);
    const size = (m) => length(mistakes, m);
    const far = Math.min(end, tall / γ);
    paths.axes.attr("d", `M${x(0)} ${y(tall)}V${y(0)}H${x(end)}`);
    paths.ceiling.attr("d", through(root, (m) => R * Math.sqrt(m)));
    paths.floor.attr("d", γ > 0 ? through([0, far], (m) => γ * m) : "");
    paths.end.attr("d", bound <= end ? `M${x(bound)} ${y(γ * bound)}V${y(0)}` : "");
    paths.later.attr("d", through(track.slice(shown), size));
    paths.length.attr("d", through(track.slice(0, shown + 1), size));
    head.attr("cx", x(shown)).attr("cy", y(size(shown)));
    meet.attr("x", x(Math.min(bound, end)) - 5)
      .attr("visibility", bound <= end ? null : "hidden");
    across.forEach((tick, k) => tick.text(short((k * end) / 2)));
    top.text(tall);
    return svg.node();
  };
}

// ------------------------------------------------------------------ the plane

const EDGE = 58; // how far out a line goes, and the handle of the separator is
const px = linear(-64, 64, 0, WIDE);
const py = linear(-64, 64, WIDE, 0);
const SIGNS = { 1: "M-5 0H5M0 -5V5", "-1": "M-5 0H5" };

const path = (...points) => `M${points.map(([a, b]) => `${px(a)} ${py(b)}`).join("L")}`;
const scaled = (v, to) => v.map((c) => (c * to) / Math.hypot(...v));

/** The line through 0 with a normal u, which 0 has not; with a width, a band. */
function line(u, half = 0) {
  if (!dot(u, u)) return "";
  const [[a, b], [c, d]] = [scaled(u, EDGE), scaled(u, half)];
  if (!half) return path([-b, a], [b, -a]);
  const corners = [[c - b, d + a], [c + b, d - a], [b - c, -a - d], [-b - c, a - d]];
  return `${path(...corners)}Z`;
}

/** An arrow from 0 in the direction of w. */
function arrow(w) {
  if (!dot(w, w)) return "";
  const [[a, b], [c, d]] = [scaled(w, 25), scaled(w, 4)];
  return path([0, 0], [a, b]) + path([a - c - d, b - d + c], [a, b], [a - c + d, b - d - c]);
}

/** A mark to drag, to move by the arrow keys, and perhaps to press. */
function mark(plane, attributes, { moveTo, moveBy, press, done }) {
  const g = plane.append("g").attr("tabindex", 0);
  for (const [key, value] of Object.entries(attributes)) g.attr(key, value);
  g.append("circle").attr("class", "ol-touch").attr("r", 15);
  let moved = false;
  g.call(d3.drag()
    .subject(() => g.datum())
    .on("start", () => (moved = false))
    .on("drag", ({ x, y }) => {
      moved = true;
      moveTo([px.back(x), py.back(y)]);
    })
    .on("end", () => moved && done()));
  const pressed = () => {
    press();
    done();
  };
  if (press) g.on("click", pressed);
  return g.on("keydown", (event) => {
    const far = event.shiftKey ? 5 : 1;
    const by = ARROWS[event.key];
    if (!by && !(press && ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    if (!by) return pressed();
    moveBy([by[0] * far, -by[1] * far]);
    done();
  });
}

/** Put a mark at a point of the plane. */
function put(g, [a, b]) {
  const [x, y] = [px(a), py(b)];
  g.datum({ x, y }).attr("transform", `translate(${x} ${y})`);
}

function render({ model, el }) {
  const names = model.get("names"); // of the margin, the normal u and the mistakes M
  const { svg: plane, paths } = sketch(
    WIDE, WIDE, "The examples, the Perceptron’s line, a separator",
    ["band", "separator", "before", "after", "arrow"],
  );
  plane.append("circle").attr("class", "ol-rim")
    .attr("cx", px(0)).attr("cy", py(0)).attr("r", px(RADIUS) - px(0));
  const drawChart = chartOf(names);
  const counts = h("p", { class: "ol-counts" });
  const said = sentence();
  let now; // the examples X and y, the reader's own separator, how many mistakes are shown
  let facts; // what follows from these
  let record = 0; // the most mistakes on separable examples

  const sayStep = () => said.say(stepInWords(now, facts, names));
  const sayAll = () =>
    said.say(`${allInWords(now, facts, names)} Your most so far: ${short(record)}.`);

  function play(shown = Infinity) {
    facts = follow(now);
    if (facts.top) record = Math.max(record, facts.mistakes.length);
    now.shown = Math.min(shown, facts.mistakes.length);
    draw();
  }

  function start() {
    now = { X: model.get("X").map((x) => [...x]), y: [...model.get("y")], own: null };
    play(2);
    sayStep();
  }

  const points = model.get("X").map((_, i) => {
    const moveTo = (x) => {
      now.X[i] = inDisc(x);
      play();
    };
    const g = mark(plane, { role: "button" }, {
      moveTo, done: sayAll,
      moveBy: ([a, b]) => moveTo([now.X[i][0] + a, now.X[i][1] + b]),
      press() {
        now.y[i] *= -1;
        play();
      },
    });
    g.append("path").attr("class", "ol-off").attr("d", "M-16 -16H16V16H-16Z");
    g.append("circle").attr("class", "ol-ring").attr("r", 18);
    g.append("circle").attr("class", "ol-dot").attr("r", 11);
    g.append("path").attr("class", "ol-sign");
    return g;
  });

  const upward = () => facts.u ?? [0, 1]; // where the handle is, also without a separator
  const angle = () => Math.atan2(upward()[1], upward()[0]);
  const turn = (u) => {
    if (dot(u, u)) now.own = u; // the middle is no direction
    play(now.shown);
  };
  const handle = mark(plane, {
    class: "ol-drag ol-handle", role: "slider", "aria-valuemin": -180, "aria-valuemax": 180,
    "aria-label": `The separator’s normal ${names.normal}`,
  }, {
    moveTo: turn, done: sayAll,
    moveBy([a, b]) {
      const next = angle() + ((b - a) * Math.PI) / 180;
      turn([Math.cos(next), Math.sin(next)]);
    },
  });
  handle.append("circle").attr("class", "ol-dot").attr("r", 12);
  handle.append("text").attr("text-anchor", "middle").attr("y", 4).text(names.normal);

  const step = slider("mistakes", { min: 0, max: 1, value: 0 }, (m) => {
    now.shown = m;
    draw();
  });
  const next = button("", () => {
    now.shown = now.shown < facts.mistakes.length ? now.shown + 1 : 0;
    draw();
    sayStep();
  });
  const [input, output] = step.querySelectorAll("input, output");
  input.addEventListener("change", sayStep);

  function drawPoint(g, i) {
    const { X, y, shown } = now;
    const off = y[i] * dot(weights(facts.mistakes, shown), X[i]) <= 0;
    const ringed = shown && i === facts.mistakes[shown - 1].round % X.length;
    const [a, b] = X[i].map((c) => short(c / RADIUS));
    const label = `Example ${i + 1}, labeled ${y[i] > 0 ? "+1" : "−1"}, at ${a}, ${b}`;
    put(g, X[i]);
    g.attr("class", `ol-drag ${y[i] > 0 ? "ol-plus" : "ol-minus"}`)
      .classed("ol-wrong", off).classed("ol-now", ringed)
      .attr("aria-label", `${label}${off ? ", on the wrong side" : ""}. ` +
        "Arrow keys move it, Enter flips its label.");
    g.select(".ol-sign").attr("d", SIGNS[y[i]]);
  }

  function draw() {
    const { mistakes, top, u, γ, bound, ended } = facts;
    const { shown } = now;
    const w = weights(mistakes, shown);
    paths.separator.attr("d", u ? line(u) : "");
    paths.band.attr("d", γ > 0 ? line(u, γ * RADIUS) : "");
    paths.before.attr("d", line(weights(mistakes, Math.max(shown - 1, 0))));
    paths.after.attr("d", line(w));
    paths.arrow.attr("d", arrow(w));
    points.forEach(drawPoint);
    put(handle, scaled(upward(), EDGE));
    handle.attr("aria-valuenow", Math.round((angle() * 180) / Math.PI))
      .attr("aria-valuetext", γ > 0 ? `margin ${short(γ)}` : "no margin");
    drawChart(facts, shown);
    Object.assign(input, { max: mistakes.length, value: shown });
    output.textContent = `${shown} of ${mistakes.length}`;
    input.setAttribute("aria-valuetext", output.textContent);
    next.textContent = shown < mistakes.length ? "Next mistake" : "From the start";
    counts.replaceChildren(...(top ? [
      h("b", {}, short(mistakes.length)), `${ended ? "" : " or more"} mistakes; at most `,
      h("b", {}, γ > 0 ? `R²/${names.margin}² = ${short(bound)}` : "∞"),
    ] : ["no line separates them: ", h("b", {}, "no bound")]));
  }

  start();
  el.classList.add("ol-perceptron");
  place(
    el,
    task("How many mistakes can you cause?", "Drag the examples, but keep a line between + " +
      `and −. Click one to flip its label; drag ${names.normal} to turn the separator.`),
    h("div", { class: "ol-panels" }, plane.node(), drawChart(facts, now.shown)),
    h("div", { class: "ol-controls" }, counts, step),
    h("div", { class: "ol-controls" },
      next,
      button("Best separator", () => {
        now.own = null;
        play(now.shown);
        sayAll();
      }),
      button("Start again", start)),
    said,
  );
}

export default { render, run, best, proves, inDisc };
