// The dialog that a cell or a student opens. It inserts the section's data as text, so that none of it can become markup.

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children.filter(child => child !== null && child !== undefined && child !== ""));
  return element;
}

const dataOf = (() => {
  const read = new Map();
  return element => {
    const section = element.closest("section.assignment"), script = section.querySelector("script.data");
    if (!read.has(section)) read.set(section, JSON.parse(script.textContent));
    return read.get(section);
  };
})();

// What had the focus when the dialog opened. The browser gives it back.
let opener = null;

function open(title, buttons, ...content) {
  const dialog = document.querySelector("dialog"), body = dialog.querySelector(".dialog-body");
  const close = make("button", { type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const head = make("div", { class: "dialog-head" }, make("h2", { id: "dialog-title" }, title), make("div", {}, ...buttons, close));
  body.replaceChildren(head, ...content.filter(Boolean));
  if (!dialog.open) {
    opener = document.activeElement;
    dialog.showModal();
  }
  dialog.scrollTop = 0;
  return close;
}

// Gives the focus to `button` after the dialog has closed, unless the reader has gone on already.
function returnTo(button) {
  document.querySelector("dialog").onclose = () => {
    if ([document.body, opener].includes(document.activeElement)) button.focus();
  };
}

// Joins the lines with these numbers to a drawing.
function drawing(cells, number, label) {
  const text = cells.drawings[number].map(line => cells.lines[line]).join("\n");
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return make("div", { class: "drawing", role: "img", "aria-label": label }, document.importNode(svg, true));
}

const ways = {
  output: "prints something else", exit: "exits with another status", crash: "crashes", timeout: "does not finish",
  memory: "runs out of memory", "output-limit": "prints or writes more than the course allows",
};

// A nondeterministic program may have no difference to show.
const nothingSeen = { first: null, says: "", flaws: [], outputs: [], drawing: null, cut: false, how: "" };

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function openCell(button, focusOn) {
  const data = dataOf(button), cell = button.closest("td"), table = button.closest("table");
  const file = table.tHead.rows[0].cells[cell.cellIndex].querySelector("button").getAttribute("aria-label");
  const bug = button.dataset.bug, seen = data.cells.seen[data.cells.at[file]?.[bug]] || nothingSeen;
  const row = cell.parentElement, link = make("a", { href: row.querySelector("th a").getAttribute("href") }, "More about this mutant");
  link.addEventListener("click", () => document.querySelector("dialog").close());
  const facts = [
    make("p", { class: "muted" }, row.querySelector(".what").textContent, " ", link),
    make("p", {}, make("strong", {}, file), " ", make("code", {}, data.tests[file])),
    make("p", {}, sentence(`the mutant ${ways[seen.how] || "behaved the same when it was run again"}`), seen.first && ` ${sentence(seen.first)}`),
    !seen.how || seen.how === "output" ? null : make("p", {}, `The reference ${seen.reference_end}; the mutant ${seen.mutant_end}.`),
    seen.says ? make("p", {}, "Standard error: ", make("code", {}, seen.says)) : null,
    seen.cut ? make("p", { class: "muted" }, `The outputs do not fit on this page; \`harness explain ${file} ${data.bugs[bug]}\` shows them.`) : null,
  ];
  const cells = [...table.querySelectorAll("tbody tr:not([hidden]) button.cell")], at = cells.indexOf(button);
  const step = (label, to) => {
    const go = make("button", { type: "button", "data-step": label }, label);
    go.disabled = !cells[to];
    go.addEventListener("click", () => openCell(cells[to], label));
    return go;
  };
  const buttons = [step("Previous", at - 1), step("Next", at + 1)];
  const close = open(data.bugs[bug], buttons, ...facts, pictures(button, data, seen, file), ...seen.outputs.map(diff));
  const focused = buttons.find(go => go.dataset.step === focusOn && !go.disabled);
  (focused || close).focus();
  returnTo(button);
}

// Draws the reference's answer beside the mutant's.
function pictures(button, data, seen, file) {
  const cards = [...button.closest("section.assignment").querySelectorAll(".card")];
  const own = cards.find(card => card.dataset.file === file).querySelector(".drawing, pre");
  const pair = make("div", { class: "pair" });
  if (own) pair.append(make("figure", {}, own.cloneNode(true), make("figcaption", {}, own.matches("pre") ? "The test" : "With the reference's answer")));
  if (seen.drawing !== null) {
    pair.append(make("figure", {}, drawing(data.cells, seen.drawing, "The mutant's answer, drawn"), make("figcaption", {}, "With the mutant's answer")));
  }
  if (seen.flaws.length) {
    const flaws = make("ul", {}, ...seen.flaws.map(flaw => make("li", {}, flaw)));
    pair.append(make("figure", {}, make("p", {}, "What is wrong with the mutant's answer:"), flaws));
  }
  return pair.children.length ? pair : null;
}

function diff(output) {
  const head = make("tr", {}, ...["", "Reference", "", "Mutant"].map((name, at) => make(name ? "th" : "td", name ? { scope: "col" } : { class: "number" }, name)));
  const caption = make("caption", {}, output.file === null ? "Standard output" : `The file ${output.file}`);
  const body = make("tbody", {}, ...output.rows.map(diffRow));
  if (output.more) body.append(skipped(output.more, "more"));
  return make("table", { class: "diff" }, caption, make("thead", {}, head), body);
}

function skipped(lines, what) {
  return make("tr", { class: "skipped" }, make("td", { colspan: 4 }, `… ${lines} ${what} ${lines === 1 ? "line" : "lines"}`));
}

function diffRow(row) {
  if (row.skipped !== undefined) return skipped(row.skipped, "equal");
  const number = line => make("td", { class: "number" }, line ? String(line[0]) : "");
  if (row.same) return make("tr", {}, number([row.same[0]]), make("td", {}, row.same[2]), number([row.same[1]]), make("td", {}, row.same[2]));
  const [reference, mutant] = row.differs;
  const side = (line, name) => line ? make("td", { class: name }, ...marked(line[1], line[2])) : make("td", { class: "absent" });
  return make("tr", { class: "differs" }, number(reference), side(reference, "reference"), number(mutant), side(mutant, "mutant"));
}

// A line with its differences marked; ranges count characters.
function marked(text, ranges) {
  const characters = [...text], parts = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(characters.slice(at, start).join(""), make("mark", {}, characters.slice(start, end).join("")));
    at = end;
  }
  return [...parts, characters.slice(at).join("")];
}

const marks = { output: "≠", exit: "x", crash: "!", timeout: "∞", memory: "M", "output-limit": "L" };

function openSuite(button) {
  const data = dataOf(button), tests = data.suites[button.dataset.suite];
  const row = ([file, command, exposes]) => make("tr", {}, make("th", { scope: "row" }, file), make("td", {}, make("code", {}, command)),
    Object.keys(data.bugs).length ? make("td", { class: "exposes" }, `exposes ${exposes.length}`) : null);
  const list = make("table", { class: "list" }, make("tbody", {}, ...tests.map(row)));
  const content = tests.length ? make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tests" }, list, ...matrixOf(tests, data.bugs, nounOf(button))) : make("p", {}, "No valid test.");
  open(button.textContent, [], content).focus();
  returnTo(button);
}

// The reader's word for a mutant, capitalized.
function nounOf(element) {
  const noun = element.closest("section.assignment").dataset.noun;
  return noun[0].toUpperCase() + noun.slice(1);
}

// A legend, and the matrix of a student's tests and the mutants that they expose, the one exposed by the most tests first.
function matrixOf(tests, bugs, noun) {
  const rows = new Map();
  tests.forEach(([, , exposes], at) => exposes.forEach(([bug, how]) => {
    if (!rows.has(bug)) rows.set(bug, new Map());
    rows.get(bug).set(at, how);
  }));
  if (!rows.size) return [];
  const header = ([file]) => {
    const short = file.replace(/^test-|\.txt$/g, "");
    return make("th", { scope: "col", class: "test", "aria-label": file }, make("span", { class: short.length > 2 ? "sideways" : undefined }, short));
  };
  const cell = how => make("td", {}, how ? make("span", { class: `cell ${how}`, role: "img", "aria-label": ways[how] }, marks[how]) : "");
  const row = ([bug, hows]) => make("tr", {}, make("th", { scope: "row" }, bugs[bug]), make("td", { class: "count" }, String(hows.size)), ...tests.map((_, at) => cell(hows.get(at))));
  const sorted = [...rows].sort((a, b) => b[1].size - a[1].size || a[0] - b[0]);
  const head = make("tr", {}, make("th", { scope: "col" }, noun), make("th", { scope: "col" }, "Tests"), ...tests.map(header));
  const seen = new Set(tests.flatMap(([, , exposes]) => exposes.map(([, how]) => how)));
  const legend = [...seen].map(how => make("span", {}, make("span", { class: `cell ${how}`, "aria-hidden": "true" }, marks[how]), ` ${ways[how]}`));
  return [make("p", { class: "legend" }, ...legend), make("table", { class: "matrix" }, make("thead", {}, head), make("tbody", {}, ...sorted.map(row)))];
}
