"""The errata of the five lectures: their ids and how serious each is.

The errata page states each one, the repaired statement first, and runs a
counterexample with `olutil.verify.refute`.
"""

#: The severities, in the words of the errata page.
SEVERITIES = {
    "false": "false as stated",
    "hypothesis": "needs a hypothesis",
    "ambiguous": "ambiguous",
    "reading": "a reading of our copy",
}

_IDS = {
    "false": """
        cos511-E3 cos511-E5 cos511-E12 chan-E1 chan-E16 das-E6 das-E8 das-E9 das-E10
        kit-E1 kit-E3 kit-E9 kit-E14 kit-E16 kak-E1 kak-E2 kak-E3""",
    "hypothesis": """
        cos511-E1 cos511-E2 cos511-E6 cos511-E7 cos511-E8 cos511-E10 cos511-E11
        cos511-E13 cos511-E16 chan-E8 chan-E11 chan-E12 chan-E13 chan-E17 chan-E18
        das-E1 das-E2 das-E4 das-E17 das-E21 kit-E2 kit-E4 kit-E8 kit-E10 kit-E11b
        kit-E14b kit-E15 kit-E18 kit-E21 kit-E23 kak-E7 kak-E8""",
    "ambiguous": """
        cos511-E4 cos511-E14 cos511-E15 cos511-E17 chan-E3 chan-E4 chan-E6 chan-E7
        chan-E10 chan-E14 chan-E15 das-E3 das-E12 das-E13 das-E14 das-E16 das-E18
        das-E19 kit-E5 kit-E12 kit-E13 kit-E20 kit-E22 kak-E6 kak-E9 kak-E10 x-E1""",
    "reading": """
        cos511-E9 chan-E2 chan-E5 chan-E9 das-E5 das-E7 das-E11 das-E15 kit-E6 kit-E7
        kit-E11 kit-E17 kit-E19 kak-E4 kak-E5""",
}

#: The severity of each erratum, by its id.
ERRATA: dict[str, str] = {
    id: severity for severity, ids in _IDS.items() for id in ids.split()
}
