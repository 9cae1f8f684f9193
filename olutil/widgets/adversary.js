/* Two games on a concept class: the reader predicts and a mistake tree answers, or the
   Standard Optimal Algorithm predicts and the reader answers. */
for (const game of document.querySelectorAll(
  ".ol-game:is([data-game=adversary], [data-game=learner]):not([data-ready])",
)) {
  game.dataset.ready = "";
  const find = (selector) => game.querySelector(selector);
  const all = (selector) => [...game.querySelectorAll(selector)];
  const table = JSON.parse(find("script").textContent);
  const { concepts, points, rows, opt } = table;
  const readerPredicts = table.game === "adversary";
  const turn = find(".ol-turn");
  const choices = all("[data-label]");
  const again = find("[data-again]");
  let now; // the state of the game

  const mistakes = (n) => `${n} ${n === 1 ? "mistake" : "mistakes"}`;
  const ask = () => `Your turn: predict the label of point ${points[now.point]}.`;
  const agrees = (label) =>
    rows.some((row, i) => now.alive[i] === "1" && row[now.point] === label);
  const dimension = () => table.spaces[now.alive][0];
  const prediction = () => table.spaces[now.alive][1][now.point];

  /* The focus must not be lost with a button that can no longer be pressed. */
  const show = (news, request, focus) => {
    const held = game.contains(document.activeElement);
    const strong = document.createElement("strong");
    strong.textContent = request;
    turn.replaceChildren(news, " ", strong);
    game.dataset.rounds = now.rounds;
    game.dataset.mistakes = now.mistakes;
    game.dataset.over = now.over;
    for (const button of all("[data-point]")) {
      button.disabled = now.over;
      button.setAttribute("aria-pressed", +button.dataset.point === now.point);
    }
    for (const button of choices) {
      const label = button.dataset.label;
      button.disabled =
        now.over || now.point === null || !(readerPredicts || agrees(label));
    }
    all(".ol-concepts tr").forEach((row, i) => {
      const cells = [...row.cells];
      cells.forEach((cell, j) => cell.classList.toggle("ol-here", j - 1 === now.point));
      if (i === 0) return;
      const alive = now.alive[i - 1] === "1";
      row.classList.toggle("ol-out", !alive);
      cells.at(-1).textContent = alive ? "✓" : "✗";
    });
    if (held) (now.over ? again : focus ?? choices.find((b) => !b.disabled)).focus();
  };

  const start = () => {
    const everything = "1".repeat(rows.length);
    now = { alive: everything, rounds: 0, mistakes: 0, path: "", over: false };
    now.node = table.tree;
    now.point = readerPredicts ? now.node[0] : null;
    find(".ol-rounds tbody").replaceChildren();
    if (readerPredicts) {
      find(".ol-tree").hidden = true;
      show("", ask());
    } else {
      show("", "Your turn: choose a point.", find("[data-point]"));
    }
  };

  /* One round of the protocol, whoever predicts. */
  const play = (predicted, label) => {
    const erred = predicted !== label;
    now.rounds += 1;
    now.mistakes += erred;
    now.alive = rows
      .map((row, i) => (row[now.point] === label ? now.alive[i] : "0"))
      .join("");
    const entries = [points[now.point], predicted, label, erred ? now.mistakes : "–"];
    if (!readerPredicts) entries.push(dimension());
    const row = find(".ol-rounds tbody").insertRow();
    for (const entry of entries) row.insertCell().textContent = entry;
    row.classList.toggle("ol-erred", erred);
  };

  const predict = (label) => {
    const told = label === "0" ? "1" : "0";
    play(label, told);
    now.path += told;
    now.node = now.node[1 + +told];
    const news = `You said ${label}, it is ${told}: a mistake.`;
    if (Array.isArray(now.node)) {
      now.point = now.node[0];
      show(news, ask());
      return;
    }
    now.over = true;
    now.point = null;
    showTree();
    show(
      `${news} Nobody cheated: ${concepts[now.node]} agrees with every label. ` +
        "Predict as you like, every path down the tree is as long.",
      `You made ${mistakes(now.mistakes)}, and opt(C) = ${opt}.`,
    );
  };

  const showTree = () => {
    const tree = find(".ol-tree");
    for (const part of tree.querySelectorAll("[data-path]")) {
      part.classList.toggle("ol-taken", now.path.startsWith(part.dataset.path));
    }
    const steps = [...find(".ol-rounds tbody").rows].map(
      ({ cells }) => `point ${cells[0].textContent}, label ${cells[2].textContent}`,
    );
    tree.querySelector("svg").setAttribute(
      "aria-label",
      `A complete mistake tree of depth ${opt}. Your path: ${steps.join("; ")}; ` +
        `leaf ${concepts[now.node]}.`,
    );
    tree.hidden = false;
  };

  const choosePoint = (point) => {
    now.point = point;
    const impossible = ["0", "1"].find((label) => !agrees(label));
    const reason = impossible
      ? ` ${impossible} is not allowed: no concept that is left says so.`
      : "";
    show(
      `At point ${points[point]} it predicts ${prediction()}.${reason}`,
      "Your turn: choose the label.",
    );
  };

  const answer = (label) => {
    const predicted = prediction();
    const before = now.mistakes + dimension();
    const used = find(`[data-point="${now.point}"]`);
    play(predicted, label);
    now.point = null;
    now.over = dimension() === 0;
    if (now.mistakes + dimension() < before) now.lost ??= now.rounds;
    const news =
      `It said ${predicted}, you say ${label}: ` +
      `${predicted === label ? "no mistake" : "a mistake"}.`;
    if (!now.over) {
      const room = `${mistakes(now.mistakes)} made, ${dimension()} more to be had.`;
      show(`${news} ${room}`, "Your turn: choose a point.", used);
      return;
    }
    const why =
      now.mistakes === opt
        ? "No stream does better."
        : `From round ${now.lost} on, ${opt} were out of reach: ` +
          "there the dimension fell by more than the mistakes rose.";
    show(
      `${news} One concept is left. ${why}`,
      `You forced ${mistakes(now.mistakes)}, and opt(C) = ${opt}.`,
    );
  };

  for (const button of choices) {
    button.addEventListener("click", () => {
      (readerPredicts ? predict : answer)(button.dataset.label);
    });
  }
  for (const button of all("[data-point]")) {
    button.addEventListener("click", () => choosePoint(+button.dataset.point));
  }
  again.addEventListener("click", start);
  game.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = { ArrowLeft: "0", ArrowRight: "1" }[event.key] ?? event.key;
    // While a point is to be chosen, digits are points.
    const kind = now.point === null ? "point" : "label";
    const button = all(`[data-${kind}]`).find((b) => b.dataset[kind] === key);
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  });
  start();
  find(".ol-controls").hidden = false;
}
