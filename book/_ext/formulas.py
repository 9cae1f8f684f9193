r"""Formulas, typeset when the site is built: TeX becomes MathML, which browsers draw.

math-core translates, into MathML Core, which needs neither styles nor scripts.  What
is left to do here:

- A formula that cannot be translated is a warning, and so ends the build.
- A number that a formula gives itself (``\tag``) stands where Sphinx's numbers stand.
- Wherever a page's text is taken without its markup (titles, descriptions, the words of
  the search, what the search shows) a formula is one line of Unicode: ``R²/γ²``.
"""

import re
from functools import cache
from html import escape, unescape
from unicodedata import combining, normalize
from xml.etree.ElementTree import Element, fromstring

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

TAG = re.compile(r"\s*\\tag\{(.*?)\}")
ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)

LONG = 24  # characters, of a formula that may not fit into a phone's line


# --- TeX to MathML --------------------------------------------------------


@cache
def mathml(tex: str, display: bool) -> str:
    """A formula as MathML, which keeps the TeX.

    Raises
    ------
    LatexError
        If it is no formula.
    """
    lines = tex
    if display and r"\\" in ENVIRONMENT.sub("", tex):
        lines = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    converter = LatexToMathML(fancy_error=False, macros={"cr": r"\\"})
    drawn = mended(converter.convert_with_local_state(lines, displaystyle=display))
    says = f'alttext="{escape(text(drawn))}" data-tex="{escape(tex)}"'
    return drawn.replace("<math", f"<math {says}", 1)


# A large delimiter with a script, which Chromium would not draw as large.
POWER = re.compile(r"(<m(?:sub|sup|subsup)>)(<mo [^>]*minsize[^>]*>[^<]*</mo>)")
# An accented letter with a script above, which would touch the accent.
ACCENTED = re.compile(
    r'(<m(?:sup|subsup)>)(<mover accent="true">(?:(?!</?mover).)*</mover>)'
)
# The sign at the beginning of a line's second part: what it adds to is before it.
AFTER_TAB = re.compile(r'(padding-left: 0;"><mo)(?=>[+−±]</mo>)')


def mended(formula: str) -> str:
    """MathML that is the same, as far as can be seen, in all browsers."""
    formula = POWER.sub(r"\1<mrow><mi></mi>\2</mrow>", formula)
    formula = ACCENTED.sub(r'\1<mrow>\2<mspace width="0.1em"/></mrow>', formula)
    formula = AFTER_TAB.sub(r'\1 form="infix"', formula)
    # A line of its own, not a combining one, stands where it belongs.
    formula = formula.replace("\u0332</mo></mover>", "\u203e</mo></mover>")
    return formula.replace("\u0332</mo></munder>", "_</mo></munder>")


class Typeset(SphinxTransform):
    """Give each formula of a page its MathML, and its text for where that is all."""

    default_priority = 600  # before titles and equations are collected

    def apply(self, **_) -> None:
        for kind in (nodes.math, nodes.math_block):
            for formula in list(self.document.findall(kind)):
                self.typeset(formula, display=kind is nodes.math_block)

    def typeset(self, formula: nodes.Element, display: bool) -> None:
        tex = formula.astext().strip()
        tags = TAG.findall(tex)
        if display and len(tags) == 1:
            formula["tag"] = tags[0]
            tex = TAG.sub("", tex)
        try:
            formula["mathml"] = mathml(tex, display)
        except LatexError as error:
            place, _, problem = str(error).partition(": ")
            at = tex[int(place) :][:20] if place.isdigit() else ""
            logger.warning(
                "%s At “%s” of the formula %s",
                problem or place,
                " ".join(at.split()),
                " ".join(tex.split()),
                location=formula,
                type="formulas",
            )
            formula["mathml"] = f"<code>{escape(tex)}</code>"
        else:
            formula[:] = [nodes.Text(text(formula["mathml"]))]


# --- MathML to text -------------------------------------------------------

RAISED = str.maketrans("0123456789+−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ")
LOWERED = str.maketrans(
    "0123456789+−=()aehijklmnoprstuvxβγρφ",
    "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩ",
)
ACCENTS = str.maketrans("_‾ˆ˜¯˙→", "\u0332\u0305\u0302\u0303\u0304\u0307\u20d7")
APPLIED = "\u2061"  # a function to what follows
INVISIBLE = re.compile(r"[\u2062-\u2064\ufe00-\ufe0f]")
# Operators with a space on both sides.
SPACED = re.compile(r"[=≠≈≡≤≥<>≪≫≲≳∼∝∈∉⊂⊆←→⇒⇔↦+−±∪∩∨∧⊕∣]")


def text(formula: str) -> str:
    """A formula in one line of Unicode."""
    tree = fromstring(unescape_names(formula))
    line = INVISIBLE.sub("", line_of(tree))
    line = re.sub(rf" *{APPLIED} *(?=[(\[])", "", line).replace(APPLIED, " ")
    return re.sub(r" (?=[.,;:](?: |$))", "", " ".join(line.split()))


def unescape_names(formula: str) -> str:
    """MathML with characters for the names that XML does not know."""
    return re.sub(
        r"&(?!(?:lt|gt|amp|quot|apos|#\w+);)\w+;", lambda m: unescape(m[0]), formula
    )


def line_of(node: Element) -> str:
    parts = [line_of(child) for child in node]
    match node.tag:
        case "mo":
            return operator(node)
        case "mi" | "mn" | "mtext":
            return normalize("NFKC", node.text or "")
        case "mspace":
            return " " if float(node.get("width", "0").removesuffix("em")) > 0.1 else ""
        case "mfrac" if node.get("linethickness") == "0":
            return f"{parts[0]} over {parts[1]}"
        case "mfrac":
            return f"{grouped(parts[0])}/{grouped(parts[1])}"
        case "msqrt":
            return f"√{grouped(''.join(parts))}"
        case "mroot":
            return f"{scripted('', parts[1], RAISED, '')}√{grouped(parts[0])}"
        case "msub" | "munder" if parts[1] != "_":
            return scripted(parts[0], parts[1], LOWERED, "_")
        case "msup":
            return scripted(parts[0], parts[1], RAISED, "^")
        case "msubsup" | "munderover":
            lower = scripted(parts[0], parts[1], LOWERED, "_")
            return scripted(lower, parts[2], RAISED, "^")
        case "munder" | "mover":
            return accented(*parts)
        case "mtd":
            return f" {''.join(parts)} "
        case "mtable":
            return "; ".join(parts)
        case _:
            return "".join(parts)


def operator(node: Element) -> str:
    sign = node.text or ""
    if sign == ",":
        return ", "
    tight = node.get("lspace") == node.get("rspace") == "0"
    return f" {sign} " if SPACED.fullmatch(sign) and not tight else sign


# One letter, number or sign, with its scripts, or something in parentheses already.
SINGLE = re.compile(r"√?(?:\w|[⁺⁻⁼⁽⁾₊₋₌₍₎\u0300-\u036f\u20d7])*|.|\w*\([^()]*\)")


def grouped(part: str) -> str:
    """A part of a formula, in parentheses if it is more than one thing."""
    part = part.strip()
    return part if SINGLE.fullmatch(part) else f"({part})"


def scripted(base: str, script: str, table: dict[int, int], mark: str) -> str:
    """A base with a script: small characters if there are all, else after a mark."""
    script = script.strip()
    if re.fullmatch("[′″‴]+", script):
        return base + script
    if script and all(ord(letter) in table for letter in script):
        return base + script.translate(table)
    return f"{base}{mark}{grouped(script)}"


def accented(base: str, accent: str) -> str:
    """A base with what is above or below: on one letter an accent."""
    sign = accent.strip().translate(ACCENTS)
    return base + sign if combining(sign[:1]) else f"{base}^{grouped(accent)}"


# --- Sphinx ---------------------------------------------------------------


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    long = " long" if len(node.astext()) > LONG else ""
    self.body.append(
        self.starttag(node, "span", "", CLASS=f"math{long} notranslate nohighlight")
    )
    self.body.append(f"{node['mathml']}</span>")
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(
        self.starttag(node, "div", "", CLASS="math notranslate nohighlight")
    )
    self.body.append(node["mathml"])
    if node.get("number"):
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    elif "tag" in node:
        self.body.append(f'<span class="eqno">({node["tag"]})</span>')
    self.body.append("</div>\n")
    raise nodes.SkipNode


def name_page(app: Sphinx, pagename: str, template: str, context: dict, *_) -> None:
    """Name the page in plain text."""
    if pagename in app.env.titles:
        context["title"] = escape(app.env.titles[pagename].astext())


def setup(app: Sphinx) -> dict:
    app.add_transform(Typeset)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    app.connect("html-page-context", name_page)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
