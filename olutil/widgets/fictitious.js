/* Fictitious play in a game of two players with two or three actions each.

   Payoffs and weights are whole hundredths, so that ties are exact: with whole numbers
   below 2**53 no sum rounds, and the first action wins a tie, as in olutil.games. */

const UNIT = 100;
const MOST_ROUNDS = 10_000;
const WORST = 99; // the largest payoff that can be typed

// ---------------------------------------------------------------- the model

const sum = (values) => values.reduce((a, b) => a + b, 0);
const dot = (u, v) => sum(u.map((x, i) => x * v[i]));
const turned = (B) => B[0].map((_, j) => B.map((row) => row[j]));
const hundredths = (values) => values.map((v) => Math.round(v * UNIT));
const firstBest = (values) => values.indexOf(Math.max(...values));
const added = (k, action, rounds) => k.map((v, i) => (i === action ? v + rounds * UNIT : v));

/** A game with its start, in hundredths; both matrices have their owner's actions first. */
function exactly({ A, B, k1, k2 }) {
  const payoffs = [A, turned(B)].map((M) => M.map(hundredths));
  return { payoffs, start: [k1, k2].map(hundredths) };
}

/** After how many rounds an action is preferred that gains on the best one. */
function switches(values, gains, best) {
  return values.map((value, i) => {
    const speed = (gains[i] - gains[best]) * UNIT;
    if (speed <= 0) return Infinity;
    const lead = values[best] - value;
    // An earlier action wins a tie; a later one has to be strictly better.
    return i < best ? Math.ceil(lead / speed) : Math.floor(lead / speed) + 1;
  });
}

/** The runs of equal actions in T rounds: the actions, how many rounds, and what each
    player had counted (`kappa`) and earned when the run began, after `before` rounds. */
function runsOf({ payoffs, start }, T) {
  const runs = [];
  let [kappa, earned, before] = [start, [0, 0], 0];
  while (before < T) {
    const values = payoffs.map((M, i) => M.map((row) => dot(row, kappa[i])));
    const actions = values.map(firstBest);
    const seen = [actions[1], actions[0]];
    const ends = payoffs.flatMap((M, i) =>
      switches(values[i], M.map((row) => row[seen[i]]), actions[i]));
    const rounds = Math.min(T - before, ...ends);
    runs.push({ actions, rounds, before, kappa, earned });
    kappa = kappa.map((k, i) => added(k, seen[i], rounds));
    earned = earned.map((e, i) => e + rounds * payoffs[i][actions[i]][seen[i]]);
    before += rounds;
  }
  return { runs, kappa };
}

/** Both players' average regret after t rounds, the last of which are in this run. */
function regrets({ payoffs, start }, { actions, before, kappa, earned }, t) {
  return payoffs.map((M, i) => {
    const other = actions[1 - i];
    const counts = added(kappa[i], other, t - before).map((v, a) => (v - start[i][a]) / UNIT);
    const best = Math.max(...M.map((row) => dot(row, counts)));
    return (best - earned[i] - (t - before) * M[actions[i]][other]) / UNIT / t;
  });
}

/** The mixtures to which an action is the best answer, as corners of their region. */
function region(M, action) {
  const corners = M.map((_, i) => M.map((__, j) => +(i === j)));
  return M.reduce((polygon, row) => {
    const better = (p) => dot(M[action], p) - dot(row, p);
    return polygon.flatMap((p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      const [u, v] = [better(p), better(q)];
      const cut = u * v < 0 ? [p.map((x, k) => (x * v - q[k] * u) / (v - u))] : [];
      return u >= 0 ? [p, ...cut] : cut;
    });
  }, corners);
}

/** Weights with this sum in about these proportions, exact in hundredths. */
function weights(mixture, total) {
  const shares = mixture.map((p) => Math.max(0, p));
  const rounded = shares.map((p) => Math.round((p / sum(shares)) * total));
  const most = firstBest(rounded);
  return rounded.map((v, i) => (i === most ? v + total - sum(rounded) : v));
}

/** What tests compare: runs, weights after them and regrets of T rounds. */
function play(game, T) {
  const exact = exactly(game);
  const { runs, kappa } = runsOf(exact, T);
  return {
    runs: runs.map(({ actions, rounds }) => [...actions, rounds]),
    kappa,
    regrets: regrets(exact, runs.at(-1), T),
  };
}

// ---------------------------------------------------------------- the drawing

const WIDE = 368; // about a phone's column, so that text keeps its size there
const SIDE = 168;
const [TOP, MARGIN] = [36, 10]; // of the pictures of play: a ring has room at a corner
const CHARTS = { top: 252, bottom: 327, left: [40, 232], width: 126 };
const share = (k) => k.map((v) => v / sum(k));
const line = (points) => `M${points.map((p) => p.map((v) => v.toFixed(2)).join(" ")).join("L")}`;
const log = (from, to, low, high) => {
  const scale = linear(0, Math.max(1e-9, Math.log(to / from)), low, high);
  return (v) => scale(Math.log(v / from));
};

/** A triangle of mixtures of three actions: from a mixture to a place, and back. */
function triangle(left) {
  const high = SIDE * Math.sqrt(0.75);
  return {
    at: ([, one, two]) => [left + SIDE * (one + two / 2), TOP + 4 + high * (1 - two)],
    back: ([x, y]) => {
      const two = (TOP + 4 + high - y) / high;
      const one = (x - left) / SIDE - two / 2;
      return [1 - one - two, one, two];
    },
  };
}

/** What is drawn of play: pictures with a title, an outline, borders between the best
    answers, `at` for both players' weights, and `moved` where a start can be chosen. */
function pictures({ payoffs, start }, names, runs) {
  const total = start.map(sum);
  if (payoffs[0].length === 3) {
    return [0, 1].map((player) => {
      const viewer = 1 - player;
      const { at, back } = triangle(player ? WIDE - SIDE - MARGIN : MARGIN);
      const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      return {
        title: `player ${player + 1} has shown`,
        kind: `player-${player + 1}`,
        outline: `${line(corners.map(at))}Z`,
        letters: corners.map((c, a) => [at(c), names[a], a === 2 ? -6 : 16]),
        borders: corners.map((_, a) => region(payoffs[viewer], a)).filter((r) => r.length)
          .map((r) => `${line(r.map(at))}Z`),
        at: (kappa) => at(share(kappa[viewer])),
        moved: (place) => start.map((k, i) =>
          i === viewer ? weights(back(place), total[i]) : k),
      };
    });
  }
  const [left, right] = [MARGIN, WIDE - SIDE - MARGIN];
  const most = Math.max(...runs.flatMap(({ kappa }) => kappa.map(([u, v]) => Math.abs(u - v))));
  const wide = linear(-most, most, left, left + SIDE);
  const high = linear(-most, most, TOP + SIDE, TOP);
  const [x, y] = [linear(0, 1, right, right + SIDE), linear(0, 1, TOP + SIDE, TOP)];
  const box = (from) => `M${from} ${TOP}h${SIDE}v${SIDE}h${-SIDE}Z`;
  const inner = (viewer) => region(payoffs[viewer], 0).map(([p]) => p).filter((p) => p % 1);
  return [{
    title: `weight of ${names[0]} minus ${names[1]}`,
    kind: "both",
    outline: box(left),
    letters: [[[left + SIDE / 2, TOP + SIDE], "by player 1 →", 14],
      [[left + 42, TOP], "by player 2 ↑", -6]],
    borders: [`M${wide(0)} ${TOP}v${SIDE}`, `M${left} ${high(0)}h${SIDE}`],
    at: ([[a, b], [c, d]]) => [wide(a - b), high(c - d)],
  }, {
    title: `share of ${names[0]}`,
    kind: "both",
    outline: box(right),
    letters: [[[right + SIDE / 2, TOP + SIDE], "player 2 →", 14],
      [[right + 34, TOP], "player 1 ↑", -6]],
    borders: [...inner(0).map((p) => `M${x(p)} ${TOP}v${SIDE}`),
      ...inner(1).map((p) => `M${right} ${y(p)}h${SIDE}`)],
    at: (kappa) => [x(share(kappa[0])[0]), y(share(kappa[1])[0])],
    moved: (place) => [x.back(place[0]), y.back(place[1])].map((p, i) =>
      weights([p, 1 - Math.min(1, p)], total[i])),
  }];
}

/** A chart's frame: its title, its ticks as [place, text], and its lines by class. */
function drawChart(group, place, title, ticks, lines) {
  const left = CHARTS.left[place];
  group.selectAll("path").data([
    ["frame", `M${left} ${CHARTS.top}V${CHARTS.bottom}h${CHARTS.width}`], ...lines,
  ]).join("path").attr("class", ([kind]) => `ol-${kind}`).attr("d", ([, d]) => d);
  const words = [[left + CHARTS.width / 2, CHARTS.top - 10, "middle", title], ...ticks];
  group.selectAll("text").data(words).join("text").attr("x", ([x]) => x)
    .attr("y", ([, y]) => y).attr("text-anchor", ([, , a]) => a).text(([, , , t]) => t);
}

const across = (place) => CHARTS.left[place] + CHARTS.width;
const below = CHARTS.bottom + 15;

function drawRuns(group, runs) {
  const lengths = runs.map(({ rounds }) => rounds);
  const most = Math.max(...lengths, 10);
  const x = linear(0, Math.max(2, runs.length), CHARTS.left[0], across(0));
  const y = log(1, most, CHARTS.bottom, CHARTS.top);
  const ticks = [1, 10, 100, 1000, 10_000].filter((v) => v <= most)
    .map((v) => [CHARTS.left[0] - 4, y(v) + 4, "end", v.toLocaleString("en")]);
  const last = [across(0), below, "end", `run ${runs.length}`];
  const dots = lengths.map((n, i) => `M${x(i + 1).toFixed(1)} ${y(n).toFixed(1)}h0`).join("");
  // The last one has not ended yet.
  const path = lengths.length > 1 ? line(lengths.slice(0, -1).map((n, i) => [x(i + 1), y(n)])) : "";
  drawChart(group, 0, "rounds in each run", [...ticks, last], [["thin", path], ["dots", dots]]);
}

function drawRegrets(group, exact, runs, T) {
  const times = [...new Set([...Array(90).keys()].map((i) => Math.round(T ** (i / 89))))];
  let r = 0;
  const values = times.map((t) => {
    while (runs[r].before + runs[r].rounds < t) r += 1;
    return regrets(exact, runs[r], t);
  });
  // The first rounds would make all the others flat.
  const shown = values.slice(Math.min(values.length - 1, times.findIndex((t) => t >= 5))).flat();
  const [low, high] = [Math.min(0, ...shown), Math.max(0.1, ...shown)];
  const x = log(1, Math.max(2, T), CHARTS.left[1], across(1));
  const y = linear(low, high, CHARTS.bottom, CHARTS.top);
  const inside = (v) => y(Math.max(low, Math.min(high, v)));
  const path = (player) => line(times.map((t, i) => [x(t), inside(values[i][player])]));
  const ticks = [...new Set([low, 0, high])].map((v) =>
    [CHARTS.left[1] - 4, y(v) + 4, "end", v.toFixed(v ? 1 : 0)]);
  drawChart(group, 1, "average regret",
    [...ticks, [across(1), below, "end", `round ${T.toLocaleString("en")}`]],
    [["frame", `M${CHARTS.left[1]} ${y(0)}h${CHARTS.width}`],
      ["player-1", path(0)], ["player-2", path(1)]]);
}

// ---------------------------------------------------------------- in words

function report(runs, T, values, names) {
  const last = runs.at(-1);
  const lengths = runs.map(({ rounds }) => rounds);
  const earlier = lengths.slice(-4, -1);
  const [p, q] = last.actions.map((a) => names[a]);
  const before = earlier.length
    ? ` The ${earlier.length > 1 ? "runs" : "run"} before lasted ${earlier.join(", ")}.` : "";
  return `Round ${T}: player 1 shows ${p} and player 2 shows ${q}, for ` +
    `${last.rounds === 1 ? "one round" : `${last.rounds} rounds`} now.${before} ` +
    `Average regret: ${values.map((v) => v.toFixed(3)).join(" and ")}.`;
}

/** What is said while it plays: it stays true as play goes on. */
function passing(runs, names) {
  if (runs.length === 1) return "Playing.";
  const { actions: [i, j], before, rounds } = runs.at(-2);
  return `Playing. Run ${runs.length - 1} ended with round ${before + rounds}: player 1 showed ` +
    `${names[i]} and player 2 ${names[j]}, for ${rounds === 1 ? "one round" : `${rounds} rounds`}.`;
}

// ---------------------------------------------------------------- the figure

function render({ model, el }) {
  const games = model.get("games");
  const given = model.get("rounds");
  let [kind, T, game, timer, rate] = [0, given, null, null, 4];
  const svg = drawing(WIDE, 344, "Play: both players' weights, the runs and the regret");
  const [boards, runChart, regretChart] = ["boards", "runs", "regret"]
    .map((part) => svg.append("g").attr("class", `ol-${part}`));
  const said = sentence();
  const table = h("div", { class: "ol-payoffs" });
  const playing = button("Play", () => (timer ? pause() : begin()));
  const names = () => [...games[kind].actions];

  function draw(quiet = false) {
    const exact = exactly(game);
    const { runs, kappa } = runsOf(exact, T);
    const path = [...runs.map((run) => run.kappa), kappa];
    const views = pictures(exact, names(), [...runs, { kappa }]);
    boards.selectAll(".ol-board").data(views)
      .join((enter) => enter.append("g").attr("class", "ol-board").call(addBoard))
      .each(function each(view) { drawBoard(d3.select(this), view, path); });
    drawRuns(runChart, runs);
    drawRegrets(regretChart, exact, runs, T);
    if (!quiet) said.say(report(runs, T, regrets(exact, runs.at(-1), T), names()));
  }

  function addBoard(g) {
    g.append("path").attr("class", "ol-area");
    g.append("path").attr("class", "ol-borders");
    g.append("path").attr("class", "ol-way");
    g.append("text").attr("class", "ol-title").attr("y", 14);
    g.append("g").attr("class", "ol-letters");
    g.append("circle").attr("class", "ol-now").attr("r", 4);
    const mark = g.append("g").attr("class", "ol-drag ol-start").attr("tabindex", 0)
      .attr("role", "slider").attr("aria-valuemin", 0).attr("aria-valuemax", 1);
    mark.append("circle").attr("class", "ol-touch").attr("r", 16);
    mark.append("circle").attr("r", 7);
    // Once, since a new behavior would not know the finger that is down.
    mark.call(d3.drag().container(svg.node())
      .on("drag", ({ x, y }, view) => start(view.moved([x, y]), true))
      .on("end", () => draw()));
  }

  function drawBoard(g, view, path) {
    const box = view.outline.match(/[\d.]+/g).map(Number);
    g.select(".ol-area").attr("d", view.outline)
      .on("click", (event) => view.moved && start(view.moved(d3.pointer(event, svg.node()))));
    g.select(".ol-borders").attr("d", view.borders.join(""));
    g.select(".ol-way").attr("class", `ol-way ol-${view.kind}`).attr("d", line(path.map(view.at)));
    g.select(".ol-title").attr("x", box[0] + SIDE / 2).text(view.title);
    g.select(".ol-letters").selectAll("text").data(view.letters).join("text")
      .attr("x", ([[x]]) => x).attr("y", ([[, y], , up]) => y + up).text(([, text]) => text);
    const place = ([x, y]) => `translate(${x},${y})`;
    g.select(".ol-now").attr("transform", place(view.at(path.at(-1))));
    const mark = g.select(".ol-start").style("display", view.moved ? null : "none");
    if (!view.moved) return;
    const here = view.at(path[0]);
    mark.attr("transform", place(here))
      .attr("aria-label", `start: ${view.title}`)
      .attr("aria-valuenow", share(path[0][0])[0].toFixed(2))
      .attr("aria-valuetext", `weights ${game.k1.join(", ")} and ${game.k2.join(", ")}`)
      .on("keydown", (event) => {
        const by = ARROWS[event.key];
        if (!by) return;
        event.preventDefault();
        start(view.moved(here.map((v, i) => v + 3 * by[i])));
      });
  }

  function start(kappa, quiet) {
    [game.k1, game.k2] = kappa.map((k) => k.map((v) => v / UNIT));
    draw(quiet);
  }

  function reach(round, quiet) {
    T = Math.max(1, Math.min(MOST_ROUNDS, round));
    draw(quiet);
  }

  function nextRun() {
    pause();
    const { runs } = runsOf(exactly(game), MOST_ROUNDS);
    const end = runs.map(({ before, rounds }) => before + rounds).find((t) => t > T);
    reach(end ?? MOST_ROUNDS);
  }

  function begin() {
    if (T === MOST_ROUNDS) T = 1;
    if (still()) return reach(MOST_ROUNDS);
    playing.textContent = "Pause";
    said.say("Playing.");
    let frames = 0;
    timer = setInterval(() => {
      reach(T + Math.max(1, Math.round((T * rate) / 100)), true);
      frames += 1;
      // Every two seconds, or nobody could read it.
      if (frames % 25 === 0) said.say(passing(runsOf(exactly(game), T).runs, names()));
      if (T === MOST_ROUNDS || !el.isConnected) pause();
    }, 80);
  }

  function pause() {
    if (!timer) return;
    clearInterval(timer);
    timer = null;
    playing.textContent = "Play";
    draw();
  }

  /** The payoffs, to be typed: in each cell player 1's and player 2's. */
  function fields() {
    const field = (M, who, i, j) => h("input", {
      type: "number", min: -WORST, max: WORST, step: 0.01, value: M[i][j],
      class: `ol-player-${who}`,
      "aria-label": `payoff of player ${who} at ${names()[i]}, ${names()[j]}`,
      input: ({ target }) => {
        if (target.value === "" || !target.checkValidity()) {
          said.say(`A payoff is a number from −${WORST} to ${WORST} with at most two decimals.`);
          return;
        }
        M[i][j] = +target.value;
        draw();
      },
    });
    const head = h("tr", {}, h("td"), ...names().map((name) => h("th", { scope: "col" }, name)));
    const rows = game.A.map((row, i) => h("tr", {}, h("th", { scope: "row" }, names()[i]),
      ...row.map((_, j) => h("td", {}, field(game.A, 1, i, j), field(game.B, 2, i, j)))));
    table.replaceChildren(h("table", {},
      h("caption", {}, "Payoffs of player 1, player 2"), head, ...rows));
  }

  function choose(index) {
    pause();
    [kind, T] = [index, given];
    game = structuredClone(games[kind]);
    fields();
    draw();
  }

  place(el,
    task("Does play come to rest, or go round?",
      "Press Play; drag the ring, where it starts, or type other payoffs."),
    h("div", { class: "ol-controls" },
      segments("Game", games.map(({ name }) => name), 0, choose)),
    table, svg.node(),
    h("div", { class: "ol-controls" },
      playing, button("One round", () => { pause(); reach(T + 1); }),
      button("One run", nextRun), button("From round 1", () => { pause(); reach(1); }),
      button("Reset", () => choose(kind)),
      slider("Speed", { min: 1, max: 10, value: rate }, (value) => { rate = value; })),
    said);
  el.classList.add("ol-fictitious");
  choose(0);
}

export default { render, play, region, weights };
