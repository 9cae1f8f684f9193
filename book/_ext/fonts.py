"""The fonts that the site serves, reduced to the characters of its pages.

STIX Two has letters for text and for formulas that were drawn for each other; Source
Sans 3 is for what is no text: bars, buttons, labels.  They are in style sheets, so that
they are there before anything is drawn, and nothing moves later.
"""

import re
from base64 import b64encode
from html import unescape
from io import BytesIO
from pathlib import Path
from string import printable
from unicodedata import lookup, name

from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors import EnvironmentCollector
from sphinx.errors import ExtensionError

VENDOR = Path(__file__).parent.parent / "_vendor"
MATH = "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
STIX = "@fontsource-variable/stix-two-text/files/stix-two-text-latin-wght-"
SANS = "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-"
# Kerning, ligatures, accents, and figures that stand below each other.
FEATURES = ["kern", "liga", "ccmp", "mark", "tnum"]
MATH_SHEET = "math-font.css"  # only where there are formulas
# Of each style sheet the fonts: family, style, weights, file.
SHEETS = {
    MATH_SHEET: [("STIX Two Math", "normal", (400, 400), MATH)],
    "fonts.css": [
        ("STIX Two Text", "normal", (400, 700), f"{STIX}normal.woff2"),
        ("STIX Two Text", "italic", (400, 400), f"{STIX}italic.woff2"),
        ("Source Sans 3", "normal", (400, 700), f"{SANS}normal.woff2"),
    ],
}
FACE = """\
/* {family}, reduced to the characters of this site (license: OFL, see {license}). */
@font-face {{
  font-family: "{family}";
  font-style: {style};
  font-weight: {weights};
  src: url("data:font/woff2;base64,{data}") format("woff2");
}}
"""


class Characters(EnvironmentCollector):
    """Notes which characters the formulas of each page have, and which its text."""

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        noted(env).pop(docname, None)

    def merge_other(self, app, env, docnames, other) -> None:
        noted(env).update((page, noted(other)[page]) for page in docnames)

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        formulas = "".join(
            formula["mathml"]
            for kind in (nodes.math, nodes.math_block)
            for formula in doctree.findall(kind)
        )
        noted(app.env)[app.env.docname] = (
            set(unescape(re.sub("<[^>]*>", "", formulas))),
            set(unescape(doctree.astext())),
        )


def noted(env: BuildEnvironment) -> dict[str, tuple[set[str], set[str]]]:
    if not hasattr(env, "characters"):
        env.characters = {}
    return env.characters


def write_sheets(app: Sphinx, env: BuildEnvironment) -> None:
    """Write the style sheets with the fonts, before the pages that load them."""
    if app.builder.format != "html":
        return
    of_formulas, of_text = (
        set().union(*sets) for sets in zip(*noted(env).values(), strict=True)
    )
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    for sheet, fonts in SHEETS.items():
        faces = ""
        for family, style, weights, file in fonts:
            if file == MATH:
                data = reduced_math(of_formulas)
            else:
                data = reduced(file, of_text | set(printable), weights)
            license = f"{family.lower().replace(' ', '-')}-license.txt"
            text = VENDOR.joinpath(file).parent.parent.joinpath("LICENSE").read_bytes()
            static.joinpath(license).write_bytes(text)
            faces += FACE.format(
                family=family,
                style=style,
                weights="{} {}".format(*weights),
                license=license,
                data=b64encode(data).decode(),
            )
        static.joinpath(sheet).write_text(faces, "utf-8")


def load_sheets(app: Sphinx, pagename: str, *_) -> None:
    app.add_css_file("fonts.css")
    if pagename in noted(app.env) and noted(app.env)[pagename][0]:
        app.add_css_file(MATH_SHEET)


def reduced(file: str, characters: set[str], weights: tuple[int, int]) -> bytes:
    """A font for text with those characters that it has, in the weights wanted."""
    options = subset.Options(flavor="woff2", hinting=False, layout_features=FEATURES)
    font = subset.load_font(VENDOR / file, options)
    keep(font, characters, options)
    instantiateVariableFont(font, {"wght": weights}, inplace=True)
    return written(font, options)


def keep(font: TTFont, characters: set[str], options: subset.Options) -> None:
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=map(ord, characters))
    subsetter.subset(font)


def written(font: TTFont, options: subset.Options) -> bytes:
    file = BytesIO()
    subset.save_font(font, file, options)
    return file.getvalue()


# --- Formulas -------------------------------------------------------------

UNSEEN = {"\n", "\u2061", "\u2062", "\u2063", "\u2064", "\ufe00"}


def reduced_math(characters: set[str]) -> bytes:
    """The font for formulas with some characters, and all that they are stretched to.

    Raises
    ------
    ExtensionError
        If it lacks one of them.
    """
    wanted = characters | set(map(italic, characters)) | {"√"}
    options = subset.Options(flavor="woff2", hinting=False, notdef_outline=True)
    font = subset.load_font(VENDOR / MATH, options)
    if lacking := wanted - UNSEEN - set(map(chr, font.getBestCmap())):
        lacking = " ".join(sorted(lacking))
        raise ExtensionError(f"formulas need {lacking}, which {MATH} has not")
    keep(font, wanted, options)
    narrow(font)
    level(font)
    return written(font, options)


# How much wider than in a line of text a delimiter may be where it is large.
WIDER = dict.fromkeys("()[]{}|‖⌊⌋⌈⌉⟨⟩", 1.2) | {"√": 1.0}


def narrow(font: TTFont) -> None:
    """Make large delimiters about as wide as small ones.

    Chromium leaves for each delimiter the room that its widest form would take, and so
    a gap beside all others (see "Width of stretchy operators" at mathml.igalia.com).
    """
    names = font.getBestCmap()
    variants = font["MATH"].table.MathVariants
    covered = variants.VertGlyphCoverage.glyphs
    forms = dict(zip(covered, variants.VertGlyphConstruction, strict=True))
    for character, factor in WIDER.items():
        if (small := names.get(ord(character))) not in forms:
            continue
        room = round(factor * font["hmtx"][small][0])
        form = forms[small]
        large = {record.VariantGlyph for record in form.MathGlyphVariantRecord}
        if form.GlyphAssembly:
            large |= {part.glyph for part in form.GlyphAssembly.PartRecords}
        for other in large:
            if (width := font["hmtx"][other][0]) > room:
                stretch(font, other, x=room / width)


def level(font: TTFont) -> None:
    """Put scripts and primes where TeX puts them."""
    constants = font["MATH"].table.MathConstants
    # The same height for all letters, as long as they may be above and below.
    constants.SubscriptBaselineDropMin.Value = -40
    constants.SuperscriptBaselineDropMax.Value = 386
    # As large and as low as what is raised and made small should be.
    for prime in "′″":
        if glyph := font.getBestCmap().get(ord(prime)):
            stretch(font, glyph, x=1.3, y=1.3, up=-420)


def stretch(font: TTFont, named: str, x: float = 1, y: float = 1, up: int = 0) -> None:
    """Scale a glyph, and move it up."""
    glyph, (width, _) = font["glyf"][named], font["hmtx"][named]
    glyph.expand(font["glyf"])
    glyph.coordinates.scale((x, y))
    glyph.coordinates.translate((0, up))
    glyph.coordinates.toInt()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][named] = (round(x * width), glyph.xMin)


def italic(letter: str) -> str:
    """The italic in which browsers draw a letter; what is none, as it is."""
    words = name(letter, "").removeprefix("LATIN ").removeprefix("GREEK ")
    words = words.replace("LETTER ", "").replace("LUNATE ", "")
    try:
        return lookup(f"MATHEMATICAL ITALIC {words}")
    except KeyError:
        return "ℎ" if letter == "h" else letter


def setup(app: Sphinx) -> dict:
    app.add_env_collector(Characters)
    app.connect("env-updated", write_sheets)
    app.connect("html-page-context", load_sheets)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
