/**
 * Lists are the sections with data-rows, which says how many rows show at first. A row fits where all words of the filter
 * are in its text, which has its id in full.
 */
export const lists = /* javascript */ `
const step = 50;
const filter = byId("filter");
const lists = [...document.querySelectorAll("[data-rows]")].map((section) => ({
  section,
  first: Number(section.dataset.rows),
  limit: Number(section.dataset.rows),
}));

function arrange(list) {
  const { section, first, limit } = list;
  const part = (selector) => section.querySelector(selector);
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const rows = [...section.querySelectorAll("tbody tr")];
  const fitting = rows.filter((row) => {
    const text = row.textContent.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const shown = new Set(fitting.slice(0, limit));
  for (const row of rows) row.hidden = !shown.has(row);

  const filtered = words.length > 0;
  part(".count").hidden = filtered;
  part(".matches").hidden = !filtered;
  part(".matches").textContent = fitting.length + " of " + rows.length + " match";
  const nothingFits = rows.length > 0 && fitting.length === 0;
  part(".no-match").hidden = !nothingFits;
  if (rows.length > 0) part("table").hidden = nothingFits;
  const more = part(".more");
  const left = fitting.length - limit;
  more.hidden = fitting.length <= first;
  more.textContent = left > 0 ? "Show " + Math.min(left, step) + " more" : "Show fewer";
  return fitting.length;
}

function arrangeAll() {
  return lists.reduce((sum, list) => sum + arrange(list), 0);
}

for (const list of lists) {
  const more = list.section.querySelector(".more");
  more.addEventListener("click", () => {
    const fewer = more.textContent === "Show fewer";
    list.limit = fewer ? list.first : list.limit + step;
    arrange(list);
    if (fewer) more.scrollIntoView({ block: "nearest" });
  });
}

filter.addEventListener("input", () => {
  for (const list of lists) list.limit = list.first;
  const fitting = arrangeAll();
  announce(filter.value.trim() === "" ? "" : fitting + (fitting === 1 ? " row matches." : " rows match."));
});
// A browser that goes back to the page fills the field in again.
addEventListener("pageshow", arrangeAll);
arrangeAll();
`;
