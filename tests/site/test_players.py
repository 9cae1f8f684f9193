"""Figures with sliders: each slider changes the picture, and Play plays."""

import hashlib

import pytest
from built import pages_with
from playwright.sync_api import expect

STEP = 600  # milliseconds from frame to frame


def shown(figure) -> tuple[str, str]:
    """The picture (its digest) and its alternative text; the picture must be one."""
    picture = figure.locator("img")
    picture.evaluate("image => image.decode()")
    source = picture.get_attribute("src")
    return hashlib.sha256(source.encode()).hexdigest(), picture.get_attribute("alt")


def figures(page):
    found = page.locator("figure.ol-player").all()
    assert found
    return found


@pytest.mark.parametrize("name", pages_with('class="ol-player"'))
def test_each_slider_changes_the_picture(open_page, axe, subtests, name):
    page = open_page(name)
    for number, figure in enumerate(figures(page), 1):
        for slider in figure.get_by_role("slider").all():
            label = slider.locator("xpath=ancestor::label").inner_text().split("\n")[0]
            with subtests.test("slider", figure=number, slider=label):
                steps = int(slider.get_attribute("max"))
                start = slider.input_value()
                slider.press("Home")
                frames = [shown(figure)]
                for _ in range(steps):
                    slider.press("ArrowRight")
                    frames.append(shown(figure))
                pictures, texts = map(set, zip(*frames, strict=True))
                assert len(texts) == steps + 1
                assert len(pictures) > 1
                assert all(text.strip().endswith((".", "!", "?")) for text in texts)
                # A finger or a mouse sets the value at once.
                slider.fill("0")
                assert shown(figure) == frames[0]
                slider.fill(start)
                assert shown(figure) == frames[int(start)]
    for scheme in ("light", "dark"):
        with subtests.test("axe", scheme=scheme):
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            assert axe(page, "figure.ol-player") == []


@pytest.mark.parametrize("name", pages_with('class="ol-player"'))
def test_play_moves_and_stops_and_nothing_moves_by_itself(open_page, subtests, name):
    page = open_page(name, reduced_motion="reduce")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    before = [shown(figure) for figure in figures(page)]
    page.clock.run_for(10 * STEP)
    assert [shown(figure) for figure in figures(page)] == before
    for number, figure in enumerate(figures(page), 1):
        with subtests.test("play", figure=number):
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
