/* The reader is the weather; Weighted Majority with beta = 1/2 predicts it. */
for (const game of document.querySelectorAll(
  ".ol-game[data-game=weather]:not([data-ready])",
)) {
  game.dataset.ready = "";
  const find = (selector) => game.querySelector(selector);
  const all = (selector) => [...game.querySelectorAll(selector)];
  const { rules, rounds, bounds } = JSON.parse(find("script").textContent);
  const words = ["sun", "rain"];
  const experts = all(".ol-experts tbody tr");
  const choices = all("[data-label]");
  let weather, counts, mistakes, history; // history: [mistakes, best expert's, bound]

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const percent = (part) => `${Math.round(100 * part)}%`;

  /* Day, yesterday's weather, what the experts say today, their weights, and the vote.
     Weights are whole numbers, 2 ** -count times a common factor, so a tie is a tie. */
  const today = () => {
    const yesterday = weather.at(-1) ?? 0;
    const advice = rules.map((rule) => +rule[2 * (weather.length % 2) + yesterday]);
    const most = Math.max(...counts);
    const weights = counts.map((count) => 2 ** (most - count));
    const rain = sum(weights.filter((_, i) => advice[i] === 1));
    const total = sum(weights);
    return { advice, weights, rain: rain / total, says: +(2 * rain > total) };
  };

  const line = (column, top) =>
    history
      .map((entry, day) => {
        const x = 28 + (304 * day) / rounds;
        const y = 170 - (160 * entry[column]) / top;
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      })
      .join(" ");

  const draw = () => {
    const top = Math.max(rounds, ...history.map((entry) => entry[2]));
    const [M, m, bound] = history.at(-1);
    const svg = find(".ol-chart svg");
    svg.innerHTML = `
      <path class="ol-axes" d="M28 6V170H334"/>
      <text x="24" y="${174 - (160 * rounds) / top}" text-anchor="end">${rounds}</text>
      <text x="24" y="174" text-anchor="end">0</text>
      <text x="34" y="14">mistakes</text>
      <text x="332" y="185" text-anchor="end">day ${rounds}</text>
      <polyline class="ol-bound" points="${line(2, top)}"/>
      <polyline class="ol-best" points="${line(1, top)}"/>
      <polyline class="ol-wma" points="${line(0, top)}"/>`;
    svg.setAttribute(
      "aria-label",
      `After ${weather.length} of ${rounds} days: Weighted Majority ${M} mistakes, ` +
        `best expert ${m}, bound ${bound.toFixed(2)}.`,
    );
    const shown = [M, m, bound.toFixed(2)];
    all(".ol-chart b").forEach((number, i) => (number.textContent = shown[i]));
  };

  const show = (news) => {
    const { advice, weights, rain, says } = today();
    const over = weather.length === rounds;
    const [M, m, bound] = history.at(-1);
    Object.assign(game.dataset, { rounds: weather.length, mistakes, over });
    game.dataset.forecast = over ? "" : says;
    const held = game.contains(document.activeElement);
    const day = weather.length + 1;
    const votes =
      rain === 0.5
        ? "Half of the weight is for rain: a tie, and then it says sun."
        : `Now ${percent(rain)} of the weight is for rain.`;
    const strong = document.createElement("strong");
    strong.textContent = over
      ? `You forced ${M} mistakes, and the best expert made ${m}.`
      : `Day ${day}, your turn: Weighted Majority says ${words[says]}.`;
    find(".ol-turn").replaceChildren(
      over
        ? `${news} With ${m} the theorem allows ${Math.floor(bound)}, and at no time ` +
            "was there more: what hurts the vote hurts the experts it follows. "
        : `${news} ${votes} `,
      strong,
    );
    const total = sum(weights);
    const least = Math.min(...counts);
    experts.forEach((row, i) => {
      const [said, share, errors] = [...row.cells].slice(1);
      said.textContent = over ? "" : words[advice[i]];
      share.firstElementChild.style.width = `${(60 * weights[i]) / total}%`;
      share.lastElementChild.textContent = percent(weights[i] / total);
      errors.textContent = row.dataset.count = counts[i];
      row.classList.toggle("ol-leads", counts[i] === least);
    });
    for (const button of choices) button.disabled = over;
    if (held && over) find("[data-again]").focus();
    draw();
  };

  const start = () => {
    weather = [];
    counts = rules.map(() => 0);
    mistakes = 0;
    history = [[0, 0, bounds[0]]];
    const held = game.contains(document.activeElement);
    show("Yesterday was sunny.");
    if (held) choices[0].focus();
  };

  const choose = (outcome) => {
    const { advice, says } = today();
    counts = counts.map((count, i) => count + (advice[i] !== outcome));
    mistakes += says !== outcome;
    weather.push(outcome);
    const m = Math.min(...counts);
    history.push([mistakes, m, bounds[m]]);
    show(`${says === outcome ? "It was right" : "It erred"}: ${words[outcome]}.`);
  };

  for (const button of choices) {
    button.addEventListener("click", () => choose(+button.dataset.label));
  }
  find("[data-again]").addEventListener("click", start);
  game.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = { ArrowLeft: "0", ArrowRight: "1" }[event.key] ?? event.key;
    const button = choices.find((b) => b.dataset.label === key);
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  });
  start();
  find(".ol-controls").hidden = false;
}
