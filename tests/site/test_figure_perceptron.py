"""The Perceptron's figure: its numbers beside olutil's, and how it is driven."""

from fractions import Fraction
from math import gcd

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil import play
from olutil.linear import Perceptron, sign
from olutil.margins import margin
from olutil.theorems import bound

PAGE = "lectures/cos511-perceptron"
ONLY = ".ol-figure[data-figure=perceptron]"
MOST = 150  # mistakes after which the passes stop in these tests


def some_examples(seed, sets, size):
    """Sets of examples, labeled by a line through 0, and now and then by a coin.

    Some are at few places, so on the weights' line, at 0, and on each other.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(-35, 36, size=(sets, size, 2))
    X[::3] = rng.integers(-3, 4, size=X[::3].shape)
    u = rng.integers(-9, 10, size=(sets, 1, 2))
    labels = sign((u * X).sum(axis=-1), zero=1)
    coin = rng.choice([-1, 1], size=labels.shape)
    return X, np.where(np.arange(sets)[:, None] % 8, labels, coin)


def as_lists(*arrays):
    """The arguments of each call."""
    return [list(each) for each in zip(*(a.tolist() for a in arrays), strict=True)]


CASES = [some_examples(size, 160, size) for size in (1, 2, 5, 8)]


@pytest.mark.parametrize("X, y", CASES, ids=lambda of: str(of.shape[1]))
def test_the_mistakes_are_those_of_olutil(computed, X, y):
    """Weights after each mistake, and when it comes, for as long as passes are made."""
    rounds = 60 * X.shape[1]
    stream = [(X[:, t % X.shape[1]], y[:, t % X.shape[1]]) for t in range(rounds)]
    games = play(Perceptron(2), stream, watch=lambda learner: learner.w)
    found = computed("perceptron", "run", [[*each, MOST] for each in as_lists(X, y)])
    for i, mistakes in enumerate(found):
        in_time = [m for m in mistakes if m["round"] < rounds]
        at = np.flatnonzero(games.losses[:, i])[:MOST]
        assert [m["round"] for m in in_time] == at.tolist()
        assert [m["w"] for m in in_time] == games.states[at + 1, i].tolist()
        # A pass without a mistake ends it, and nothing else but their number.
        assert len(mistakes) == MOST or (y[i] * (X[i] @ (mistakes[-1]["w"])) > 0).all()


@pytest.mark.parametrize("X, y", CASES, ids=lambda of: str(of.shape[1]))
def test_margin_and_bound_are_those_of_olutil(computed, X, y):
    separable = 0
    for i, found in enumerate(computed("perceptron", "best", as_lists(X, y))):
        try:
            exact = margin(X[i], y[i])
        except ValueError:
            assert found is None
            continue
        separable += 1
        *u, least = map(int, (*found["u"], found["least"]))
        assert Fraction(least**2, u[0] ** 2 + u[1] ** 2) == exact.squared
        assert tuple(c // gcd(*u) for c in u) == exact.normal
        limit = bound("cos511-ass-norm", X=X[i], y=y[i], u=np.array(u))
        assert found["bound"] == pytest.approx(limit, rel=1e-12)
    assert separable > 80


def test_what_a_separator_proves_is_the_theorem(computed):
    X, y = CASES[2]
    u = np.random.default_rng(1).normal(size=(len(X), 2))
    least = (y * (X @ u[..., None])[..., 0]).min(axis=1)
    assert (least > 0).sum() > 5
    for i, found in enumerate(computed("perceptron", "proves", as_lists(u, X, y))):
        assert found["least"] == pytest.approx(least[i], rel=1e-9)
        if least[i] > 0:
            limit = bound("cos511-ass-norm", X=X[i], y=y[i], u=u[i])
            assert found["bound"] == pytest.approx(limit, rel=1e-12)


def test_points_stay_on_the_grid_and_in_the_disc(computed):
    places = np.random.default_rng(2).uniform(-120, 120, size=(500, 2))
    found = np.array(computed("perceptron", "inDisc", [[x] for x in places.tolist()]))
    size = np.linalg.norm(found, axis=1)
    inside = np.linalg.norm(places, axis=1) < 49
    assert size.max() <= 50 and inside.sum() > 50
    assert (found[inside] == np.rint(places[inside])).all()
    assert size[np.linalg.norm(places, axis=1) > 52].min() > 48


# ---------------------------------------------------------------- on its page

SEEN = """
(figure) => {
  const label = (g) => g.getAttribute("aria-label");
  return {
    said: figure.querySelector(".ol-said").textContent,
    counts: figure.querySelector(".ol-counts").textContent,
    step: figure.querySelector("output").textContent,
    examples: [...figure.querySelectorAll("g[role=button]")].map(label),
    margin: figure.querySelector("g[role=slider]").ariaValueText,
  };
}
"""

# Words of a drawing that its edge cuts off.
CUT_OFF = """
(figure) => [...figure.querySelectorAll("svg text")].filter((text) => {
  const { left, right, bottom, width } = text.getBoundingClientRect();
  const page = text.ownerSVGElement.getBoundingClientRect();
  return width && (left < page.left || right > page.right || bottom > page.bottom);
}).map((text) => text.textContent)
"""


class Figure:
    """The figure on its page, and a count of what it has said."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(ONLY)
        self.root.scroll_into_view_if_needed()
        self.root.evaluate("""(figure) => {
          window.times = 0;
          const count = new MutationObserver(() => { window.times += 1; });
          count.observe(figure.querySelector(".ol-said"), { childList: true });
        }""")

    def see(self, times=None):
        """What is seen, after so many sentences more."""
        assert times in (None, self.page.evaluate("times"))
        return self.root.evaluate(SEEN)

    def example(self, number):
        return self.root.get_by_role("button", name=f"Example {number},")

    def button(self, name):
        return self.root.get_by_role("button", name=name)

    def drag(self, mark, across, down):
        """By the mouse, in three steps."""
        box = mark.locator(".ol-dot").bounding_box()
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*at)
        self.page.mouse.down()
        self.page.mouse.move(at[0] + across, at[1] + down, steps=3)
        self.page.mouse.up()


@pytest.fixture
def figure(open_page):
    return Figure(open_page(PAGE, only=ONLY))


def test_the_mouse_drags_flips_and_turns(figure):
    start = figure.see(0)
    assert start["step"].startswith("2 of ")
    assert start["said"].startswith("Mistake 2, in pass 1")
    figure.drag(figure.example(2), 20, -30)
    moved = figure.see(1)
    assert moved["examples"][1] != start["examples"][1]
    assert moved["examples"][2:] == start["examples"][2:] or moved["said"]
    assert "the theorem allows R²/δ² = " in moved["said"]
    figure.example(3).locator(".ol-dot").click()
    flipped = figure.see(2)
    assert "labeled +1" in moved["examples"][2]
    assert "labeled −1" in flipped["examples"][2]
    figure.button("Start again").click()
    assert figure.see(3) == start
    figure.drag(figure.root.locator(".ol-handle"), -12, 0)
    turned = figure.see(4)
    assert "Your separator has δ = " in turned["said"]
    assert turned["margin"] != start["margin"]
    figure.drag(figure.root.locator(".ol-handle"), 60, 120)
    assert "Your separator is wrong on " in figure.see(5)["said"]
    figure.button("Best separator").click()
    assert figure.see(6)["margin"] == start["margin"]


def test_a_label_that_no_line_fits_has_no_bound(figure):
    figure.button("Best separator").click()
    made = figure.see(1)["counts"].split(" mistakes")[0]
    record = f"Your most so far: {made}."
    assert figure.see()["said"].endswith(record)
    figure.example(1).press("Enter")
    seen = figure.see(2)
    assert "the mistakes never end (after 1,000 mistakes we stop)" in seen["said"]
    assert seen["said"].endswith(f"does not count: move an example back. {record}")
    assert seen["counts"] == "no line separates them: no bound"
    assert seen["margin"] == "no margin"
    assert figure.root.evaluate(CUT_OFF) == []  # with thousands on the axis


def test_the_keys_do_all_that_the_mouse_does(figure):
    figure.page.emulate_media(reduced_motion="reduce")
    start = figure.see(0)
    example = figure.example(4)
    example.focus()
    for key, place in (
        ("ArrowLeft", "labeled +1, at 0.56, 0.06"),
        ("Shift+ArrowDown", "labeled +1, at 0.56, −0.04"),
        ("Enter", "labeled −1, at 0.56, −0.04"),
        (" ", "labeled +1, at 0.56, −0.04"),
        ("Shift+ArrowUp", "labeled +1, at 0.56, 0.06"),
        ("ArrowRight", "labeled +1, at 0.58, 0.06"),
    ):
        assert place not in figure.see()["examples"][3]
        figure.page.keyboard.press(key)
        assert place in figure.see()["examples"][3]
    assert figure.see()["counts"] == start["counts"]
    figure.root.locator(".ol-handle").focus()
    figure.page.keyboard.press("ArrowUp")
    assert "Your separator has δ = " in figure.see()["said"]
    figure.root.get_by_role("slider", name="mistakes").focus()
    figure.page.keyboard.press("Home")
    assert "Before the first mistake" in figure.see()["said"]
    figure.button("Next mistake").press("Enter")
    seen = figure.see()
    assert seen["said"].startswith("Mistake 1, in pass 1") and seen["step"][:2] == "1 "
    figure.root.get_by_role("slider", name="mistakes").press("End")
    figure.button("From the start").press("Enter")
    assert "Before the first mistake" in figure.see()["said"]


def test_a_finger_drags_and_taps_and_the_page_still_scrolls(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    figure = Figure(open_page(PAGE, only=ONLY, **phone))
    wide, room = figure.root.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide <= room
    for mark in figure.root.locator("svg .ol-drag").all():
        box = mark.locator(".ol-touch").bounding_box()
        assert min(box["width"], box["height"]) >= 24
    box = figure.example(2).locator(".ol-dot").bounding_box()
    at = {"x": box["x"] + 8, "y": box["y"] + 8}
    touch = figure.page.context.new_cdp_session(figure.page)

    def send(kind, **points):
        touches = [points] if points else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    start = figure.see(0)
    send("touchStart", **at)
    send("touchMove", x=at["x"] + 30, y=at["y"] - 20)
    send("touchEnd")
    moved = figure.see(1)
    assert moved["examples"][1] != start["examples"][1]
    figure.page.wait_for_timeout(600)  # d3 ignores for so long what touches emulate
    figure.example(7).locator(".ol-dot").tap()
    assert "labeled +1" in figure.see(2)["examples"][6]
    styles = "(e) => getComputedStyle(e).touchAction"
    assert figure.root.locator("svg").first.evaluate(styles) == "pan-y"
    assert figure.example(2).evaluate(styles) == "none"


def test_the_figure_is_accessible(open_page, axe):
    page = open_page(PAGE, only=ONLY)
    assert axe(page, ONLY) == []
    switch(page, "dark")
    assert axe(page, ONLY, only=OF_COLORS) == []


def test_a_page_without_scripts_says_what_it_is(open_page):
    page = open_page(PAGE, only=ONLY, java_script_enabled=False)
    expect(page.locator(ONLY)).to_contain_text("A figure to touch: the Perceptron")
