"""Submissions against the pages and tables that people open, graded as one folder."""

from itertools import pairwise

from trial import HONEST

LAST = "weights-answer"
SCRIPTS = """
<script>alert(1)</script> <SCRIPT SRC=//127.0.0.1/x></SCRIPT > <svg onload=alert(1)>
<img src=x onerror=alert(1)> <img src="http://127.0.0.1/pixel"> <iframe srcdoc="<script>
alert(1)</script>"></iframe> <meta http-equiv=refresh content="0;url=//127.0.0.1">
<base href=//127.0.0.1/> <form action=//127.0.0.1><input type=submit></form>
<object data=x></object> <embed src=x> <math><mtext href="javascript:alert(1)">x</math>
<a href="&#106;avascript:alert(1)">x</a> --> ]]> </pre></textarea></style></title>
<details open ontoggle=alert(1)> <style>@import "//127.0.0.1/x"; * {color: red}</style>
<div style="position:fixed;inset:0"> <noscript><p title="</noscript><script>alert(1)">
"""
LINKS = """
[a](javascript:alert(1)) [b](JavaScript:alert(1)) [c](java&Tab;script:alert(1))
[d](<\tjava\tscript:alert(1)>) [e](\x01javascript:alert(1)) [f](data:text/html,<script>)
[g](vbscript:x) [h](javascript&colon;alert(1)) [i](javascript&#58;alert(1)) [j][k]

[k]: javascript:alert(1)
![l](http://127.0.0.1/pixel) ![m](javascript:alert(1)) ![n][k] <javascript:alert(1)>
[o](java\nscript:alert(1)) [p](javascript\\:alert(1)) [q](&#x6A;avascript:alert(1))
[r](<javascript:alert(1)> "t\\" onmouseover=\\"alert(1)") `<script>alert(1)</script>`

```html
<script>alert(1)</script>
```
"""
FORMULAS = (
    r"""
$\href{javascript:alert(1)}{x}$ $$\href{javascript:alert(1)}{x}$$ $\unicode{60}$
$\def\h{\href}\h{javascript:alert(1)}{x}$ $\style{position:fixed}{x}$ $\class{a}{x}$
$\cssId{a}{x}$ $\require{html}$ $\url{javascript:alert(1)}$ $\data{a}{b}$
$\mmlToken{mi}[href="javascript:alert(1)"]{x}$ $\bbox[url(//127.0.0.1/x)]{x}$
$\htmlData{a=b}{x}$ $\enclose{circle}[href="javascript:alert(1)"]{x}$ $</script>$
\begin{align}\href{javascript:alert(1)}{x}\end{align} \(\href{javascript:alert(1)}{x}\)
$\text{<script>alert(1)</script>}$ $\text{&#60;img src=x onerror=alert(1)>}$
$\hspace{99999em}x$ $\color{url(//127.0.0.1/x)}{x}$ $\mathchoice{<b>}{<b>}{<b>}{<b>}$
"""
    + "".join(rf"$\def\{a}{{\{b}\{b}}}" for a, b in pairwise("abcdefghijklmnop"))
    + r"\a$"
)
SHOW = """
class Page:
    def _repr_html_(self):
        return "<script>alert(1)</script>"
    _repr_svg_ = _repr_javascript_ = _repr_markdown_ = _repr_latex_ = _repr_html_
    def __repr__(self):
        return SCRIPTS
    def _repr_mimebundle_(self, *a, **k):
        return {"text/html": SCRIPTS, "application/javascript": "alert(1)"}
print(SCRIPTS, "\\x1b]8;;javascript:alert(1)\\x07x\\x1b]8;;\\x07 \\x1b[31m")
print("\\ud800\\0")
print("$\\\\href{javascript:alert(1)}{x}$")
display(Page())
Page()
""".replace("SCRIPTS", repr(SCRIPTS))
FAIL = """
class Bad(Exception):
    __name__ = "=1+1"
Bad = type("=cmd|' /C calc'!A0<script>alert(1)</script>", (Exception,), {})
def weights(losses):
    raise Bad("<script>alert(1)</script>\\n=HYPERLINK('//127.0.0.1')\\ud800\\0\\x1b[2J")
raise Bad("<script>alert(1)</script>" * 1000)
"""
HOG = """
import os, time
for _ in range(20):
    try:
        if os.fork() == 0:
            while True:
                pass
    except OSError:
        pass
time.sleep(4)
"""
KILL = "import os\nos.kill(-1, 9)\nos.kill(1, 9)\nos._exit(0)"
TWO = {key: HONEST[key] for key in ("twice-answer", "guess-answer")}

# By student: the answers, and the points for them.
SUBMISSIONS = {
    "honest-first": (HONEST, 7.0),
    "page-outputs": ({**TWO, LAST: SHOW}, 5.0),
    "page-code": ({**TWO, LAST: f"'''{SCRIPTS}{FORMULAS}'''"}, 5.0),
    "page-essay": ({**HONEST, "essay": SCRIPTS}, 7.0),
    "page-links": ({**HONEST, "essay": LINKS}, 7.0),
    "page-formulas": ({**HONEST, "essay": FORMULAS}, 7.0),
    "page-slow": ({**HONEST, "essay": "a" + " " * 19_000 + "a"}, 7.0),
    "page-errors": ({**TWO, LAST: FAIL}, 5.0),
    "run-hog": ({**TWO, LAST: HOG}, 5.0),
    "run-kill": ({**TWO, LAST: KILL}, 5.0),
    "honest-last": (HONEST, 7.0),
}
# Names of files that are no student's; each is refused.
NAMES = ["<img src=x onerror=alert(1)>", "=1+1", "@SUM(A1)", "-2+3", "a,b\n=1", "+1"]
