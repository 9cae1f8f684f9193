"""Formulas in TeX as MathML, which a browser shows without any script.

The TeX may be a student's, so nothing that latex2mathml makes goes into a page as it
is: elements and attributes that are known to be harmless are copied one by one.  A
formula that cannot be copied whole stays in TeX.
"""

import html
import re
import unicodedata
from types import MappingProxyType
from xml.etree.ElementTree import Element

from latex2mathml.converter import Converter
from latex2mathml.symbols_parser import convert_symbol

FORMULA_LENGTH = 2_000  # characters of a formula
TAGS = frozenset(
    "math mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover".split()
)
# None of these loads anything, leads anywhere, or takes more room than a line.
SHORT = r"\d?(\.\d{1,4})?(em|ex)?"
ATTRIBUTES = {
    "accent": "true|false",
    "columnalign": "left|right|center",
    "display": "inline|block",
    "displaystyle": "true|false",
    "fence": "true|false",
    "form": "prefix|infix|postfix",
    "largeop": "true|false",
    "linethickness": SHORT,
    "mathvariant": "normal",
    "maxsize": SHORT,
    "minsize": SHORT,
    "movablelimits": "true|false",
    "scriptlevel": "[0-3]",
    "stretchy": "true|false",
    "width": SHORT,
}


def mathml(tex: str, *, block: bool = False) -> str:
    r"""A formula for a page of HTML.

    Parameters
    ----------
    tex : str
        Without its dollars; may come from anybody.
    block : bool
        Whether it stands on a line of its own.

    Returns
    -------
    str
        ``<math>``, or the TeX in ``<code>`` if it is too long, has a mistake, defines
        a macro, or uses what is not known here.
    """
    try:
        if len(tex) > FORMULA_LENGTH:
            raise ValueError("too long")
        converter = Converter(display="block" if block else "inline")
        # A few macros, each of which calls the next one twice, would fill the memory.
        converter.macros = MappingProxyType({})
        return _copied(converter.convert_to_element(tex.strip()))
    except Exception:
        # latex2mathml raises errors of many kinds for a formula with a mistake in it.
        return f"<code>{html.escape(tex.strip())}</code>"


def _copied(element: Element) -> str:
    if element.tag not in TAGS:
        raise ValueError(f"{element.tag} is not known")
    known = {
        name: value
        for name, value in sorted(element.attrib.items())
        if name in ATTRIBUTES and re.fullmatch(ATTRIBUTES[name], value)
    }
    if align := known.pop("columnalign", None):
        known["style"] = f"text-align: {align}"  # as browsers have it now
    attributes = "".join(f' {name}="{value}"' for name, value in known.items())
    text = _text(element.text or "", element.get("mathvariant", ""))
    inside = "".join(map(_copied, element))
    return f"<{element.tag}{attributes}>{text}{inside}</{element.tag}>"


def _text(text: str, variant: str) -> str:
    # latex2mathml writes its symbols as references, and leaves some after \bigl.
    text = html.unescape(text)
    if text.startswith("\\"):
        text = chr(int(convert_symbol(text.strip()) or "unknown", 16))
    return html.escape("".join(lettered(letter, variant) for letter in text))


def lettered(letter: str, variant: str) -> str:
    """The letter of an alphabet, such as script or bold; itself if there is none.

    MathML's own attribute for it is one that browsers no longer heed.
    """
    plain = re.sub(r"LATIN |GREEK |LETTER ", "", unicodedata.name(letter, ""))
    kind = variant.upper().replace("-", " ").replace("DOUBLE ", "DOUBLE-")
    kind = kind.replace("SANS ", "SANS-")
    for name in (f"MATHEMATICAL {kind} {plain}", f"{kind} {plain}"):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return letter
