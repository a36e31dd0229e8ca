"use strict";
// Tables: sorting by a column, filtering, the order of the matrix's columns, and the arrow keys between its cells.

function valueOf(cell) {
  if (cell.dataset.how) return 1;
  const text = cell.textContent.trim();
  return isNaN(text) ? text : Number(text);
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortBy(header, direction) {
  const table = header.closest("table"), body = table.tBodies[0], column = header.cellIndex;
  const rows = [...body.rows].map(row => [valueOf(row.cells[column]), row]);
  const sign = direction === "descending" ? -1 : 1;
  rows.sort((a, b) => sign * compare(a[0], b[0]));
  for (const other of header.parentElement.cells) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
  header.setAttribute("aria-sort", direction);
  body.append(...rows.map(([, row]) => row));
}

function toggleSort(button) {
  const header = button.closest("th"), now = header.getAttribute("aria-sort");
  const first = button.dataset.first || "ascending", second = first === "ascending" ? "descending" : "ascending";
  sortBy(header, now === first ? second : first);
}

// Shows the rows that contain all words and, in a matrix, match the selected outcome.
function filter(table) {
  const field = document.querySelector(`[data-filter="${table.id}"]`), show = document.querySelector(`[data-show="${table.id}"]`);
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), wanted = show ? show.value : "";
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    const text = [...row.cells].filter(cell => !cell.dataset.how).map(cell => cell.textContent).join(" ").toLowerCase();
    const hows = [...row.querySelectorAll("[data-how]")].map(cell => cell.dataset.how);
    const isWanted = wanted === "" || (wanted === "missed" ? !hows.length : wanted === "exposed" ? hows.length : hows.includes(wanted));
    row.hidden = !(isWanted && words.every(word => text.includes(word)));
    if (!row.hidden) shown += 1;
  }
  count(table, shown);
}

function count(table, shown) {
  const output = document.querySelector(`[data-counted="${table.id}"]`), all = table.tBodies[0].rows.length;
  if (output) output.textContent = shown === all ? `${all} shown` : `${shown} of ${all} shown`;
}

// Sorts the matrix's columns of tests, by file or by how many mutants they expose.
function orderColumns(table, by) {
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, at) => { header.dataset.at ??= at; });
  const key = header => Number(header.dataset.at);
  const tests = headers.filter(header => header.classList.contains("test")).sort((a, b) => by === "count" && b.dataset.count - a.dataset.count || key(a) - key(b));
  const order = tests.map(header => header.cellIndex);
  for (const row of table.rows) {
    const cells = [...row.cells];
    cells[1].after(...order.map(at => cells[at]));
  }
}

// Tab reaches one cell of a matrix; the arrow keys move to the others.
function rove(table) {
  const first = table.querySelector("button.cell");
  for (const cell of table.querySelectorAll("button.cell")) cell.tabIndex = cell === first ? 0 : -1;
  table.addEventListener("focusin", event => {
    if (!event.target.matches("button.cell")) return;
    for (const cell of table.querySelectorAll('button.cell[tabindex="0"]')) cell.tabIndex = -1;
    event.target.tabIndex = 0;
  });
  table.addEventListener("keydown", event => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || !event.target.matches("button.cell")) return;
    event.preventDefault();
    const next = neighbour(event.target, step);
    if (next) next.focus();
  });
}

// The nearest cell in a direction: in the same row, or in the next row at the nearest column.
function neighbour(button, [down, right]) {
  const cell = button.closest("td");
  if (right) {
    for (let at = sibling(cell, right); at; at = sibling(at, right)) if (at.querySelector("button.cell")) return at.querySelector("button.cell");
    return null;
  }
  const away = other => Math.abs(other.closest("td").cellIndex - cell.cellIndex);
  for (let row = sibling(cell.parentElement, down); row; row = sibling(row, down)) {
    const cells = row.hidden ? [] : [...row.querySelectorAll("button.cell")];
    if (cells.length) return cells.reduce((best, other) => away(other) < away(best) ? other : best);
  }
  return null;
}

function sibling(element, step) {
  return step > 0 ? element.nextElementSibling : element.previousElementSibling;
}
