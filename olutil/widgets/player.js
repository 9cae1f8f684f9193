/* A figure with sliders: one picture and one sentence for each setting. */
for (const figure of document.querySelectorAll(".ol-player:not([data-ready])")) {
  figure.dataset.ready = "";
  const find = (selector) => figure.querySelector(selector);
  const [picture, said, play] = [find("img"), find(".ol-said"), find(".ol-play")];
  const read = (selector) => JSON.parse(find(selector).textContent);
  const sentences = read(".ol-sentences");
  const { elements, frames } = read(".ol-pictures");
  // The elements of the picture that is there are the first ones.
  const first = decodeURIComponent(picture.getAttribute("src").replace(/^[^,]*,/, ""));
  elements.unshift(...new Set(first.match(/<[^<]*/g)));
  const sliders = [...figure.querySelectorAll("input")];
  const outputs = [...figure.querySelectorAll("output")];
  const values = sliders.map((slider) => JSON.parse(slider.dataset.values));
  let timer = null;

  const show = () => {
    // The last slider runs fastest through the frames, as in itertools.product.
    const at = sliders.reduce((n, slider) => n * (+slider.max + 1) + +slider.value, 0);
    const svg = frames[at].map((number) => elements[number]).join("");
    picture.src = "data:image/svg+xml," + encodeURIComponent(svg);
    said.textContent = picture.alt = sentences[at];
    // Once high, always high: the page below must not jump.
    said.style.minHeight = `${said.offsetHeight}px`;
    sliders.forEach((slider, i) => {
      const value = values[i][slider.value];
      outputs[i].textContent = value;
      slider.setAttribute("aria-valuetext", value);
    });
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
    said.setAttribute("aria-live", "polite");
  };

  const step = () => {
    // A figure that has left the page (a cell run again) must not tick on.
    const first = sliders[0];
    if (!figure.isConnected || first.value === first.max) return stop();
    first.value = +first.value + 1;
    show();
  };

  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (sliders[0].value === sliders[0].max) sliders[0].value = 0;
    play.textContent = "❚❚ Pause";
    said.setAttribute("aria-live", "off"); // a screen reader could not keep up
    show();
    timer = setInterval(step, 600);
  });
  for (const slider of sliders) {
    slider.addEventListener("input", () => {
      stop();
      show();
    });
  }
  show(); // a browser may have kept a slider's place from the last visit
  find(".ol-controls").hidden = false;
}
