// Paper is light, whatever the screen is; print.css does the rest.
"use strict";

{
  let theme;

  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    for (const image of document.images) image.loading = "eager";
  });

  addEventListener("afterprint", () => {
    document.documentElement.dataset.theme = theme;
  });
}
