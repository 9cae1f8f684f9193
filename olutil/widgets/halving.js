/* Halving on a class that the reader draws: a table of 0s and 1s, concepts by points.
   A version space is a list of true and false, one for each concept. */

const short = (x) => `${+x.toFixed(2)}`;
const size = (alive) => alive.filter(Boolean).length;
const power = (m) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[m]; // more mistakes than 9 take 1024 concepts
const times = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** How many of the concepts that are left say 0 at a point, and how many say 1. */
const votes = (C, alive, x) =>
  [0, 1].map((label) => C.filter((row, i) => alive[i] && row[x] === label).length);

function predict(C, alive, x, tie) {
  const [zeros, ones] = votes(C, alive, x);
  return zeros === ones ? tie : Number(ones > zeros);
}

const prune = (C, alive, x, y) => alive.map((left, i) => left && C[i][x] === y);

/** Each round of a game: what Halving says, and the version space afterwards. */
function play(C, rounds, tie) {
  let alive = C.map(() => true);
  return rounds.map(([x, y]) => {
    const [before, said] = [alive, predict(C, alive, x, tie)];
    alive = prune(C, alive, x, y);
    return { x, y, said, before, alive };
  });
}

/** The round with which the most mistakes can be forced from here on, and how many. */
function hardest(C, alive, tie, known = new Map()) {
  const key = alive.map(Number).join("");
  if (known.has(key)) return known.get(key);
  let best = { mistakes: 0, wrong: 0, round: null };
  C[0].forEach((_, x) => [0, 1].forEach((y) => {
    const left = prune(C, alive, x, y);
    if (!size(left) || size(left) === size(alive)) return; // impossible, or no news
    const wrong = Number(predict(C, alive, x, tie) !== y);
    const mistakes = wrong + hardest(C, left, tie, known).mistakes;
    // Of equally good rounds one with a mistake, if there is any.
    if (mistakes > best.mistakes || (mistakes === best.mistakes && wrong > best.wrong))
      best = { mistakes, wrong, round: [x, y] };
  }));
  known.set(key, best);
  return best;
}

/** How many concepts can be left after so many mistakes, and how many can be made. */
const limit = (concepts, mistakes) => concepts / 2 ** mistakes;
const bound = (concepts) => Math.log2(concepts);

// ------------------------------------------------------------------ in words

/** What is asked, and who votes how. */
function askedInWords(C, alive, x, tie) {
  const [zeros, ones] = votes(C, alive, x);
  const tied = zeros === ones ? "a tie, and then " : "";
  return (
    `Point ${x}: of the ${times(size(alive), "concept")} left ${ones} say 1 and ${zeros} say 0; ` +
    `${tied}Halving says ${predict(C, alive, x, tie)}. Which label do you give?`
  );
}

/** What the last round did; with it there are so many mistakes. */
function roundInWords(C, { x, y, said, before, alive }, mistakes) {
  const gone = `${size(before) - size(alive)} of ${size(before)} go`;
  const stay = size(alive) === 1 ? "1 is left" : `${size(alive)} are left`;
  if (said === y) return `Point ${x} has label ${y}, as Halving said. ${gone}, and ${stay}.`;
  return (
    `Point ${x} has label ${y}, and Halving said ${said}: a mistake. The majority was wrong, so at ` +
    `least half must go: ${gone}. So ${stay}; after ${times(mistakes, "mistake")} it cannot be ` +
    `more than ${C.length}/2${power(mistakes)} = ${short(limit(C.length, mistakes))}.`
  );
}

// ------------------------------------------------------------------ the chart

/** The concepts left after each round, on a scale where each half is one step down. */
function chartOf() {
  const { svg, paths, write, legend } = sketch(340, 250, "The number of concepts left after each round",
    ["axes", "ceiling", "left"]);
  const head = svg.append("circle").attr("class", "ol-green").attr("r", 5);
  legend(190, [["left", "concepts left"], ["ceiling", "at most |C| / 2ᴹ"]]);
  write(184, 247, "middle", "rounds");
  const ticks = svg.append("g");

  return (sizes, limits) => {
    const end = Math.max(6, sizes.length - 1);
    const bits = Math.ceil(Math.log2(sizes[0]));
    const [x, y] = [linear(0, end, 40, 328), linear(0, Math.max(bits, 1), 212, 14)];
    const steps = (values) => `M${x(0)} ${y(Math.log2(values[0]))}` +
      values.map((n, t) => (t ? `H${x(t)}V${y(Math.log2(n))}` : "")).join("");
    paths.axes.attr("d", `M${x(0)} ${y(bits)}V${y(0)}H${x(end)}`);
    paths.left.attr("d", steps(sizes));
    paths.ceiling.attr("d", steps(limits));
    head.attr("cx", x(sizes.length - 1)).attr("cy", y(Math.log2(sizes.at(-1))));
    const numbers = [...Array(end + 1).keys()].map((t) => [x(t), 230, t]);
    const powers = [...Array(bits + 1).keys()].map((k) => [28, y(k) + 4, 2 ** k]);
    ticks.selectAll("text").data([...numbers, ...powers]).join("text")
      .attr("text-anchor", "middle").attr("x", (d) => d[0]).attr("y", (d) => d[1]).text((d) => d[2]);
    return svg.node();
  };
}

// ------------------------------------------------------------------ the table

/** A table of buttons: points above, concepts below, what all say at the bottom.  One
    button is a stop of the Tab key, and arrow keys go from there to the others. */
function tableOf(C, ask, toggle) {
  const cell = (label, pressed) => button("", pressed, { "aria-label": label, tabindex: -1 });
  const points = C[0].map((_, x) => cell(`Ask point ${x}`, () => ask(x)));
  const entries = C.map((row, i) => row.map((_, x) => cell("", () => toggle(i, x))));
  const ends = C.map(() => h("td", { class: "ol-end" }));
  const rows = { ones: C[0].map(() => h("td")), said: C[0].map(() => h("td")) };
  const th = (scope, ...inside) => h("th", { scope }, ...inside);
  const buttons = [points, ...entries];
  const table = h("table", { class: "ol-table" },
    h("thead", {}, h("tr", {}, th("col", "point"), ...points.map((b) => th("col", b)), th("col", "out"))),
    h("tbody", {}, ...entries.map((row, i) =>
      h("tr", {}, th("row", `${i + 1}`), ...row.map((b) => h("td", {}, b)), ends[i]))),
    h("tfoot", {},
      h("tr", {}, th("row", "say 1"), ...rows.ones, h("td")),
      h("tr", {}, th("row", "Halving"), ...rows.said, h("td"))));
  const focus = (r, c) => {
    buttons.flat().forEach((b) => b.setAttribute("tabindex", -1));
    buttons[r][c].setAttribute("tabindex", 0);
    return buttons[r][c];
  };
  focus(0, 0);
  table.addEventListener("keydown", (event) => {
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
    const r = buttons.findIndex((row) => row.includes(event.target));
    if (down === undefined || r < 0) return;
    event.preventDefault();
    const c = buttons[r].indexOf(event.target);
    const [height, width] = [buttons.length, points.length];
    focus((r + down + height) % height, (c + right + width) % width).focus();
  });
  return { table, points, entries, ends, ...rows };
}

function render({ model, el }) {
  const [classes, tie] = [model.get("classes"), model.get("tie")];
  const names = Object.keys(classes);
  const OWN = names.length;
  const [holder, said, counts] = [h("div", { class: "ol-scroll" }), sentence(), h("p", { class: "ol-counts" })];
  said.classList.add("ol-long");
  const drawChart = chartOf();
  let C, rounds, asked, parts, most; // the class, [point, label] so far, the point asked

  function take(table, first = []) {
    C = table.map((row) => [...row]);
    most = hardest(C, C.map(() => true), tie).mistakes;
    parts = tableOf(C, ask, toggle);
    holder.replaceChildren(parts.table);
    [rounds, asked] = [first, null];
    draw();
  }

  /** The table is the reader's from now on, and the game begins again. */
  function toggle(i, x) {
    C[i][x] = 1 - C[i][x];
    most = hardest(C, C.map(() => true), tie).mistakes;
    [rounds, asked] = [[], null];
    kinds.querySelectorAll("input")[OWN].checked = true;
    draw();
    said.say(`Concept ${i + 1} now says ${C[i][x]} at point ${x}. The game begins again with your class: ${forceInWords()}`);
  }
  const forceInWords = () =>
    `${times(most, "mistake")} can be forced, and lg ${C.length} = ${short(bound(C.length))} is the bound.`;

  function ask(x) {
    asked = x;
    draw();
    said.say(askedInWords(C, left(), x, tie));
  }

  function answer(label) {
    if (asked === null) return said.say("First choose a point: the numbers above the table.");
    const after = prune(C, left(), asked, label);
    if (!size(after)) return said.say(`No concept that is left says ${label} at point ${asked}: then the label must be ${1 - label}.`);
    add([asked, label]);
  }

  function add(round) {
    rounds.push(round);
    asked = null;
    draw();
    const played = play(C, rounds, tie);
    const mistakes = played.filter(({ y, said }) => y !== said).length;
    const over = hardest(C, left(), tie).mistakes === 0;
    said.say(roundInWords(C, played.at(-1), mistakes) + (over
      ? ` Halving errs no more: ${mistakes} of the ${most} that can be forced.`
      : ""));
  }

  const left = () => play(C, rounds, tie).at(-1)?.alive ?? C.map(() => true);

  function draw() {
    const played = play(C, rounds, tie);
    const alive = left();
    let mistakes = 0;
    const limits = [C.length, ...played.map(({ y, said }) => limit(C.length, (mistakes += y !== said)))];
    drawChart([C.length, ...played.map((round) => size(round.alive))], limits);
    C.forEach((row, i) => {
      const out = played.findIndex((round) => !round.alive[i]);
      parts.ends[i].textContent = out < 0 ? "✓" : `round ${out + 1}`;
      row.forEach((label, x) => {
        const entry = parts.entries[i][x];
        entry.textContent = label;
        entry.setAttribute("aria-label", `Concept ${i + 1} says ${label} at point ${x}${out < 0 ? "" : ", out"}`);
        entry.className = out < 0 ? `ol-says-${label}` : "ol-out";
        entry.classList.toggle("ol-asked", x === asked);
      });
    });
    C[0].forEach((_, x) => {
      parts.points[x].textContent = x;
      parts.points[x].setAttribute("aria-pressed", x === asked);
      parts.ones[x].textContent = votes(C, alive, x)[1];
      parts.said[x].textContent = predict(C, alive, x, tie);
    });
    counts.replaceChildren(
      h("b", {}, `${size(alive)}`), ` of ${C.length} left; `, h("b", {}, times(mistakes, "mistake")),
      `, ${most} can be forced, at most lg ${C.length} = ${short(bound(C.length))}`);
  }

  const kinds = segments("Class", [...names, "your own"], 0, (k) => {
    if (k < OWN) take(classes[names[k]]);
    said.say(k < OWN
      ? `${C.length} concepts on ${C[0].length} points: ${forceInWords()} Choose a point.`
      : "Click the 0s and 1s of the table to change them.");
  });
  place(
    el,
    h("p", {}, "Ask a point and then give its label: can you make Halving err as often as the number below says? " +
      "Or draw a class of your own: click its 0s and 1s."),
    kinds,
    h("div", { class: "ol-controls" },
      button("Label 0", () => answer(0)),
      button("Label 1", () => answer(1)),
      button("Best round", () => {
        const { round } = hardest(C, left(), tie);
        if (round) add(round);
        else said.say("No further mistake can be forced: at each point Halving says what all must agree on.");
      }),
      button("Start again", () => {
        [rounds, asked] = [[], null];
        draw();
        said.say(`All ${C.length} concepts are left: ${forceInWords()} Choose a point.`);
      })),
    said,
    counts,
    h("div", { class: "ol-panels" }, holder, drawChart([1], [1])),
  );
  // Wherever one is in the figure, the keys 0 and 1 are labels.
  el.addEventListener("keydown", ({ key }) => ["0", "1"].includes(key) && answer(Number(key)));
  take(classes[names[0]]);
  add([Math.floor(C[0].length / 2), 0]);
}

export default { render, play, hardest, limit, bound };
