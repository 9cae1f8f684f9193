// The search works on a page that was opened from a folder, but may not read the pages
// that it finds: they have no excerpts, and a sentence says so.
"use strict";

if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    const said = document.createElement("p");
    said.textContent = "Opened from a folder, the search shows titles without excerpts: " +
      "a browser reads no other file there. (make serve shows them.)";
    document.querySelector("#search-results").before(said);
  });
  globalThis.fetch = async () => new Response("");
}
