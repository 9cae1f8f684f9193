// Paper is light, whatever the screen is; print.css does the rest.
"use strict";

{
  const SHORT = 20; // lines: a longer piece would leave too much of a page empty
  let theme;

  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    for (const image of document.images) image.loading = "eager";
    for (const code of document.querySelectorAll(".cell_input, .cell_output .output")) {
      const short = code.textContent.trim().split("\n").length <= SHORT;
      code.classList.toggle("print-whole", short);
    }
  });

  addEventListener("afterprint", () => {
    document.documentElement.dataset.theme = theme;
  });
}
