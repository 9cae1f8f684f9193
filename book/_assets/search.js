// What the search page says: of each page that was found a passage with the words, in
// which formulas are text (see _ext/formulas.py); and where nothing was found, what to try.
// The words themselves are the affair of _ext/searching.py.
"use strict";

{
  const LENGTH = 240; // characters of a passage
  const BLOCKS = "p, li, dt, dd, td, figcaption, pre";
  const NO_TEXT =
    "script, style, button, .headerlink, .visually-hidden, .evidence, .reading-time";
  const WORD = /[\p{L}\p{M}\p{N}_]+(?:[-–/][\p{L}\p{M}\p{N}_]+)*/gu;
  const stemmer = new Stemmer();
  const stemsOf = new Map(); // by word: a page has most words many times

  // Pages come before the names of the package.
  Object.assign(Scorer, { objNameMatch: 4, objPartialMatch: 1, objPrio: {} });
  Scorer.objPrioDefault = 0;

  // --- Passages ----------------------------------------------------------------------

  /** Which of the stems that are looked for a word of a text is, or has in it. */
  function hits(word, wanted) {
    if (!stemsOf.has(word)) {
      stemsOf.set(word, splitQuery(word).map((part) => stemmer.stemWord(part)));
    }
    const stems = stemsOf.get(word);
    return wanted.filter((it) =>
      stems.some((stem) => stem === it || (it.length > 2 && stem.includes(it))),
    );
  }

  /** The texts of a page, from the part with the anchor on, prose before code. */
  function blocksOf(html, anchor) {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const extra of page.querySelectorAll(NO_TEXT)) extra.remove();
    for (const formula of page.querySelectorAll("math")) {
      formula.replaceWith(formula.getAttribute("alttext"));
    }
    const article = page.querySelector("article");
    const place = anchor && page.getElementById(anchor.slice(1));
    const all = [...article.querySelectorAll(BLOCKS)];
    const isCode = (block) => block.matches("pre");
    const here = all.filter(
      (block) =>
        !block.querySelector(BLOCKS) &&
        (!place || place === block ||
          place.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING),
    );
    return [...here.filter((block) => !isCode(block)), ...here.filter(isCode)]
      .map((block) => block.textContent.replace(/\s+/g, " ").trim())
      .filter(Boolean);
  }

  /** A passage of a block around a place in it, from word to word. */
  function passage(block, at) {
    if (block.length <= LENGTH) return [0, block.length];
    const wanted = Math.max(0, Math.min(at - LENGTH / 3, block.length - LENGTH));
    const from = wanted && block.indexOf(" ", wanted) + 1;
    const to = block.lastIndexOf(" ", from + LENGTH);
    return [from, from + LENGTH < block.length && to > from ? to : block.length];
  }

  /** The first block with the most of the words, and the words with their places. */
  function best(blocks, wanted) {
    let [block, marks, most] = [blocks[0] ?? "", [], 0];
    for (const text of blocks) {
      const found = [...text.matchAll(WORD)].map((word) => [word, hits(word[0], wanted)]);
      const different = new Set(found.flatMap(([, stems]) => stems)).size;
      if (different <= most) continue;
      [block, most] = [text, different];
      marks = found.filter(([, stems]) => stems.length).map(([word]) => word);
    }
    return [block, marks];
  }

  Search.makeSearchSummary = (html, wanted, anchor) => {
    const [block, marks] = best(blocksOf(html, anchor), [...wanted]);
    const [from, to] = passage(block, marks[0]?.index ?? 0);
    const said = document.createElement("p");
    said.className = "context";
    let at = from;
    for (const { 0: word, index } of marks) {
      if (index < at || index + word.length > to) continue;
      const mark = document.createElement("span");
      mark.className = "highlighted";
      mark.textContent = word;
      said.append(block.slice(at, index), mark);
      at = index + word.length;
    }
    said.prepend(from ? "… " : "");
    said.append(block.slice(at, to), to < block.length ? " …" : "");
    return said;
  };

  // --- Nothing found -----------------------------------------------------------------

  /** How many letters must be typed otherwise to make one word the other. */
  function distance(a, b) {
    let row = [...b, 0].map((_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        const other = row[j - 1] + (a[i - 1] !== b[j - 1]);
        next.push(Math.min(row[j] + 1, next[j - 1] + 1, other));
      }
      row = next;
    }
    return row[b.length];
  }

  /** The word of the titles and of the index that is nearest to a word, if one is near. */
  function near(word, known) {
    const far = word.length < 6 ? 1 : 2;
    const [best] = known
      .filter((other) => other[0] === word[0] && Math.abs(other.length - word.length) <= far)
      .map((other) => [distance(word, other), other])
      .filter(([d]) => d <= far)
      .sort(([d], [e]) => d - e);
    return best?.[1];
  }

  function link(text, address) {
    const made = document.createElement("a");
    made.href = address;
    made.textContent = text;
    return made;
  }

  const query = Search.query;
  Search.query = (text) => {
    const [asked, ...terms] = Search._parseQuery(text);
    if (Search._performSearch(asked, ...terms).length) return query(text);
    Search.stopPulse();
    Search.title.textContent = "Nothing found";
    const { terms: inText, titleterms, alltitles, indexentries } = Search._index;
    const titles = [...Object.keys(alltitles), ...Object.keys(indexentries)];
    const known = [...new Set(titles.flatMap(splitQuery))].filter((it) => it.length > 3);
    const typed = splitQuery(text);
    const corrected = typed.map((word) => {
      const stem = stemmer.stemWord(word);
      const isKnown = stem in inText || stem in titleterms || stopwords.includes(word);
      return isKnown ? word : near(word, known) ?? word;
    });
    const better = corrected.join(" ");
    if (better !== typed.join(" ")) {
      const again = link(better, `search.html?q=${encodeURIComponent(better)}`);
      Search.status.replaceChildren("Did you mean ", again, "?");
    } else if (typed.length > 1) {
      Search.status.textContent = "No page has all of these words: try fewer.";
    } else {
      Search.status.textContent = "No page has this word.";
    }
    const more = document.createElement("p");
    more.append(
      "The words of the book stand in the ", link("glossary", "glossary.html"),
      ", its letters in ", link("notation", "notation.html"),
      ", statements and authors in the ", link("index", "genindex.html"), ".",
    );
    Search.status.after(more);
  };
}
