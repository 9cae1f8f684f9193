"""Figures with sliders: each slider changes the picture, and Play plays."""

import pytest
from built import pages_with
from playwright.sync_api import expect
from web import OF_COLORS, switch

ALONE = {"only": "figure.ol-player"}
STEP = 600  # milliseconds from frame to frame
SHOWN = """
async (image) => {
  await image.decode();
  window.pictures ??= [];
  const picture = decodeURIComponent(image.src);
  if (!pictures.includes(picture)) pictures.push(picture);
  return [pictures.indexOf(picture), image.alt];
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
# What a slider, or a choice among words, shows at each of its values, set as a finger
# or a mouse sets them; in the page, since a question from outside costs a round trip.
SWEEP = f"""
async (axis, image) => {{
  const shown = {SHOWN.strip()};
  const [slider, ...others] = axis.querySelectorAll("input");
  const words = [slider, ...others];
  const start = others.length ? words.findIndex((it) => it.checked) : +slider.value;
  const last = others.length || +slider.max;
  const frames = [];
  const show = async (value) => {{
    if (others.length) words[value].click();
    else {{
      slider.value = value;
      slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
    }}
    frames.push(await shown(image));
  }};
  for (let value = 0; value <= last; value++) await show(value);
  await show(start);
  return [start, frames];
}}
"""
# Where the controls are, in their row: none may move while the hand is on one.
PLACES = """
(figure) => {
  const row = figure.querySelector(".ol-controls").getBoundingClientRect();
  return [...figure.querySelectorAll(".ol-controls *")].map((control) => {
    const { x, y, width } = control.getBoundingClientRect();
    return [x - row.x, y - row.y, width].map(Math.round);
  });
}
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
        before = figure.evaluate(PLACES)
        for axis in figure.locator(".ol-controls > :not(button)").all():
            name = axis.locator("span, var").first.inner_text()
            with subtests.test("slider or choice", figure=number, name=name):
                each_value_has_its_picture(figure, axis)
                assert figure.evaluate(PLACES) == before
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


def each_value_has_its_picture(figure, axis):
    image = figure.locator("img").element_handle()
    start, (*frames, again) = axis.evaluate(SWEEP, image)
    frames, again = [tuple(frame) for frame in frames], tuple(again)
    assert len(frames) > 1
    assert again == frames[start]
    assert frames[1] != frames[0]
    pictures, texts = map(set, zip(*frames, strict=True))
    assert len(pictures) > 1
    # No two pictures have the same text.
    assert len(texts) == len(set(frames))
    assert all(text.strip().endswith((".", "!", "?")) for text in texts)
    # By keyboard, too.
    words = axis.get_by_role("radio")
    if words.count():
        # Two to five words stand beside each other; the one that is shown is marked.
        assert words.count() == len(frames) <= 5
        words.nth(start).press("ArrowRight")
        after = (start + 1) % len(frames)
        expect(words.nth(after)).to_be_checked()
        assert shown(figure) == frames[after]
        words.nth(after).press("ArrowLeft")
    else:
        slider = axis.get_by_role("slider")
        assert len(frames) == int(slider.get_attribute("max")) + 1
        for key, value in (("Home", 0), ("ArrowRight", 1), ("End", -1)):
            slider.press(key)
            assert shown(figure) == frames[value]
        slider.fill(str(start))
    assert shown(figure) == again


def play_moves_and_stops(page, figure):
    button = figure.get_by_role("button")
    first = figure.locator(".ol-controls > :not(button)").first
    slider = first.locator("input").first
    words = first.get_by_role("radio")
    last = (words.count() or int(slider.get_attribute("max")) + 1) - 1

    def put(value):
        if words.count():
            words.nth(value).check(force=True)
        else:
            slider.fill(str(value))

    def place():
        if words.count():
            return words.evaluate_all("all => all.findIndex((it) => it.checked)")
        return int(slider.input_value())

    put(0)
    at_start = shown(figure)
    button.click()
    page.clock.run_for(STEP)
    assert place() == 1
    assert shown(figure) != at_start
    button.click()
    page.clock.run_for(5 * STEP)
    assert place() == 1
    # At the end it stops, and the next click starts over.
    put(last - 1)
    button.click()
    page.clock.run_for(5 * STEP)
    assert place() == last
    button.click()
    assert place() == 0
    button.click()


def test_axe_of_a_player_in_use(open_page, axe):
    page = open_page(pages_with('class="ol-player"')[0], **ALONE)
    figure = figures(page)[0]
    figure.get_by_role("slider").first.press("ArrowRight")
    figure.get_by_role("radio", checked=True).press("ArrowRight")
    figure.get_by_role("button").click()
    assert axe(page, "figure.ol-player") == []
    switch(page, "dark")
    assert axe(page, "figure.ol-player", only=OF_COLORS) == []
