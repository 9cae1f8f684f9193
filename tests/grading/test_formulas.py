"""Formulas in a page: right where they can be shown, and nothing active ever."""

import re
import time
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from sets import NAMES, source

from grading.formulas import FORMULA_LENGTH, lettered, mathml

# What may be in MathML, written down apart from the module.
ELEMENTS = re.compile(
    r"math|m(frac|i|n|o|over|padded|phantom|root|row|space|sqrt|style)"
)
ELEMENTS_TOO = re.compile(r"m(sub|subsup|sup|table|td|text|tr|under|underover)")
NAMED = (
    "accent display displaystyle fence form largeop linethickness mathvariant maxsize "
    "minsize movablelimits scriptlevel stretchy style width"
).split()


class Foreign(HTMLParser):
    """What of a page is neither MathML without links nor code."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag != "code" and not (
            ELEMENTS.fullmatch(tag) or ELEMENTS_TOO.fullmatch(tag)
        ):
            self.found.append(tag)
        self.found += [
            name
            for name, value in attributes
            if name not in NAMED
            or not re.fullmatch(r"[a-z]*|[\d.emx]+|text-align: \w+", value)
        ]


def test_the_detector_sees_what_is_foreign():
    for page in (
        "<script>",
        "<math href=x>",
        "<mi style='color:url(x)'>",
        "<a>",
        "<svg>",
    ):
        assert Foreign(page).found, page


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"x_t^2", "<msubsup><mi>x</mi><mi>t</mi><mn>2</mn></msubsup>"),
        (r"\sqrt{n}", "<msqrt>"),
        (r"\mathcal{C}", "<mi>𝒞</mi>"),
        (r"\mathbb{R}", "ℝ"),
        (r"\Bigl\lfloor x \Bigr\rfloor", ">⌊</mo><mi>x</mi>"),
        (r"\text{if } x \le 3", "≤"),
        (r"\begin{cases} 1 & x \\ 0 & y \end{cases}", '<mtd style="text-align: left">'),
    ],
)
def test_a_formula_is_shown(tex, shown):
    page = mathml(tex)
    assert page.startswith('<math display="inline">') and shown in page
    assert not Foreign(page).found
    assert mathml(tex, block=True).startswith('<math display="block">')


@pytest.mark.parametrize("name", NAMES)
def test_every_formula_of_the_books_sets_is_shown(name):
    texts = "\n".join(c.source for c in source(name).cells if c.cell_type == "markdown")
    formulas = re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", texts, re.DOTALL)
    assert len(formulas) > 30
    for block, inline in formulas:
        page = mathml(block or inline)
        assert page.startswith("<math") and "\\" not in page, block or inline
        assert not Foreign(page).found


# What doubles with each letter, and would fill any memory.
LAUGHS = r"\def\a{xx}\def\u{\t\t}" + "".join(
    rf"\def\{new}{{\{old}\{old}}}" for old, new in pairwise("abcdefghijklmnopqrst")
)


@pytest.mark.parametrize(
    "tex",
    [
        r"\nonsense x", r"\frac", "x_a_b", r"\left( x", "{" * 900,
        "x" * (FORMULA_LENGTH + 1),
        r"\newcommand{\a}{\a\a}\a", r"\newenvironment{a}{b}{c}\begin{a}x\end{a}",
        LAUGHS + r"\u", LAUGHS.replace(r"\def", r"\newcommand") + r"\u", "",
        r"\sqrt" * 390, r"\cancel{x}", r"\boxed{x}",
        r"\bbox[url(//127.0.0.1/x)]{x}", r"\require{html} x", r"\cssId{a}{x}",
    ],
    ids=lambda tex: tex[:20],
)  # fmt: skip
def test_what_cannot_be_shown_stays_as_it_was_written(tex):
    began = time.perf_counter()
    page = mathml(tex)
    assert re.fullmatch(r"<code>[^<]*</code>", page)
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{javascript:alert(1)}{x}", r"\style{position:fixed}{x}", r"\class{a}{x}",
        r"\text{<script>alert(1)</script>}", r"\text{&lt;script&gt;alert(1)}",
        r"\text{&#60;script&#62;}", "<script>", "&lt;b&gt;", r"\unicode{60}script>",
        r"\color{url(x)}{x}", r"\colorbox{red}{<b>}", r"\hspace{99999em}x",
        r"\rule{999em}{999em}", r"\mathchoice{<b>}{<b>}{<b>}{<b>}", r"\verb|<b>|",
        r"\operatorname{<b>}", r"\mmlToken{mi}[href='javascript:x']{x}", r"\tag{<b>}",
        r"\begin{array}{<b>} x \end{array}", "]]>--></math><b>", "\0\x1b\ud800",
    ],
    ids=lambda tex: ascii(tex)[:20],
)  # fmt: skip
def test_nothing_active_comes_out(tex):
    for block in (True, False):
        page = mathml(tex, block=block)
        assert not Foreign(page).found, page
        assert not re.search(
            r"<(script|b)\b|href|9em|url", re.sub("<code>.*", "", page)
        )


@pytest.mark.parametrize(
    "tex",
    [
        "a" * FORMULA_LENGTH,
        "&" * FORMULA_LENGTH,
        "'" * FORMULA_LENGTH,
        "^" * FORMULA_LENGTH,
        r"\not" * 499,
    ],
)
def test_the_longest_formula_takes_no_time(tex):
    began = time.perf_counter()
    mathml(tex)
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize(
    ("variant", "letters", "shown"),
    [
        ("script", "BCe", "ℬ𝒞ℯ"), ("bold", "w1β", "𝐰𝟏𝛃"), ("double-struck", "NR", "ℕℝ"),
        ("fraktur", "Ag", "𝔄𝔤"), ("sans-serif", "A", "𝖠"), ("bold-italic", "x", "𝒙"),
        ("normal", "x", "x"), ("", "x", "x"), ("script", "+\0", "+\0"),
    ],
)  # fmt: skip
def test_letters_of_other_alphabets(variant, letters, shown):
    assert "".join(lettered(letter, variant) for letter in letters) == shown
