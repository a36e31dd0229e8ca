
// Grading by hand: points that add up while somebody chooses, comments at lines without a new page, and keys.
(() => {
  const next = document.querySelector(".hand-next button");
  const form = document.querySelector("form.grading");
  if (!next && !form) return;
  const text = new Set(["INPUT", "TEXTAREA", "SELECT"]);
  const isTyping = it => text.has(it.tagName) && !["checkbox", "radio"].includes(it.type);
  const isOn = () => localStorage.getItem("hand-keys") !== "off";
  for (const part of document.querySelectorAll(".scripted")) part.hidden = false;

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || !isOn() || isTyping(event.target)) return;
    const press = name => (form ? form.querySelector(`.send button[value=${name}]`) : next);
    if (event.key === "n") press("next").click();
    else if (event.key === "s" && form) press("save").click();
    else if (form && /^[1-9]$/.test(event.key)) form.querySelectorAll(".rubric input[type=checkbox]")[event.key - 1]?.click();
    else return;
    event.preventDefault();
  });
  if (!form) return;

  const keys = document.querySelector("#keys");
  keys.checked = isOn();
  keys.addEventListener("change", () => localStorage.setItem("hand-keys", keys.checked ? "on" : "off"));

  function add(part) {
    const { begins, most } = part.dataset;
    const chosen = [...part.querySelectorAll("[data-points]:checked")].map(it => Number(it.dataset.points));
    const added = Number(part.querySelector(".added").value.replace(/[−–]/, "-").replace(",", ".")) * 100;
    const sum = chosen.reduce((sum, it) => sum + it, Number(begins)) + (Number.isFinite(added) ? Math.round(added) : 0);
    part.querySelector("output").textContent = Math.min(Math.max(sum, 0), Number(most)) / 100;
  }

  for (const part of form.querySelectorAll(".rubric")) part.addEventListener("input", () => add(part));

  // The form for a comment comes to the line, instead of a new page with it.
  const comment = form.querySelector("#comment");
  const typed = comment.querySelector("[name=text]");
  form.addEventListener("click", event => {
    const button = event.target.closest(".line button");
    if (!button) return;
    event.preventDefault();
    const line = button.closest(".line");
    comment.querySelector("[name=file]").value = line.closest(".source").getAttribute("aria-label");
    comment.querySelector("[name=line]").value = button.value.split(":")[1];
    let last = line;
    while (last.nextElementSibling?.matches(".remark")) last = last.nextElementSibling;
    last.after(comment);
    typed.focus();
  });
  comment.querySelector("[name=earlier]")?.addEventListener("change", event => {
    typed.value = event.target.value;
    event.target.value = "";
  });
})();
