/* Two roles in one game on a concept class: the reader is the adversary of the Standard
   Optimal Algorithm, or the learner, whom an optimal adversary asks and answers.

   A version space is a BigInt with one bit a concept, as in olutil._version_spaces. */

const ADVERSARY = 0;
/* The reader's own class, at first: the majority is not always the side to predict, and
   the last two points are there to be made use of. */
const OWN = ["000000", "000100", "001000", "001100", "010000", "010100", "011000", "100100"];

// ---------------------------------------------------------------- the model

/** The class with rows such as "0011": its dimension, predictions and adversary. */
function classOf(rows) {
  const points = [...rows[0]].map((_, x) => x);
  const columns = points.map((x) =>
    rows.reduce((ones, row, i) => ones | (BigInt(row[x]) << BigInt(i)), 0n));
  const everything = (1n << BigInt(rows.length)) - 1n;
  const sides = (V, x) => [V & ~columns[x], V & columns[x]];
  const known = new Map([[0n, -1]]);

  /** The Littlestone dimension, by the recursion. */
  function dimension(V) {
    if (!known.has(V)) {
      const most = Math.floor(Math.log2(size(V)));
      let best = 0;
      for (const x of points) {
        if (best === most) break;
        const [small, large] = sides(V, x).sort((a, b) => size(a) - size(b));
        // The larger side decides only if the smaller one might do better.
        if (small && dimension(small) >= best) {
          best = Math.max(best, 1 + Math.min(dimension(small), dimension(large)));
        }
      }
      known.set(V, best);
    }
    return known.get(V);
  }

  const dimensions = (V, x) => sides(V, x).map(dimension);

  /** The side that is harder to learn, and 1 at a tie. */
  function predict(V, x) {
    const [zero, one] = dimensions(V, x);
    return +(one >= zero);
  }

  /** The first point at which a mistake costs the adversary no more than it brings. */
  const best = (V) =>
    points.find((x) => Math.min(...dimensions(V, x)) === dimension(V) - 1);

  /** How many concepts are on the wrong side, where one side is as hard as them all:
      who predicts that side errs, and the adversary has lost nothing. */
  function lure(V, x) {
    const right = dimensions(V, x).indexOf(dimension(V));
    return right < 0 ? 0 : size(sides(V, x)[1 - right]);
  }

  /** What an optimal adversary asks: a lure that a third of the concepts fall for, or
      else a point of the deepest mistake tree. */
  function ask(V) {
    const tempting = points.reduce((a, b) => (lure(V, b) > lure(V, a) ? b : a));
    return 3 * lure(V, tempting) >= size(V) ? tempting : best(V);
  }

  /** Its answer: the label with most mistakes in all; a mistake now, if that ties. */
  function answer(V, x, said) {
    const [zero, one] = dimensions(V, x).map((d, b) => (d < 0 ? -1 : d + (b !== said)));
    return zero === one ? 1 - said : +(one > zero);
  }

  return { points, everything, sides, dimension, dimensions, predict, best, ask, answer };
}

function size(V) {
  let bits = 0;
  for (let rest = V; rest; rest &= rest - 1n) bits += 1;
  return bits;
}

/** The rounds that moves make: each with its version space, and what it changed. */
function rounds(C, moves) {
  let V = C.everything;
  return moves.map(([x, said, told]) => {
    const before = C.dimension(V);
    const dimensions = C.dimensions(V, x);
    const mistake = +(said !== told);
    // Mistakes made and dimension left, together: what it is better or worse by.
    const change = mistake + dimensions[told] - before;
    const round = { V, x, said, told, mistake, before, dimensions, change };
    V = C.sides(V, x)[told];
    return round;
  });
}

/** What is known of each version space that answers leave, one after the other. */
function replay(rows, answers) {
  const C = classOf(rows);
  const spaces = [C.everything];
  for (const [x, told] of answers) spaces.push(C.sides(spaces.at(-1), x)[told]);
  return spaces.map((V) => {
    const dimension = C.dimension(V);
    const predictions = C.points.map((x) => C.predict(V, x));
    if (dimension < 1) return { dimension, predictions };
    const asked = C.ask(V);
    const replies = [0, 1].map((said) => C.answer(V, asked, said));
    return { dimension, predictions, best: C.best(V), asked, replies };
  });
}

// ---------------------------------------------------------------- in words

const next = (asked) => (asked === null ? "" : ` Point ${asked} is asked: your turn.`);

const TASKS = [
  ["Force every mistake there is.",
    "Choose a square as your answer: one that is not filled is a mistake."],
  ["Make no mistake that you need not make.",
    "Choose a label at the framed point: it is your prediction."],
];

function opening(C, asked) {
  const most = counted(C.dimension(C.everything), "mistake");
  return asked === null
    ? `A filled square is what the algorithm will say there. How many of ${most} can you force?`
    : `${most} can be forced on everybody. Can you keep it at that?${next(asked)}`;
}

function news({ x, said, told, mistake }, made, left, asked) {
  const who = asked === null ? `it said ${said}, you answered` : `you said ${said}, it is`;
  return `At point ${x} ${who} ${told}: ${mistake ? "a mistake" : "no mistake"}. ` +
    `${made} made, dimension ${left} left, ${made + left} in all.${next(asked)}`;
}

/** A rule in words: a threshold, or else the points where it is 1. */
function named(row) {
  const first = row.indexOf("1");
  if (first < 0) return "that is 0 everywhere";
  if (!row.includes("0", first)) return `x ≥ ${first}`;
  return `that is 1 at ${[...row].flatMap((v, x) => (v === "1" ? [x] : [])).join(", ")}`;
}

function verdict(C, rows, role, all, made) {
  const rule = rows.find((row) => all.every(({ x, told }) => +row[x] === told));
  const opt = C.dimension(C.everything);
  const thrown = all.flatMap(({ x, V, change, told }, t) => change === 0 ? []
    : role === ADVERSARY
    ? ` Round ${t + 1} threw ${-change} away: point ${C.best(V)} was better.`
    : ` Round ${t + 1} gave one away: at point ${x} the algorithm says ${told}.`);
  const result = role === ADVERSARY
    ? `You forced ${made} of ${counted(opt, "mistake")}`
    : `You made ${counted(made, "mistake")}, and ${opt} had to be`;
  return `${result}${thrown.length ? "." : ", the best there is."}${thrown.join("")} ` +
    `The rule ${named(rule)} agrees with every answer.`;
}

// ---------------------------------------------------------------- the drawing

const WIDE = 362; // about a phone's column, so that text keeps its size there
const TALL = 128; // a table that is only looked at
const MARK = 28; // what is pressed

/** Where everything stands, for a table of so many concepts and points. */
function layout(concepts, points, depth, editable) {
  const column = Math.min(46, (WIDE - 2) / points);
  const row = editable ? MARK : TALL / concepts;
  const left = (WIDE - points * column) / 2;
  const answers = concepts * row + 22;
  const tree = answers + 2 * MARK + 32;
  const deep = 40 * depth + 56;
  return { column, row, answers, tree, deep, x: (point) => left + (point + 0.5) * column };
}

/** A drawn mark is pressed by Enter and by Space, as a button is. */
function pressable(event) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.target.dispatchEvent(new Event("click"));
}

/** The class: a row a concept, faint if it is out; `flip` if it can be edited. */
function drawTable(group, at, rows, alive, flip) {
  const line = group.selectAll("g").data(rows).join("g")
    .classed("ol-out", (_, i) => !(alive >> BigInt(i) & 1n));
  const cell = line.selectAll("rect").data((row, i) => [...row].map((v, x) => [v, i, x]))
    .join("rect")
    .attr("x", ([, , x]) => at.x(x) - at.column / 2 + 1)
    .attr("y", ([, i]) => i * at.row)
    .attr("width", at.column - 2)
    .attr("height", at.row - Math.min(2, at.row / 6))
    .attr("class", ([v]) => `ol-fill-${v}`);
  if (!flip) return;
  cell.classed("ol-press", true)
    .attr("role", "button")
    .attr("tabindex", ([, i, x]) => (i || x ? -1 : 0))
    .attr("data-at", ([, i, x]) => `${i},${x}`)
    .attr("aria-pressed", ([v]) => v === "1")
    .attr("aria-label", ([v, i, x]) => `rule ${i}, point ${x}: ${v}`)
    .on("click", (_, [, i, x]) => flip(i, x));
}

/** Below each point the labels 1 and 0: `mark` says which are open, and what they mean. */
function drawAnswers(group, at, points, mark, choose, peek) {
  const data = points.flatMap((x) => [1, 0].map((label) => ({ x, label, ...mark(x, label) })));
  const all = group.selectAll("g").data(data).join((enter) => {
    const g = enter.append("g").attr("role", "button");
    g.append("rect").attr("class", "ol-touch");
    g.append("rect").attr("class", "ol-square");
    g.append("text").attr("y", 5);
    return g;
  })
    .attr("transform", ({ x, label }) =>
      `translate(${at.x(x)},${at.answers + (1.5 - label) * MARK})`)
    .attr("class", "ol-answer")
    .classed("ol-says", ({ says }) => says)
    .classed("ol-press", ({ open }) => open)
    .attr("aria-label", ({ x, label, words }) => `${label} at point ${x}, ${words}`)
    .attr("aria-disabled", ({ open }) => !open)
    .attr("data-at", ({ x, label, open }) => (open ? `${1 - label},${x}` : null))
    .attr("tabindex", ({ open }) => (open ? -1 : null))
    .on("click", (_, { x, label, open }) => open && choose(x, label))
    .on("pointerenter focus", (_, { x, label, open }) => open && peek(x, label))
    .on("pointerleave blur", () => peek());
  // With the seams between them, fifteen marks are wide enough for a finger on a phone.
  all.select(".ol-touch").attr("x", -at.column / 2 - 0.5).attr("y", -MARK / 2)
    .attr("width", at.column + 1).attr("height", MARK);
  const size = Math.min(at.column - 2, 40);
  all.select(".ol-square").attr("x", -size / 2).attr("y", 1 - MARK / 2).attr("rx", 3)
    .attr("width", size).attr("height", MARK - 2)
    .attr("class", ({ label, open }) => `ol-square${open ? ` ol-fill-${label}` : ""}`);
  all.select("text").text(({ label, open }) => (open ? label : ""));
}

/** The tree of this game: a node a round, below its point, with the dimension in it. */
function drawTree(group, at, C, { all, V, asked, over }, role) {
  const step = Math.min(44, (at.deep - 46) / Math.max(C.dimension(C.everything), all.length, 1));
  const open = C.points.filter((x) => C.sides(V, x).every(Boolean));
  const center = open.length ? open.reduce((sum, x) => sum + at.x(x), 0) / open.length
    : at.x(all.at(-1)?.x ?? 0);
  const nodes = [...all.map(({ x }) => at.x(x)), asked === null ? center : at.x(asked)]
    .map((x, t) => ({ x, y: at.tree + t * step }));
  group.selectAll("*").remove();
  const edge = (from, to, kind, label, beside) => {
    const g = group.append("g").attr("class", kind);
    g.append("path").attr("d", `M${from.x} ${from.y}L${to.x} ${to.y}`);
    text(g, beside, label);
  };
  const text = (g, { x, y }, words) => g.append("text").attr("x", x).attr("y", y + 4).text(words);
  const circle = (g, { x, y }, r = 11) =>
    g.append("circle").attr("cx", x).attr("cy", y).attr("r", r);
  all.forEach(({ V, told, mistake, dimensions, change }, t) => {
    const [from, to] = [nodes[t], nodes[t + 1]];
    const away = to.x < from.x || (to.x === from.x && to.x < WIDE / 2) ? 1 : -1;
    const other = { x: inside(from.x + 24 * away), y: from.y + step / 2 };
    if (dimensions[1 - told] >= 0) {
      edge(from, other, "ol-stub", dimensions[1 - told], { x: other.x + 7 * away, y: other.y + 4 });
    }
    const taken = [from.x]; // at this height
    if (over && change < 0) {
      const better = { x: at.x(C.best(V)), y: from.y };
      edge(from, better, "ol-lost", "", better);
      circle(group.select(".ol-lost:last-of-type"), better, 7);
      taken.push(better.x);
    }
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    edge(from, to, mistake ? "ol-erred" : "", told, middle);
    if (over && change) {
      const words = change > 0 ? `+${change}` : `−${-change}, best: ${C.best(V)}`;
      const half = change > 0 ? 10 : 36; // of their width
      const right = Math.max(...taken) + 18 + half;
      const x = right + half < WIDE ? right : Math.min(...taken) - 18 - half;
      text(group.append("g").attr("class", "ol-lost"), { x, y: from.y }, words);
    }
  });
  nodes.forEach((node, t) => {
    const g = group.append("g").attr("class", "ol-node");
    circle(g, node);
    text(g, node, t < all.length ? all[t].before : C.dimension(V));
  });
}

const inside = (x) => Math.max(16, Math.min(WIDE - 16, x));

function render({ model, el }) {
  const classes = [...model.get("classes"), ["yours", OWN]];
  let [role, kind, moves, C] = [model.get("role"), 0, []];
  const svg = drawing(WIDE, 400, "The class, the answers and the tree of this game");
  const [table, frame, names, answers, tree, legend] =
    ["g", "rect", "g", "g", "g", "text"].map((part) => svg.append(part));
  table.attr("class", "ol-table");
  const [, stop] = [table, answers].map((part) =>
    rove(part.on("keydown", pressable).node()));
  const tasks = TASKS.map((words) => task(...words));
  const said = sentence();
  const again = button("Again", () => turn([]));
  const rows = () => classes[kind][1];

  function start() {
    C = classOf(rows());
    tasks.forEach((words, index) => (words.hidden = index !== role));
    table.selectAll("*").remove();
    answers.selectAll("*").remove();
    turn([]);
  }

  function flip(i, x) {
    classes[kind][1] = rows().map((row, k) =>
      k === i ? row.slice(0, x) + (1 - row[x]) + row.slice(x + 1) : row);
    C = classOf(rows());
    turn([]);
  }

  /** The state of the game, from its moves. */
  function now() {
    const all = rounds(C, moves);
    const last = all.at(-1);
    const V = last ? C.sides(last.V, last.x)[last.told] : C.everything;
    const over = C.dimension(V) === 0;
    return { all, V, over, asked: role === ADVERSARY || over ? null : C.ask(V) };
  }

  function turn(next) {
    moves = next;
    const state = now();
    const { all, V, over, asked } = state;
    const own = kind === classes.length - 1;
    const at = layout(rows().length, C.points.length, C.dimension(C.everything), own);
    svg.attr("viewBox", `0 0 ${WIDE} ${at.tree + at.deep}`);
    const peek = (x, label) =>
      drawTable(table, at, rows(), x === undefined ? V : C.sides(V, x)[label], own && flip);
    peek();
    frame.attr("class", "ol-asked").attr("visibility", asked === null ? "hidden" : "visible")
      .attr("x", at.x(asked ?? 0) - at.column / 2 - 1).attr("y", -1).attr("rx", 3)
      .attr("width", at.column + 2).attr("height", at.answers + 2 * MARK + 2);
    names.attr("class", "ol-names").selectAll("text").data(C.points).join("text")
      .attr("x", at.x).attr("y", at.answers - 6).text(String);
    drawAnswers(answers, at, C.points, (x, label) => {
      const open = C.sides(V, x).every(Boolean) && (asked === null || x === asked);
      const says = asked === null && open && C.predict(V, x) === label;
      const words = !open ? "not to choose now"
        : asked !== null ? "your prediction" : says ? "as it predicts" : "a mistake";
      return { says, open, words };
    }, (x, label) => turn([...moves, asked === null
      ? [x, C.predict(V, x), label] : [x, label, C.answer(V, x, label)]]), peek);
    drawTree(tree.attr("class", "ol-tree"), at, C, state, role);
    legend.attr("class", "ol-legend").attr("x", WIDE / 2)
      .attr("y", at.tree + (all.length ? at.deep - 6 : 36))
      .text(all.length ? "In a circle: mistakes that can still be forced. Bold: a mistake."
        : "mistakes that can be forced; the tree of your game grows here");
    keepFocus();
    const made = all.reduce((sum, { mistake }) => sum + mistake, 0);
    said.say(over ? verdict(C, rows(), role, all, made)
      : all.length ? news(all.at(-1), made, C.dimension(V), asked)
      : opening(C, asked) + (own ? " A click in the table changes a rule." : ""));
  }

  /** The Tab key stops at a mark that can be chosen, and a lost focus goes there. */
  function keepFocus() {
    const held = document.activeElement;
    const inAnswers = answers.node().contains(held);
    const mark = inAnswers && held.dataset.at ? held : answers.select("[data-at]").node();
    if (mark) stop(mark);
    if (inAnswers && held !== mark) (mark ?? again).focus();
  }

  place(el,
    ...tasks,
    h("div", { class: "ol-controls" },
      segments("You are", ["the adversary", "the learner"], role, (index) => {
        role = index;
        start();
      }),
      segments("Class", classes.map(([name]) => name), kind, (index) => {
        kind = index;
        start();
      })),
    svg.node(),
    h("div", { class: "ol-controls" },
      button("Take back", () => turn(moves.slice(0, -1))), again),
    said);
  el.classList.add("ol-soa");
  start();
}

export default { render, replay };
