// Marks in a page's contents the section that is being read: the last one whose heading
// has come up to the header.  (The theme's script marks what comes into sight, which after
// a jump is often another one, and looks away for a second.)
"use strict";

{
  const nav = document.getElementById("contents");
  const sidebar = nav?.closest(".bd-sidebar-secondary");
  const links = [...(nav?.querySelectorAll("a[href^='#']") ?? [])];
  const headings = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1)))?.querySelector("h2, h3, h4"),
  );
  const READ = 130; // pixels from the top of the window: below the header and a margin
  let marked;

  function mark() {
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
    const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
    const tops = headings.map((heading) => heading?.getBoundingClientRect().top ?? Infinity);
    let at = tops.findLastIndex((top) => top <= READ);
    // Of the last sections some cannot come up: there the reader's own choice counts.
    const chosen = links.findIndex(({ hash }) => hash === location.hash);
    if (atEnd && chosen > at) at = chosen;
    if (at === marked) return;
    marked = at;
    for (const entry of nav.querySelectorAll(".toc-entry")) {
      entry.classList.toggle("active", at >= 0 && entry.contains(links[at]));
    }
    links.forEach((link, i) => {
      link.classList.toggle("active", i === at);
      if (i === at) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if (at < 0) return;
    const [link, seen] = [links[at], sidebar].map((it) => it.getBoundingClientRect());
    if (link.bottom > seen.bottom) sidebar.scrollTop += link.bottom - seen.bottom + READ;
    else if (link.top < seen.top) sidebar.scrollTop += link.top - seen.top - READ;
  }

  if (links.length) {
    let asked = false;
    const later = () => {
      if (!asked) requestAnimationFrame(() => ((asked = false), mark()));
      asked = true;
    };
    addEventListener("scroll", later, { passive: true });
    addEventListener("hashchange", later);
    later();
  }
}
