// Event handlers. They are the document's, so that they also serve a section that is inserted later.

// Shows the tools of what is inside `root`, and prepares its tables. A script that inserts a section calls `harness.begin(section)`.
function begin(root) {
  for (const tools of root.querySelectorAll(".tools")) tools.hidden = false;
  for (const counted of root.querySelectorAll("[data-counted]")) {
    const table = document.getElementById(counted.dataset.counted);
    if (table) count(table, table.tBodies[0].rows.length);
  }
  for (const table of root.querySelectorAll("table.matrix:not([data-roves])")) {
    table.dataset.roves = "";
    rove(table);
  }
}

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

// A link to details, or to something in details, opens them. In print, all details are open.
function unfold(hash) {
  let at = hash.length > 1 && document.getElementById(hash.slice(1));
  for (; at; at = at.parentElement) if (at.matches("details")) at.open = true;
}
window.addEventListener("hashchange", () => unfold(location.hash));

let folded = [];
window.addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
window.addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});

function ready() {
  begin(document);
  unfold(location.hash);
}
window.harness = { begin };
// A page may load this file before its sections are read.
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
else ready();
