/* A figure with sliders: one picture and one sentence for each setting. */
for (const figure of document.querySelectorAll(".ol-player:not([data-ready])")) {
  figure.dataset.ready = "";
  const find = (selector) => figure.querySelector(selector);
  const [picture, said, play] = [find("img"), find(".ol-said"), find(".ol-play")];
  const controls = find(".ol-controls");
  const read = (selector) => JSON.parse(find(selector).textContent);
  const sentences = read(".ol-sentences");
  const { elements, frames } = read(".ol-pictures");
  // The elements of the picture that is there are the first ones.
  const shown = decodeURIComponent(picture.getAttribute("src").replace(/^[^,]*,/, ""));
  elements.unshift(...new Set(shown.match(/<[^<]*/g)));
  let timer = null;

  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // A symbol is in italics, a word is not.
  const named = (name) => element(name.length > 1 ? "span" : "var", {}, name);

  const slider = ({ name, texts, at }) => {
    const range = { type: "range", min: 0, max: texts.length - 1, value: at };
    const input = element("input", range);
    const output = element("output");
    // As wide as the longest value: the slider must not move under the finger.
    output.style.minWidth = `${Math.max(...texts.map((text) => text.length))}ch`;
    controls.append(element("label", {}, named(name), input, output));
    return {
      get: () => +input.value,
      set: (value) => (input.value = value),
      say: () => {
        output.textContent = texts[input.value];
        input.setAttribute("aria-valuetext", texts[input.value]);
      },
    };
  };

  const choice = ({ name, texts, at }) => {
    const group = `${Math.random()}`; // another figure may have the same names
    const inputs = texts.map((_, i) =>
      element("input", { type: "radio", name: group, checked: i === at }),
    );
    const labels = texts.map((text, i) =>
      element("label", {}, inputs[i], element("span", {}, text)),
    );
    const buttons = element("div", { className: "ol-choice", role: "radiogroup" });
    buttons.setAttribute("aria-label", name);
    buttons.append(...labels);
    controls.append(element("div", { className: "ol-words" }, named(name), buttons));
    return {
      get: () => inputs.findIndex((input) => input.checked),
      set: (value) => (inputs[value].checked = true),
      say: () => {},
    };
  };

  const made = read(".ol-axes").map((axis) => {
    const few = axis.words && axis.texts.length <= 5;
    return { last: axis.texts.length - 1, ...(few ? choice(axis) : slider(axis)) };
  });
  const leading = made[0];

  const show = () => {
    // The last slider runs fastest through the frames, as in itertools.product.
    const at = made.reduce((n, axis) => n * (axis.last + 1) + axis.get(), 0);
    const svg = frames[at].map((number) => elements[number]).join("");
    picture.src = "data:image/svg+xml," + encodeURIComponent(svg);
    said.textContent = picture.alt = sentences[at];
    // Once high, always high: the page below must not jump.
    said.style.minHeight = `${said.offsetHeight}px`;
    for (const axis of made) axis.say();
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
    said.setAttribute("aria-live", "polite");
  };

  const step = () => {
    // A figure that has left the page (a cell run again) must not tick on.
    if (!figure.isConnected || leading.get() === leading.last) return stop();
    leading.set(leading.get() + 1);
    show();
  };

  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (leading.get() === leading.last) leading.set(0);
    play.textContent = "❚❚ Pause";
    said.setAttribute("aria-live", "off"); // a screen reader could not keep up
    show();
    timer = setInterval(step, 600);
  });
  controls.addEventListener("input", () => {
    stop();
    show();
  });
  for (const axis of made) axis.say();
  controls.hidden = false;
}
