/* Halving on a class that the reader draws: a table of 0s and 1s, concepts by points.
   A version space is a list of true and false, one for each concept. */

const size = (alive) => alive.filter(Boolean).length;

/** How many of the concepts that are left say 0 at a point, and how many say 1. */
const votes = (C, alive, x) =>
  [0, 1].map((label) => C.filter((row, i) => alive[i] && row[x] === label).length);

function predict(C, alive, x, tie) {
  const [zeros, ones] = votes(C, alive, x);
  return zeros === ones ? tie : Number(ones > zeros);
}

const prune = (C, alive, x, y) => alive.map((left, i) => left && C[i][x] === y);

/** Each round of a game: what Halving says, and the version spaces around it. */
function play(C, rounds, tie) {
  let alive = C.map(() => true);
  return rounds.map(([x, y]) => {
    const [before, said] = [alive, predict(C, alive, x, tie)];
    alive = prune(C, alive, x, y);
    return { x, y, said, before, alive };
  });
}

/** How many mistakes can be forced from here on, and the round to begin with. */
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

const short = (x) => `${+x.toFixed(2)}`;
const power = (m) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[m]; // a tenth mistake would take 1024 concepts

/** Who votes how at a point. */
function voteInWords(C, alive, x, tie) {
  const [zeros, ones] = votes(C, alive, x);
  const tied = zeros === ones ? "a tie, and then " : "";
  return (
    `Point ${x}: of the ${counted(size(alive), "concept")} left ${ones} say 1 and ${zeros} ` +
    `say 0; ${tied}Halving says ${predict(C, alive, x, tie)}. Which label do you give?`
  );
}

/** What the last round did; with it there are so many mistakes. */
function roundInWords(C, { x, y, said, before, alive }, mistakes) {
  const gone = `${size(before) - size(alive)} of ${size(before)}`;
  const stay = size(alive) === 1 ? "1 is left" : `${size(alive)} are left`;
  if (said === y) return `Point ${x} has label ${y}, as Halving said. ${gone} go, ${stay}.`;
  return (
    `Point ${x} has label ${y}, and Halving said ${said}: a mistake. The majority was ` +
    `wrong, so at least half must go: ${gone}. So ${stay}; after ` +
    `${counted(mistakes, "mistake")} it cannot be more than ` +
    `${C.length}/2${power(mistakes)} = ${short(limit(C.length, mistakes))}.`
  );
}

// ------------------------------------------------------------------ the chart

/** The concepts left after each round, on a scale where each half is one step down. */
function chartOf() {
  const label = "The number of concepts left after each round";
  const { svg, paths, write, legend } = sketch(250, 270, label, ["axes", "left", "ceiling"]);
  const head = svg.append("circle").attr("class", "ol-head").attr("r", 5);
  legend(40, [["left", "concepts left"], ["ceiling", "at most |C| / 2ᴹ"]]);
  write(139, 267, "middle", "rounds");
  const ticks = svg.append("g").attr("text-anchor", "middle");

  return (sizes, limits) => {
    const [end, bits] = [Math.max(6, sizes.length - 1), Math.ceil(bound(sizes[0]))];
    const [x, y] = [linear(0, end, 40, 238), linear(0, Math.max(bits, 1), 230, 58)];
    const steps = (values) => `M${x(0)} ${y(Math.log2(values[0]))}` +
      values.map((n, t) => (t ? `H${x(t)}V${y(Math.log2(n))}` : "")).join("");
    paths.axes.attr("d", `M${x(0)} ${y(bits)}V${y(0)}H${x(end)}`);
    paths.left.attr("d", steps(sizes));
    paths.ceiling.attr("d", steps(limits));
    head.attr("cx", x(sizes.length - 1)).attr("cy", y(Math.log2(sizes.at(-1))));
    const rounds = Array.from({ length: end + 1 }, (_, t) => [x(t), 249, t]);
    const powers = Array.from({ length: bits + 1 }, (_, k) => [28, y(k) + 4, 2 ** k]);
    ticks.selectAll("text").data([...rounds, ...powers]).join("text")
      .attr("x", ([left]) => left).attr("y", ([, top]) => top).text(([, , n]) => n);
    return svg.node();
  };
}

// ------------------------------------------------------------------ the table

/** A table of buttons: points above, concepts below, what all say at the bottom. */
function tableOf(C, ask, toggle) {
  const points = C[0].map((_, x) =>
    button(`${x}`, () => ask(x), { "aria-label": `Ask point ${x}` }));
  const entries = C.map((row, i) => row.map((_, x) => button("", () => toggle(i, x))));
  const out = C.map(() => h("td", { class: "ol-end" }));
  const [ones, says] = [C[0].map(() => h("td")), C[0].map(() => h("td"))];
  const th = (scope, inside) => h("th", { scope }, inside);
  const line = (title, cells, end = h("td")) => h("tr", {}, th("row", title), ...cells, end);
  const heads = points.map((b) => th("col", b));
  const table = h("table", {},
    h("thead", {}, h("tr", {}, th("col", "point"), ...heads, th("col", "out"))),
    h("tbody", {}, ...entries.map((row, i) =>
      line(`${i + 1}`, row.map((b) => h("td", {}, b)), out[i]))),
    h("tfoot", {}, line("say 1", ones), line("Halving", says)));
  walk(table, [points, ...entries]);
  return { table, points, entries, out, ones, says };
}

/** Rows of buttons of which one is a stop of the Tab key; arrow keys lead to the others. */
function walk(table, rows) {
  const stop = (here) => rows.flat().forEach((b) => (b.tabIndex = b === here ? 0 : -1));
  stop(rows[0][0]);
  table.addEventListener("focusin", ({ target }) => stop(target));
  table.addEventListener("keydown", (event) => {
    const by = ARROWS[event.key];
    if (!by) return;
    event.preventDefault();
    const r = rows.findIndex((row) => row.includes(event.target));
    const c = rows[r].indexOf(event.target);
    rows.at((r + by[1]) % rows.length).at((c + by[0]) % rows[r].length).focus();
  });
}

function render({ model, el }) {
  const [classes, tie] = [model.get("classes"), model.get("tie")];
  const names = classes.map(([name]) => name);
  const holder = h("div", { class: "ol-scroll" });
  const counts = h("p", { class: "ol-counts" });
  const said = sentence();
  const drawChart = chartOf();
  let C, cells; // the class, and its table
  let rounds, asked; // pairs of a point and a label; the point that waits for its label
  let most; // mistakes that can be forced

  const all = () => C.map(() => true);
  const alive = () => play(C, rounds, tie).at(-1)?.alive ?? all();

  function begin() {
    most = hardest(C, all(), tie).mistakes;
    [rounds, asked] = [[], null];
    draw();
    return `${counted(most, "mistake")} can be forced, and lg ${C.length} = ` +
      `${short(bound(C.length))} is the bound. Choose a point.`;
  }

  function take(table) {
    C = table.map((row) => [...row]);
    cells = tableOf(C, ask, toggle);
    holder.replaceChildren(cells.table);
    return begin();
  }

  function toggle(i, x) {
    C[i][x] = 1 - C[i][x];
    kinds.querySelectorAll("input")[names.length].checked = true;
    said.say(`Concept ${i + 1} now says ${C[i][x]} at point ${x}. In this class of your own ` +
      begin());
  }

  function ask(x) {
    asked = x;
    draw();
    said.say(voteInWords(C, alive(), x, tie));
  }

  function answer(label) {
    if (asked === null) said.say("First choose a point: they stand above the table.");
    else if (size(prune(C, alive(), asked, label))) add([asked, label]);
    else said.say(`No concept that is left says ${label} at point ${asked}.`);
  }

  function add(round) {
    rounds.push(round);
    asked = null;
    const played = play(C, rounds, tie);
    const mistakes = played.filter(({ y, said }) => y !== said).length;
    const over = hardest(C, alive(), tie).mistakes
      ? ""
      : ` Halving errs no more: you made it err ${mistakes} of ${counted(most, "possible time")}.`;
    draw();
    said.say(roundInWords(C, played.at(-1), mistakes) + over);
  }

  function best() {
    const { round } = hardest(C, alive(), tie);
    if (round) add(round);
    else said.say("No further mistake can be forced. Start again, or take another class.");
  }

  function draw() {
    const played = play(C, rounds, tie);
    const left = alive();
    let mistakes = 0;
    const limits = played.map(({ y, said }) => limit(C.length, (mistakes += y !== said)));
    drawChart([C.length, ...played.map((round) => size(round.alive))], [C.length, ...limits]);
    C.forEach((row, i) => {
      const out = played.findIndex((round) => !round.alive[i]);
      cells.out[i].textContent = left[i] ? "✓" : out + 1;
      row.forEach((label, x) => {
        const entry = cells.entries[i][x];
        entry.textContent = label;
        entry.className = left[i] ? `ol-says-${label}` : "ol-out";
        entry.classList.toggle("ol-asked", x === asked);
        entry.ariaLabel = `Concept ${i + 1} at point ${x}: ${label}${left[i] ? "" : ", out"}`;
      });
    });
    el.classList.toggle("ol-waits", asked !== null);
    cells.points.forEach((point, x) => {
      point.ariaPressed = `${x === asked}`;
      cells.ones[x].textContent = votes(C, left, x)[1];
      cells.says[x].textContent = predict(C, left, x, tie);
    });
    counts.replaceChildren(
      h("b", {}, `${size(left)}`), ` of ${C.length} left; `,
      h("b", {}, counted(mistakes, "mistake")), `, ${most} can be forced, at most ` +
      `lg ${C.length} = ${short(bound(C.length))}`);
  }

  const kinds = segments("Class", [...names, "your own"], 0, (k) =>
    said.say(k < names.length
      ? take(classes[k][1])
      : "Click the 0s and 1s of the table, and it is your own class."));
  el.classList.add("ol-halving");
  place(
    el,
    task("Make Halving err as often as it can be made to.", "Ask a point, then give its " +
      "label; or draw a class of your own: click its 0s and 1s."),
    kinds,
    h("div", { class: "ol-panels" }, holder, drawChart([1], [1])),
    h("div", { class: "ol-controls" },
      ...[0, 1].map((y) => button(`Label ${y}`, () => answer(y), { class: "ol-label" })),
      button("Best round", best), button("Start again", () => said.say(begin()))),
    said,
    counts,
  );
  // Wherever one is in the figure, the keys 0 and 1 are labels.
  el.addEventListener("keydown", ({ key }) => /^[01]$/.test(key) && answer(Number(key)));
  take(classes[0][1]);
  add([Math.floor(C[0].length / 2), 0]);
}

export default { render, play, hardest, limit, bound };
