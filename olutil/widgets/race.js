/* Three learners with the same weights, on a stream of advice that the reader paints.

   A penalty is a whole number of twentieths, a set of wrong experts the bits of a number,
   and the learners stand in the order of LEARNERS. */

const STEPS = 20;
const LEARNERS = ["majority", "randomized", "improved"];
const COLORS = ["#d55e00", "#0072b2", "#e69f00"];

/* ---------------------------------------------------------------- the game */

/** The weights of experts with 0, 1, ..., rounds mistakes, as whole numbers: exact. */
const weightsOf = (step, rounds) => Array.from({ length: rounds + 1 }, (_, count) =>
  BigInt(step) ** BigInt(count) * BigInt(STEPS) ** BigInt(rounds - count));

/** The improved algorithm's chance of a mistake where this share of the weight is wrong. */
function curve(share, beta) {
  if (share === 0 || share === 1) return share;
  const [wrong, right] = [share, 1 - share].map((part) => Math.log1p(-part * (1 - beta)));
  return wrong / (wrong + right);
}

/** Each learner's chance of a mistake, if these experts are wrong. */
function losses(weights, counts, wrong, outcome, beta) {
  let bad = 0n, all = 0n;
  counts.forEach((count, i) => {
    all += weights[count];
    if (wrong >> i & 1) bad += weights[count];
  });
  const share = Number(bad) / Number(all);
  // At a tie the vote says 0.
  const errs = 2n * bad > all || (2n * bad === all && outcome === 1);
  return [+errs, share, curve(share, beta)];
}

const wrongOnes = (advice, outcome) =>
  advice.reduce((wrong, says, i) => wrong | (says !== outcome) << i, 0);
const charge = (counts, wrong) => counts.map((count, i) => count + (wrong >> i & 1));

/** The experts' counts after the stream, and the learners' chances in each round. */
function run(advice, outcomes, step) {
  const weights = weightsOf(step, outcomes.length);
  let counts = advice[0].map(() => 0);
  const chances = outcomes.map((outcome, t) => {
    const wrong = wrongOnes(advice[t], outcome);
    const lost = losses(weights, counts, wrong, outcome, step / STEPS);
    counts = charge(counts, wrong);
    return lost;
  });
  const mistakes = LEARNERS.map((_, k) => chances.reduce((sum, lost) => sum + lost[k], 0));
  return { counts, chances, mistakes };
}

/* ---------------------------------------------------------------- the worst case */

/** The states are the sorted counts.  Move s * 2**n + wrong leads from state s to
    `next` of it, where the bits of `wrong` are places in the sorted order.  A state's
    `lower` one, if all counts can be one less, comes before it. */
function statesOf(n, rounds) {
  const states = [], places = new Map(), next = [];
  const fill = (counts) => {
    if (counts.length === n) places.set(counts.join(), states.push(counts) - 1);
    else for (let c = counts.at(-1) ?? 0; c <= rounds; c += 1) fill([...counts, c]);
  };
  fill([]);
  for (const counts of states) {
    for (let wrong = 0; wrong < 2 ** n; wrong += 1) {
      const after = charge(counts, wrong).sort((a, b) => a - b);
      next.push(places.get(after.join()) ?? -1);
    }
  }
  const lower = states.map((counts) => places.get(counts.map((c) => c - 1).join()));
  return { n, rounds, states, next, lower };
}

/** For each learner: what each move costs, and for each number of rounds and state the
    most mistakes of all streams that lead there. */
function programs({ n, rounds, states, next, lower }, step) {
  const weights = weightsOf(step, rounds);
  const costs = LEARNERS.map(() => new Float64Array(next.length));
  next.forEach((to, move) => {
    if (to < 0) return;
    const wrong = move % 2 ** n, state = move >> n;
    // Only differences of counts matter.
    const same = lower[state] * 2 ** n + wrong;
    const lost = lower[state] == null
      ? losses(weights, states[state], wrong, 1, step / STEPS)
      : costs.map((cost) => cost[same]);
    costs.forEach((cost, k) => {
      cost[move] = lost[k];
    });
  });
  return costs.map((cost) => {
    const nowhere = () => new Float64Array(states.length).fill(-Infinity);
    const most = [nowhere()];
    most[0][0] = 0;
    for (let t = 0; t < rounds; t += 1) {
      most.push(nowhere());
      for (let move = 0; move < next.length; move += 1) {
        const to = next[move], value = most[t][move >> n] + cost[move];
        if (to >= 0 && value > most[t + 1][to]) most[t + 1][to] = value;
      }
    }
    return { cost, most };
  });
}

/** The most mistakes for each number of mistakes of the best expert. */
function byBest({ rounds, states }, { most }) {
  const worst = Array(rounds + 1).fill(0);
  states.forEach(([best], s) => {
    worst[best] = Math.max(worst[best], most[rounds][s]);
  });
  return worst;
}

/** A stream with the most mistakes beyond the best expert's. */
function worstStream({ n, rounds, states, next }, { cost, most }) {
  const beyond = states.map(([best], s) => most[rounds][s] - best);
  let state = beyond.indexOf(Math.max(...beyond));
  const moves = [];
  for (let t = rounds; t > 0; t -= 1) {
    moves.unshift(next.findIndex((to, move) =>
      to === state && most[t - 1][move >> n] + cost[move] === most[t][state]));
    state = moves[0] >> n;
  }
  let counts = states[state];
  const advice = moves.map((move) => {
    const order = counts.map((_, i) => i).sort((i, j) => counts[i] - counts[j]);
    const says = counts.map((_, i) => 1 - (move >> order.indexOf(i) & 1));
    counts = charge(counts, wrongOnes(says, 1));
    return says;
  });
  return [advice, advice.map(() => 1)];
}

/* ---------------------------------------------------------------- the figure */

const expert = (i) => String.fromCharCode(65 + i);

/** A row of the figure: a name, a cell for each round, and a number. */
function row(name, cells) {
  const count = h("span", { class: "ol-count" });
  const element = h("div", { class: "ol-row", role: "group", "aria-label": name },
    h("span", {}, name), h("div", { class: "ol-days" }, ...cells), count);
  return { element, cells, count };
}

/** The painted stream: a row of toggles for each expert and one for the outcomes.
    `paint` is told row, round and bit, `finished` that the hand has been lifted. */
function canvas(n, rounds, paint, finished) {
  const rows = Array.from({ length: n + 1 }, (_, i) =>
    row(i < n ? `expert ${expert(i)}` : "outcome", Array.from({ length: rounds }, (_, t) =>
      h("button", {
        type: "button", class: "ol-bit", tabindex: i + t ? -1 : 0, "data-at": `${i},${t}`,
      }))));
  const cell = (i, t) => rows[i]?.cells[t];
  const at = (target) => target?.dataset?.at?.split(",").map(Number);
  const flipped = (place) => 1 - cell(...place).textContent;
  let bit = null; // what the finger paints
  const element = h("div", {
    class: "ol-paint",
    pointerdown: (event) => {
      const place = at(event.target);
      if (!place || event.button) return;
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      bit = flipped(place);
      cell(...place).focus({ preventScroll: true });
      paint(...place, bit);
    },
    pointermove: (event) => {
      const below = document.elementFromPoint(event.clientX, event.clientY);
      if (bit != null && element.contains(below) && at(below)) paint(...at(below), bit);
    },
    lostpointercapture: () => {
      bit = null;
      finished();
    },
    click: (event) => { // by Enter or Space; what a pointer clicks is painted already
      if (event.detail || !at(event.target)) return;
      paint(...at(event.target), flipped(at(event.target)));
      finished();
    },
  }, ...rows.map((each) => each.element));
  rove(element);
  const show = (advice, outcomes, counts) => rows.forEach(({ cells, count }, i) => {
    cells.forEach((each, t) => {
      const says = i < n ? advice[t][i] : outcomes[t], wrong = says !== outcomes[t];
      const name = i < n ? `${expert(i)} says ${says}` : `the outcome is ${says}`;
      each.textContent = says;
      each.style.setProperty("--wrong", +wrong);
      each.setAttribute("aria-pressed", says === 1);
      each.setAttribute("aria-label", `round ${t + 1}: ${name}${wrong ? ", wrong" : ""}`);
    });
    count.textContent = counts[i] ?? "";
  });
  return { element, show };
}

/** What the stream costs each learner, round by round. */
function bill(rounds) {
  const rows = LEARNERS.map((name) =>
    row(name, Array.from({ length: rounds }, () => h("span", { class: "ol-bit" }))));
  const show = ({ chances, mistakes }) => rows.forEach(({ cells, count }, k) => {
    cells.forEach((each, t) => {
      each.textContent = neat(chances[t][k]).replace("0.", ".");
      each.style.setProperty("--wrong", chances[t][k]);
    });
    count.textContent = neat(mistakes[k]);
  });
  return { element: h("div", {}, ...rows.map((each) => each.element)), show };
}

/** A learner's row: its mistakes between the best expert's, the worst case, the bound. */
function lane(k, rounds, best, now, worst, bound) {
  const part = (x) => `${100 * Math.min(1, x / rounds)}%`;
  const style = `--best:${part(best)};--now:${part(now)};--worst:${part(worst)};` +
    `--bound:${part(bound)};--color:${COLORS[k]}`;
  return h("tr", {}, h("th", { scope: "row" }, LEARNERS[k]),
    h("td", {}, h("div", { class: "ol-lane", style },
      h("i", { class: "ol-worst" }), h("i", { class: "ol-bound", hidden: bound > rounds }))),
    ...[now, worst, bound].map((x) => h("td", {}, neat(x))));
}

function render({ model, el }) {
  const [start, bounds] = ["start", "bounds"].map((key) => model.get(key));
  let { advice, outcomes, step } = structuredClone(start);
  const n = advice[0].length, rounds = outcomes.length;
  const plan = statesOf(n, rounds), known = new Map();
  const program = () => {
    if (!known.has(step)) known.set(step, programs(plan, step));
    return known.get(step);
  };
  let target = 0;

  const said = sentence(), bar = meter(), excess = h("p", { class: "ol-excess" });
  const painted = canvas(n, rounds, (i, t, bit) => {
    if (i < n) advice[t][i] = bit;
    else outcomes[t] = bit;
    draw();
  }, () => tell());
  const paid = bill(rounds);
  const caption = h("caption");
  const table = h("table", { class: "ol-board ol-lanes" }, caption,
    h("thead", {}, h("tr", {}, h("td", {}), h("td", {}),
      ...["mistakes", "most", "bound"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody"));

  let game;
  function draw() {
    game = run(advice, outcomes, step);
    const best = Math.min(...game.counts);
    painted.show(advice, outcomes, game.counts);
    paid.show(game);
    bar.show(beyond(), goal(), goal(), neat);
    excess.textContent = `Mistakes beyond the best expert’s: ${neat(beyond())}, where the ` +
      `worst of all streams has ${neat(goal())}`;
    caption.textContent = "Mistakes (bar), the most on any stream whose best expert errs " +
      `${times(best)} (thick mark), and the bound for such streams (thin mark)`;
    table.lastChild.replaceChildren(...LEARNERS.map((_, k) => lane(k, rounds, best,
      game.mistakes[k], byBest(plan, program()[k])[best], bounds[k][step - 1][best])));
  }
  const beyond = () => game.mistakes[target] - Math.min(...game.counts);
  const goal = () => Math.max(...byBest(plan, program()[target]).map((most, m) => most - m));
  function tell() {
    const more = beyond(), most = goal();
    said.say(`The best expert errs ${times(Math.min(...game.counts))} and the ` +
      `${LEARNERS[target]} learner ${times(game.mistakes[target])}, ` +
      `${neat(Math.abs(more))} ${more < 0 ? "less" : "more"}. ` +
      (more > most - ROUNDING ? "No stream is worse!"
        : `The worst of all streams makes it ${neat(most)} more.`));
  }
  const show = () => {
    draw();
    tell();
  };

  place(el,
    task("Paint a stream that is as bad as you can.",
      "Draw over what the experts say, and over the outcomes."),
    h("div", { class: "ol-controls" },
      segments("Bad for", ["majority", "randomized", "improved"], target, (k) => {
        target = k;
        show();
      }),
      slider("β", { min: 1, max: STEPS - 1, value: step, text: (k) => neat(k / STEPS) }, (k) => {
        step = k;
        show();
      })),
    painted.element, paid.element, said, excess, bar,
    h("div", { class: "ol-controls" },
      button("Show the worst", () => {
        [advice, outcomes] = worstStream(plan, program()[target]);
        show();
      }),
      button("Start again", () => {
        ({ advice, outcomes } = structuredClone(start));
        show();
      })),
    table);
  el.classList.add("ol-race");
  draw();
  said.say("Begin with a stroke along a row: it flips what the cells say. On the worst of " +
    `all streams the ${LEARNERS[target]} learner errs ${times(goal())} more than the best ` +
    "expert.");
}

export default {
  render,
  mistakes: (advice, outcomes, step) => run(advice, outcomes, step).mistakes,
  worst: (n, rounds, step) => {
    const plan = statesOf(n, rounds);
    return programs(plan, step).map((program) => byBest(plan, program));
  },
  worstStream: (n, rounds, step, k) => {
    const plan = statesOf(n, rounds);
    return worstStream(plan, programs(plan, step)[k]);
  },
};
