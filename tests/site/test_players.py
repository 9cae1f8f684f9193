"""Figures with sliders: each slider changes the picture, and Play plays."""

import pytest
from built import pages_with
from web import OF_COLORS, switch

ALONE = {"only": "figure.ol-player"}
STEP = 600  # milliseconds from frame to frame
SHOWN = """
async (image) => {
  await image.decode();
  window.pictures ??= [];
  if (!pictures.includes(image.src)) pictures.push(image.src);
  return [pictures.indexOf(image.src), image.alt];
}
"""
# The texts that the edge of a picture cuts off, in any setting of the sliders.
CUT_OFF = """
(figure) => {
  const stored = JSON.parse(figure.querySelector(".ol-pictures").textContent);
  const source = figure.querySelector("img").src;
  const first = decodeURIComponent(source.replace(/^[^,]*,/, ""));
  const elements = [...new Set(first.match(/<[^<]*/g)), ...stored.elements];
  const drawing = document.createElement("div");
  document.body.append(drawing);
  const found = stored.frames.flatMap((frame, at) => {
    drawing.innerHTML = frame.map((number) => elements[number]).join("");
    const edge = drawing.firstElementChild.getBoundingClientRect();
    const texts = [...drawing.querySelectorAll("[id^=text_]")]
      .map((text) => text.getBoundingClientRect());
    if (!texts.length) return [`frame ${at} has no text`];
    return texts
      .filter(({ left, right, top, bottom }) =>
        left < edge.left - 1 || right > edge.right + 1 ||
        top < edge.top - 1 || bottom > edge.bottom + 1)
      .map(({ x, y }) => `frame ${at}: at ${x - edge.x}, ${y - edge.y}`);
  });
  drawing.remove();
  return found;
}
"""
# What a slider shows at each of its values, set as a finger or a mouse sets them; in
# the page, since each question from outside costs a round trip.
SWEEP = f"""
async (slider, image) => {{
  const shown = {SHOWN.strip()};
  const start = slider.value;
  const frames = [];
  const show = async (value) => {{
    slider.value = value;
    slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
    frames.push(await shown(image));
  }};
  for (let value = 0; value <= Number(slider.max); value++) await show(value);
  await show(start);
  return frames;
}}
"""


def shown(figure) -> tuple[int, str]:
    """The picture, which must be one, by its number; and its alternative text."""
    return tuple(figure.locator("img").evaluate(SHOWN))


def figures(page):
    found = page.locator("figure.ol-player").all()
    assert found
    return found


@pytest.mark.parametrize("name", pages_with('class="ol-player"'))
def test_players(open_page, subtests, name):
    page = open_page(name, reduced_motion="reduce", **ALONE)
    for number, figure in enumerate(figures(page), 1):
        with subtests.test("no text is cut off", figure=number):
            assert figure.evaluate(CUT_OFF) == []
        for slider in figure.get_by_role("slider").all():
            label = slider.locator("xpath=ancestor::label").inner_text().split("\n")[0]
            with subtests.test("slider", figure=number, slider=label):
                each_value_has_its_picture(figure, slider)
    # From here on time passes only when it is told to.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    with subtests.test("nothing moves by itself"):
        before = [shown(figure) for figure in figures(page)]
        page.clock.run_for(10 * STEP)
        assert [shown(figure) for figure in figures(page)] == before
    for number, figure in enumerate(figures(page), 1):
        with subtests.test("play", figure=number):
            play_moves_and_stops(page, figure)


def each_value_has_its_picture(figure, slider):
    start = int(slider.input_value())
    image = figure.locator("img").element_handle()
    *frames, again = map(tuple, slider.evaluate(SWEEP, image))
    assert len(frames) == int(slider.get_attribute("max")) + 1 > 1
    assert again == frames[start]
    assert frames[1] != frames[0]
    pictures, texts = map(set, zip(*frames, strict=True))
    assert len(pictures) > 1
    # No two pictures have the same text.
    assert len(texts) == len(set(frames))
    assert all(text.strip().endswith((".", "!", "?")) for text in texts)
    # By keyboard, too.
    for key, value in (("Home", 0), ("ArrowRight", 1), ("End", -1)):
        slider.press(key)
        assert shown(figure) == frames[value]
    slider.fill(str(start))
    assert shown(figure) == again


def play_moves_and_stops(page, figure):
    button = figure.get_by_role("button")
    slider = figure.get_by_role("slider").first
    last = int(slider.get_attribute("max"))
    slider.fill("0")
    first = shown(figure)
    button.click()
    page.clock.run_for(STEP)
    assert slider.input_value() == "1"
    assert shown(figure) != first
    button.click()
    page.clock.run_for(5 * STEP)
    assert slider.input_value() == "1"
    # At the end it stops, and the next click starts over.
    slider.fill(str(last - 1))
    button.click()
    page.clock.run_for(5 * STEP)
    assert slider.input_value() == str(last)
    button.click()
    assert slider.input_value() == "0"
    button.click()


def test_axe_of_a_player_in_use(open_page, axe):
    page = open_page(pages_with('class="ol-player"')[0], **ALONE)
    figure = figures(page)[0]
    figure.get_by_role("slider").first.press("ArrowRight")
    figure.get_by_role("button").click()
    assert axe(page, "figure.ol-player") == []
    switch(page, "dark")
    assert axe(page, "figure.ol-player", only=OF_COLORS) == []
