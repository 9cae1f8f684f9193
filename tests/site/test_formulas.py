"""Formulas: typeset when the site is built, and text where that is wanted."""

import base64
import pickle
import re
import subprocess
import sys
from io import BytesIO

import pytest
from built import ROOT, SITE, pages, soup
from docutils import nodes
from fontTools.ttLib import TTFont
from playwright.sync_api import expect

EXTENSIONS = ROOT / "book" / "_ext"
sys.path.append(str(EXTENSIONS))
import fonts  # noqa: E402
import formulas  # noqa: E402

# --- Building -----------------------------------------------------------------------


def build(folder, text: str) -> subprocess.CompletedProcess:
    """Build a site of one page, as `make book` does: warnings are errors."""
    (folder / "page.md").write_text(text, encoding="utf-8")
    (folder / "conf.py").write_text(
        f"""
import sys
sys.path.append({str(EXTENSIONS)!r})
extensions = ["myst_parser", "formulas", "fonts"]
myst_enable_extensions = ["dollarmath", "amsmath"]
html_math_renderer = "mathml"
root_doc = "page"
""",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]
    return subprocess.run(
        [*command, str(folder), str(folder / "html")], capture_output=True, text=True
    )


def test_good_formulas_build(tmp_path):
    text = (
        "# A title of $R^2$\n\nInline $\\frac12$.\n\n$$a=b\\tag{7}$$\n\n$$c=d$$ (eq-c)"
    )
    done = build(tmp_path, f"{text}\n\n{{eq}}`eq-c`\n")
    assert done.returncode == 0, done.stderr
    html = (tmp_path / "html" / "page.html").read_text(encoding="utf-8")
    assert html.count("<math ") >= 4
    assert '<span class="eqno">(7)</span>' in html
    assert '<span class="eqno">(1)<a class="headerlink"' in html
    assert "<title>A title of R²" in html


@pytest.mark.parametrize(
    ("faulty", "says"),
    [
        (r"\frac{1", "end of input"),
        (r"1 + \nosuchthing", "Unknown command"),
        (r"\left( x", ""),
        (r"$a \tag{1} \\ b \tag{2}$", "tag"),
    ],
)
def test_a_bad_formula_ends_the_build(faulty, says, tmp_path):
    """With a message that names the page, the line and the formula."""
    done = build(tmp_path, f"# Title\n\nGood: $x$.\n\nBad: ${faulty}$.\n")
    assert done.returncode != 0
    assert re.search(r"page\.md:5: WARNING: ", done.stderr)
    assert faulty.strip("$") in done.stderr
    assert says in done.stderr


def test_a_character_that_the_font_lacks_ends_the_build(tmp_path):
    done = build(tmp_path, "# Title\n\n$x = 書$\n")
    assert done.returncode != 0
    assert "書" in done.stderr


# --- The site -----------------------------------------------------------------------


@pytest.mark.parametrize("name", pages())
def test_every_formula_is_typeset(name):
    """Has MathML, its TeX and its text, and as many characters as there are to see."""
    for formula in soup(name).find_all(class_="math"):
        (math,) = formula.find_all("math")
        assert math["data-tex"].strip() and math["alttext"].strip()
        assert "\\" not in math["alttext"] or "setminus" in math["data-tex"]
        assert math.get_text().strip()
        assert (math.get("display") == "block") == (formula.name == "div")


def test_as_many_formulas_as_the_sources_have():
    """What Sphinx has read, and what is in the pages, contents lists aside."""
    doctrees = SITE.parent / ".doctrees"
    for name in set(pages()) - {"search", "404"}:  # which have no source
        source = doctrees / f"{name}.doctree"
        doctree = pickle.loads(source.read_bytes())
        read = sum(
            len(list(doctree.findall(kind))) for kind in (nodes.math, nodes.math_block)
        )
        article = soup(name).find("article")
        assert len(article.find_all("math")) == read, name


def test_the_font_has_every_character():
    sheet = (SITE / "_static" / fonts.MATH_SHEET).read_text(encoding="utf-8")
    data = re.search(r"base64,([^\"]+)", sheet)[1]
    font = TTFont(BytesIO(base64.b64decode(data)))
    assert len(data) < 60_000
    assert "MATH" in font
    has = {chr(code) for code in font.getBestCmap()}
    for name in pages():
        for math in soup(name).find_all("math"):
            for part in math.find_all(["mi", "mo", "mn", "mtext"]):
                letters = part.get_text()
                if part.name == "mi" and len(letters) == 1 and not part.attrs:
                    letters = fonts.italic(letters)
                assert set(letters) - has <= fonts.UNSEEN, (name, letters)
    license = (SITE / "_static" / "stix-two-math-license.txt").read_text(
        encoding="utf-8"
    )
    assert "SIL OPEN FONT LICENSE" in license


# --- As text ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac12", "1/2"),
        (r"\frac{R^2}{\gamma^2}", "R²/γ²"),
        (r"\frac{\ln N}{1-\beta}", "(ln N)/(1−β)"),
        (r"M\le\lg N", "M ≤ lg N"),
        (r"\lambda\ln N", "λ ln N"),
        (r"\ln(1+x)", "ln(1 + x)"),
        (r"\sqrt{2T\ln N}", "√(2T ln N)"),
        (r"\sqrt[3]x", "³√x"),
        (r"\mathbf w_{t+1}\cdot\mathbf x_t", "wₜ₊₁⋅xₜ"),
        (r"w^{(t)}, x_{1:T}", "w^(t), x_(1:T)"),
        (r"2^{-k}", "2^(−k)"),
        (r"S'_m", "Sₘ′"),
        (r"\hat p, \bar x, \tilde w", "p̂, x̄, w̃"),
        (r"\underline v\le\overline v", "v̲ ≤ v̅"),
        (r"\binom Tk", "(T over k)"),
        (r"\operatorname{sign}(0)", "sign(0)"),
        (r"\bigl(\tfrac12\bigr)^2_+", "(1/2)₊²"),
        (r"\begin{aligned}a&=b\\&\le c.\end{aligned}", "a = b; ≤ c."),
        (r"a<b>c", "a < b > c"),
        (r"\mathcal C, \mathbb E", "C, E"),
        (r"\text{if } x", "if x"),
    ],
)
def test_text(tex, text):
    assert formulas.text(formulas.mathml(tex, False)) == text


def test_lines_without_an_environment_are_aligned():
    assert "<mtable" in formulas.mathml(r"a \\ b", True)
    assert formulas.mathml(r"x &= 1 \\ &= y", True).count("<mtr>") == 2


def test_search_shows_formulas_as_text(open_page):
    page = open_page("search?q=potential")
    context = page.locator("#search-results p.context")
    expect(context.nth(2)).to_be_visible()
    shown = " ".join(context.all_inner_texts())
    assert "\\" not in shown
    assert re.search(r"[²ₜ≤≥βλ]", shown)


def test_search_finds_a_greek_letter(open_page):
    page = open_page("search?q=ε")
    expect(page.locator("#search-results li a").first).to_be_visible()


def test_copied_formulas_are_tex(open_page):
    page = open_page("lectures/kakade")
    copied = page.evaluate("""() => {
      const paragraph = document.querySelector(".bd-article p:has(math)");
      getSelection().selectAllChildren(paragraph);
      const data = new DataTransfer();
      const event = new ClipboardEvent("copy",
        { clipboardData: data, bubbles: true, cancelable: true });
      paragraph.dispatchEvent(event);
      return [paragraph.querySelector("math").dataset.tex, data.getData("text/plain")];
    }""")
    tex, text = copied
    assert f"${tex}$" in text
    assert text.count("$") % 2 == 0


# --- Readers ------------------------------------------------------------------------


def sizes(page) -> list[list[float]]:
    return page.evaluate("""() => [...document.querySelectorAll(".bd-article .math")]
      .filter((formula) => formula.checkVisibility())
      .map((formula) => formula.querySelector("math").getBoundingClientRect())
      .map(({ x, y, width, height }) => [x, y, width, height])""")


def test_formulas_need_no_script(open_page):
    """The same formulas in the same sizes, whether scripts run or not."""
    page = open_page("lectures/kitani-winnow", java_script_enabled=False)
    assert page.locator(".bd-article math").count() > 100
    shown = page.locator(".bd-article p math:visible")
    for formula in shown.all()[:20]:
        box = formula.bounding_box()
        assert box["width"] > 2 and box["height"] > 2


@pytest.mark.parametrize(
    ("name", "width"), [("lectures/kitani-winnow", 1280), ("index", 390)]
)
def test_nothing_moves_after_the_page_is_drawn(open_page, name, width):
    page = open_page(name, viewport={"width": width, "height": 844})
    moved = page.evaluate("""() => new Promise((resolve) => {
      let total = 0;
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) total += shift.value;
      }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(total), 500);
    })""")
    assert moved < 0.02


def test_page_from_a_folder(browser):
    """Opened as a file: formulas are drawn in their font, and previews open."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(error.message))
    page.goto((SITE / "lectures" / "kitani-perceptron.html").as_uri())
    assert page.evaluate("document.fonts.check('16px \"STIX Two Math\"')")
    assert all(width > 2 and height > 2 for _, _, width, height in sizes(page))
    link = page.locator(".bd-article p a.reference.internal[href^='#']:visible").first
    link.hover()
    expect(page.locator("#preview")).to_be_visible()
    context.close()
    assert problems == []


def test_screen_readers_are_given_the_formula(open_page):
    """The tree of parts, as MathML; and a name for who reads no MathML."""
    page = open_page("lectures/kitani-winnow")
    client = page.context.new_cdp_session(page)
    tree = client.send("Accessibility.getFullAXTree")["nodes"]
    roles = {node["role"]["value"] for node in tree if not node["ignored"]}
    assert {"MathMLMath", "MathMLFraction", "MathMLIdentifier"} <= roles
