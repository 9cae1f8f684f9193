/* The reader is the weather; the forecaster keeps weights 2 ** -mistakes for its experts.

   An expert is four labels, 0 for sun and 1 for rain: what it says on an odd day after
   sun, on an odd day after rain, on an even day after sun, on an even day after rain. */

const KINDS = ["sun", "rain"];

/* ---------------------------------------------------------------- the game */

const begin = (rules) =>
  ({ day: 0, yesterday: 0, counts: rules.map(() => 0), mistakes: 0 });

/** What everybody says on a day: the experts, and the forecaster's chance of rain. */
function morning(rules, coin, { day, yesterday, counts }) {
  const advice = rules.map((rule) => +rule[2 * (day % 2) + yesterday]);
  // Whole numbers, with all their sums below 2 ** 53: a tie is a tie.
  const most = Math.max(...counts);
  const weights = counts.map((count) => 2 ** (most - count));
  const total = weights.reduce((a, b) => a + b);
  const rain = weights.reduce((sum, weight, i) => sum + advice[i] * weight, 0) / total;
  const shares = weights.map((weight) => weight / total);
  return { advice, shares, says: coin ? rain : +(rain > 0.5) };
}

/** The state after a day; the mistakes are expected ones if there is a coin. */
const evening = ({ day, counts, mistakes }, { advice, says }, outcome) => ({
  day: day + 1,
  yesterday: outcome,
  counts: counts.map((count, i) => count + (advice[i] !== outcome)),
  mistakes: mistakes + Math.abs(says - outcome),
});

const score = ({ mistakes, counts }) => mistakes - Math.min(...counts);

/** The states and mornings of some days: the last state has no morning yet. */
function history(rules, coin, weather) {
  const states = [begin(rules)], mornings = [];
  for (const outcome of weather) {
    mornings.push(morning(rules, coin, states.at(-1)));
    states.push(evening(states.at(-1), mornings.at(-1), outcome));
  }
  return { states, mornings };
}

/** A function: the best score within reach of a state, over all weathers to come.
    What lies ahead depends on the day, yesterday and the counts, and is kept for each. */
function horizon(rules, coin, rounds) {
  const known = new Map();
  const ahead = (state) => {
    if (state.day === rounds) return -Math.min(...state.counts);
    const key = `${state.day} ${state.yesterday} ${state.counts}`;
    if (!known.has(key)) {
      const today = morning(rules, coin, state);
      const values = [0, 1].map((outcome) =>
        Math.abs(today.says - outcome) + ahead(evening(state, today, outcome)));
      known.set(key, Math.max(...values));
    }
    return known.get(key);
  };
  return (state) => state.mistakes + ahead(state);
}

/** A weather with the best score of all, from its first day on. */
function perfect(rules, coin, rounds) {
  const reach = horizon(rules, coin, rounds), weather = [];
  for (let state = begin(rules); state.day < rounds; ) {
    const today = morning(rules, coin, state);
    const [sun, rain] = [0, 1].map((outcome) => evening(state, today, outcome));
    weather.push(+(reach(rain) > reach(sun) + ROUNDING));
    state = weather.at(-1) ? rain : sun;
  }
  return weather;
}

/* ---------------------------------------------------------------- words */

const forecast = (says) =>
  says === 0 || says === 1 ? KINDS[says] : `rain with ${Math.round(100 * says)}%`;

/** How a game went, so that a child understands it. */
function ending(who, coin, state, best) {
  const [mistakes, least] = [state.mistakes, Math.min(...state.counts)];
  return `${who} fooled the forecaster ${times(mistakes)}${coin ? " on average" : ""} and ` +
    `its best expert ${times(least)}: a score of ${neat(score(state))}` +
    (score(state) > best - ROUNDING ? ". Nobody can do better!"
      : `, where ${neat(best)} is possible.`);
}

/* ---------------------------------------------------------------- the figure */

/** One day of a row: a pie of the chance of rain, on a ground that says how wrong. */
const cell = (chance, wrong, more = "") => h("span", {
  class: `ol-day ${chance === 1 ? "ol-rain" : ""} ${more}`,
  style: `--chance:${chance};--wrong:${wrong}`,
});

function row(name, label, cells, mistakes, share, more = "") {
  const bar = share == null ? [] : [
    h("span", { class: "ol-share", style: `--share:${share}` }),
    h("span", {}, `${Math.round(100 * share)}%`),
  ];
  return h("tr", { class: more }, h("th", { scope: "row" }, name),
    h("td", {}, h("div", { class: "ol-days", role: "img", "aria-label": label }, ...cells)),
    h("td", {}, mistakes), h("td", {}, ...bar));
}

/** The table: a row for the weather, the forecaster and each expert. */
function board({ names, rules, rounds }, { states, mornings }, weather, costs, today) {
  const state = states.at(-1), least = Math.min(...state.counts);
  const shares = (today ?? morning(rules, 0, state)).shares;
  const rest = (first) => Array.from({ length: rounds - weather.length }, (_, i) =>
    i === 0 ? first : h("span", { class: "ol-day" }));
  const strip = (said) => [
    ...mornings.map((day, t) => cell(said(day), Math.abs(said(day) - weather[t]))),
    ...rest(today && cell(said(today), 0, "ol-today")),
  ];
  const sky = [
    ...weather.map((outcome, t) => cell(outcome, 0, costs[t] > ROUNDING ? "ol-cost" : "")),
    ...rest(h("span", { class: "ol-day ol-today" }, "?")),
  ];
  const list = (words) => words.join(", ") || "no day yet";
  const told = (said) => {
    const wrong = mornings.flatMap((day, t) => said(day) === weather[t] ? [] : [t + 1]);
    const now = today ? `; says ${forecast(said(today))} today` : "";
    return (wrong.length ? `wrong on day ${wrong.join(", ")}` : "never wrong") + now;
  };
  return h("tbody", {},
    row("the weather", list(weather.map((outcome) => KINDS[outcome])), sky, "", null),
    row("the forecaster", list(mornings.map((day) => forecast(day.says))),
      strip((day) => day.says), neat(state.mistakes), null, "ol-forecaster"),
    ...names.map((name, i) => {
      const said = (day) => day.advice[i], leads = state.counts[i] === least;
      return row(name, told(said), strip(said), state.counts[i], shares[i],
        leads ? "ol-leads" : "");
    }));
}

function render({ model, el }) {
  const [names, rules, rounds, bounds] =
    ["names", "rules", "rounds", "bounds"].map((key) => model.get(key));
  const [exampleName, example] = model.get("example");
  const reaches = [0, 1].map((kind) => horizon(rules, kind, rounds));
  const you = "You";
  let coin = 0, who = `An example: ${exampleName}`, weather = [...example];

  const said = sentence();
  const bar = meter();
  const scores = h("p", { class: "ol-scores" });
  const promise = h("p", { class: "ol-promise" });
  const table = h("table", { class: "ol-board" },
    h("caption", {}, "What each said, day by day; on an orange ground it was wrong. " +
      "The underlined days made the best score within reach smaller."),
    h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, "days"),
      h("th", { scope: "col" }, "mistakes"), h("th", { scope: "col" }, "weight"))),
    h("tbody"));
  const choices = KINDS.map((kind, outcome) =>
    button(kind, () => choose(outcome), {
      class: `ol-choice ol-${kind}`, "aria-keyshortcuts": ["ArrowLeft", "ArrowRight"][outcome],
    }));
  const again = button("Start again", () => play(you, []));
  const answer = button("Show the best", () =>
    play("This weather", perfect(rules, coin, rounds)));

  const over = () => weather.length === rounds;
  const key = () => `weather-${coin}-${rounds}-${rules}`;
  const play = (player, days) => {
    [who, weather] = [player, days];
    show();
  };
  const choose = (outcome) => play(you, [...(over() ? [] : weather), outcome]);

  function show() {
    const past = history(rules, coin, weather), state = past.states.at(-1);
    const within = past.states.map(reaches[coin]);
    const costs = weather.map((_, day) => within[day] - within[day + 1]);
    const done = over() && who === you;
    if (done && score(state) > (memory.get(key()) ?? 0)) memory.set(key(), score(state));
    const today = over() ? undefined : morning(rules, coin, state);
    table.lastChild.replaceWith(
      board({ names, rules, rounds }, past, weather, costs, today));
    showScore(score(state), within.at(-1), within[0]);
    showPromise(Math.min(...state.counts));
    // It keeps its room, so that nothing jumps under the finger.
    const poor = over() && score(state) < within[0] - ROUNDING;
    answer.style.visibility = poor ? "visible" : "hidden";
    if (done && el.contains(document.activeElement)) again.focus();
    for (const choice of choices) choice.disabled = done;
    const news = over() ? ending(who, coin, state, within[0]) : morningNews(past, costs);
    said.replaceChildren(`${news} `, h("strong", {}, invitation(done, today)));
  }

  function morningNews({ mornings }, costs) {
    if (!weather.length) return "A new game.";
    const loss = Math.abs(mornings.at(-1).says - weather.at(-1));
    const result = { 0: "It was right", 1: "Fooled" }[loss] ?? `That adds ${neat(loss)}`;
    const lost = costs.at(-1) > ROUNDING ? `, but it cost you ${neat(costs.at(-1))}` : "";
    return `${result}: day ${weather.length} had ${KINDS[weather.at(-1)]}${lost}.`;
  }

  function invitation(done, today) {
    if (done) return coin ? "" : "What if it tosses a coin?";
    const { says } = today ?? morning(rules, coin, begin(rules));
    const day = over() ? "Your turn, day 1" : `Day ${weather.length + 1}`;
    return `${day}: the forecaster says ${forecast(says)}.`;
  }

  function showScore(now, reach, best) {
    bar.show(now, best, reach, neat);
    const marks = [["score", now], ["best of all weathers", best]];
    if (!over()) marks.splice(1, 0, ["within reach", reach]);
    const record = memory.get(key());
    if (record != null) marks.push(["your record", record]);
    scores.replaceChildren(...marks.map(([name, value]) =>
      h("span", {}, `${name} `, h("b", {}, neat(value)))));
  }

  function showPromise(least) {
    const most = coin ? neat(bounds[1][least]) : Math.floor(bounds[0][least]);
    promise.textContent = `The theorem: if the best expert is fooled ${times(least)}, the ` +
      `forecaster is fooled at most ${most} times${coin ? " on average" : ""}, ` +
      "whatever the weather.";
  }

  el.addEventListener("keydown", (event) => {
    const outcome = ["ArrowLeft", "ArrowRight"].indexOf(event.key);
    const other = event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input");
    if (outcome < 0 || other || choices[outcome].disabled) return;
    event.preventDefault();
    choices[outcome].focus();
    choose(outcome);
  });
  place(el,
    task("You are the weather.",
      "Fool the forecaster more often than the best of its experts."),
    said,
    h("div", { class: "ol-controls" }, ...choices, again, answer),
    bar, scores,
    h("div", { class: "ol-controls" },
      segments("The forecaster goes by", ["the vote", "a coin"], coin, (kind) => {
        coin = kind;
        show();
      })),
    table, promise);
  el.classList.add("ol-weather");
  show();
}

export default {
  render,
  score: (rules, coin, weather) => score(history(rules, coin, weather).states.at(-1)),
  says: (rules, coin, weather) =>
    history(rules, coin, weather).mornings.map((day) => day.says),
  best: (rules, coin, rounds, weather) =>
    horizon(rules, coin, rounds)(history(rules, coin, weather).states.at(-1)),
  perfect,
};
