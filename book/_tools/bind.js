// Binds pages of the site into one, to be printed: the articles in the order of their
// "next" links, below each other in the page that is open, which is the first, as long as
// their addresses begin as they should.
// Ids get their page's name before them, so that none is given twice, and links between
// pages become links within the page.  Then images are decoded.
// The result is how many pages there are, and their headings.
async (beginning) => {
  const pages = new Map(); // a page's address -> its name and document
  for (let address = location.href; address; ) {
    const html = await (await fetch(address)).text();
    const page = new DOMParser().parseFromString(html, "text/html");
    const name = new URL(address).pathname.slice(1).replace(/\W+/g, "-");
    pages.set(address, { name, page });
    const next = page.querySelector("link[rel=next]")?.getAttribute("href");
    address = next && new URL(next, address).href;
    if (!address?.startsWith(beginning)) break;
  }

  function bind(address, { name, page }) {
    const article = page.querySelector("article.bd-article");
    const rename = (id) => `${name}--${id}`;
    for (const named of article.querySelectorAll("[id]:not(svg *)")) {
      named.id = rename(named.id);
    }
    for (const attribute of ["aria-labelledby", "aria-describedby", "for"]) {
      for (const node of article.querySelectorAll(`[${attribute}]:not(svg *)`)) {
        const ids = node.getAttribute(attribute).split(" ");
        node.setAttribute(attribute, ids.map(rename).join(" "));
      }
    }
    for (const link of article.querySelectorAll("a[href]")) {
      const target = new URL(link.getAttribute("href"), address);
      const leadsTo = pages.get(target.href.split("#")[0]);
      if (leadsTo) {
        const hash = target.hash && `--${decodeURIComponent(target.hash.slice(1))}`;
        link.setAttribute("href", `#${leadsTo.name}${hash}`);
      } else if (target.origin === location.origin) {
        link.removeAttribute("href"); // a file of the site, which is not in the book
      }
    }
    for (const image of article.querySelectorAll("img")) {
      image.src = new URL(image.getAttribute("src"), address);
      image.loading = "eager";
    }
    article.id = name;
    return article;
  }

  // A style sheet of some pages only must not style the others.
  const sheets = new Map(); // a sheet's address -> the names of the pages that have it
  for (const [address, { name, page }] of pages) {
    for (const link of page.querySelectorAll("link[rel=stylesheet]")) {
      const sheet = new URL(link.getAttribute("href"), address).href;
      sheets.set(sheet, [...(sheets.get(sheet) ?? []), name]);
    }
  }
  for (const link of document.querySelectorAll("link[rel=stylesheet]")) {
    if (sheets.get(link.href).length < pages.size) link.remove();
  }
  for (const [sheet, names] of sheets) {
    if (names.length === pages.size) continue;
    const style = document.createElement("style");
    const roots = names.map((name) => `#${name}`).join(", ");
    style.textContent = `@scope (${roots}) { ${await (await fetch(sheet)).text()} }`;
    document.head.append(style);
  }

  document
    .querySelector("article.bd-article")
    .replaceWith(...[...pages].map(([address, page]) => bind(address, page)));

  await Promise.all([...document.images].map((image) => image.decode()));
  await document.fonts.ready;
  const headings = document.querySelectorAll("article :is(h1, h2, h3, h4)");
  return [pages.size, [...headings].map((heading) => {
    const said = heading.cloneNode(true);
    said.querySelector(".headerlink")?.remove();
    return said.textContent.trim().replace(/\s+/g, " ");
  })];
};
