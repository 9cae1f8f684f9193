"""What is a box, and what is none."""

import pytest

from olutil.boxes import Box, boxes

PAGE = """
(kak-thm1)=
```{prf:theorem} No more (Theorem 1 of Kakade)
:class: wide

It holds that

$$
1 \\le 2. \\tag{1}
$$
```

(kak-proof)=
````{prf:proof}
Look.

(kak-step)=
:::{prf:remark}  The first  step

`a` is less:

```python
1 < 2
```
:::
````

(kak-figure)=
```{figure} a.svg
```

::::{admonition} Repaired
(kak-word)=
:::{prf:definition} A word
It means itself.
::::
"""


def test_a_box_has_a_target_a_kind_a_title_and_a_text():
    theorem, step = boxes(PAGE[: PAGE.index("(kak-figure)=")], "a.md")
    assert theorem == Box(
        "kak-thm1",
        "theorem",
        "No more (Theorem 1 of Kakade)",
        "It holds that\n\n$$\n1 \\le 2. \\tag{1}\n$$",
        "a.md",
    )
    assert (step.id, step.kind, step.title) == ("kak-step", "remark", "The first  step")
    assert step.text == "`a` is less:\n\n```python\n1 < 2\n```"
    assert step.lecture == "kak"


def test_a_fence_is_closed_by_one_at_least_as_long():
    *_, word = boxes(PAGE, "a.md")
    assert word.text == "It means itself."


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("```{prf:lemma} One\ntext\n```", "a.md: expected a target.*lemma 'One'"),
        ("(k-1)=\n\n```{prf:lemma} One\ntext\n```", "a.md: expected a target"),
        (
            "(k-1)=\n  ```{prf:lemma} One\n  text\n  ```",
            r"\(k-1\)=: expected ``` below",
        ),
        ("(k-1)=\n```{prf:lemma}\ntext\n```", r"a.md: \(k-1\)=: expected a box with"),
        (
            "(k-1)=\n```{prf:lemma} One\n:class: a\n```",
            r"\(k-1\)=: expected a box with",
        ),
        (
            "(k-1)=\n:::{prf:lemma} One\ntext\n```",
            r"a.md: \(k-1\)=: expected ::: below",
        ),
    ],
)
def test_what_is_malformed_is_named(page, said):
    with pytest.raises(ValueError, match=said):
        [*boxes(page, "a.md")]
