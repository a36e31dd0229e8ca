// Event handlers.

for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;
for (const table of document.querySelectorAll("table[id]")) count(table, table.tBodies[0].rows.length);
for (const table of document.querySelectorAll("table.matrix")) rove(table);

document.addEventListener("click", event => {
  const on = selector => event.target.closest(selector);
  if (on(".sort")) toggleSort(on(".sort"));
  else if (on("button.cell")) openCell(on("button.cell"));
  else if (on("button.suite")) openSuite(on("button.suite"));
  else if (on('a[href^="#"]')) unfold(on("a").getAttribute("href"));
});

function refilter(event) {
  const { filter: filtered, show, columns } = event.target.dataset;
  if (filtered || show) filter(document.getElementById(filtered || show));
  if (columns) orderColumns(document.getElementById(columns), event.target.value);
}
document.addEventListener("input", refilter);

// A link to a mutant opens its details. In print, all details are open.
function unfold(hash) {
  const target = hash.length > 1 && document.getElementById(hash.slice(1));
  if (target && target.matches("details")) target.open = true;
}
unfold(location.hash);
window.addEventListener("hashchange", () => unfold(location.hash));

let folded = [];
window.addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
window.addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
