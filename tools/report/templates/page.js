
// Sorting and folding; all else works without.
"use strict";
(() => {
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.sort ?? cell.textContent.trim();
    const number = Number(text.replace(/[,\s]/g, ""));
    return text !== "" && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) =>
      typeof a === "number" && typeof b === "number"
          ? a - b
          : String(a).localeCompare(String(b), "en", {numeric : true});
  const sort = (table, column) => {
    const head = table.tHead.rows[0].cells;
    const down = head[column].ariaSort !== "descending";
    for (const cell of head)
      cell.removeAttribute("aria-sort");
    head[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].map(
        row => ({row, value : valueOf(row, column)}));
    rows.sort((a, b) => (down ? -1 : 1) * compare(a.value, b.value));
    table.tBodies[0].append(...rows.map(({row}) => row));
  };
  for (const table of document.querySelectorAll("table.sortable"))
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = document.createElement("button");
      button.textContent = cell.textContent;
      button.type = "button";
      button.addEventListener("click", () => sort(table, column));
      cell.replaceChildren(button);
    });

  const foldAll = open => {
    for (const part of document.querySelectorAll("details"))
      part.open = open;
  };
  for (const [text, open] of [[ "Unfold all", true ], [ "Fold all", false ]]) {
    const button = document.createElement("button");
    button.textContent = text;
    button.type = "button";
    button.addEventListener("click", () => foldAll(open));
    document.getElementById("tools").append(button);
  }

  // Where a link leads is to be seen.
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let part = target; part; part = part.parentElement)
      if (part.tagName === "DETAILS")
        part.open = true;
    if (target)
      target.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  unfold();
  window.addEventListener("beforeprint", () => foldAll(true));
})();
