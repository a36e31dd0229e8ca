
// Handing in: files are dropped or chosen, checked before they cost anything, and sent once, however often the network fails.
(() => {
  const form = document.querySelector("form.hand-in");
  if (!form) return;
  const input = form.querySelector("#files");
  const folder = form.querySelector("#folder");
  const drop = form.querySelector(".drop");
  const chosen = form.querySelector(".chosen");
  const said = form.querySelector(".said");
  const button = form.querySelector(".main-button");
  const progress = form.querySelector("progress");
  const check = document.querySelector(".check");
  const isOpen = !button.disabled;
  const patterns = form.dataset.patterns.split(" ").map(toRegExp);
  const most = 1000;
  let files = [];
  let round = 0;
  for (const part of form.querySelectorAll(".scripted")) part.hidden = false;
  input.required = false;

  // As in a shell, a star stands for no dot at the start.
  function toRegExp(pattern) {
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${pattern.startsWith("*") ? "(?!\\.)" : ""}${escaped}$`);
  }

  // The files of a folder that belong to a submission. What a folder holds besides is left out.
  function ofFolder(all) {
    const taken = all.filter(({ path }) => !path.includes("/") && patterns.some(it => it.test(path)));
    return { taken, leftOut: all.length - taken.length };
  }

  function choose({ taken, leftOut = 0 }) {
    files = taken;
    const names = files.map(({ path }) => path).sort();
    const shown = names.length > 12 ? [...names.slice(0, 12), `and ${names.length - 12} more`] : names;
    const rest = leftOut > 0 ? ` Left out: ${leftOut} that do not belong to a submission.` : "";
    chosen.textContent = names.length > 0 ? `Chosen: ${shown.join(", ")}.${rest}` : `Nothing to hand in.${rest}`;
    look();
  }

  const plain = list => [...list].map(file => ({ file, path: file.name }));

  input.addEventListener("change", () => {
    if (folder) folder.value = "";
    choose({ taken: plain(input.files) });
  });

  folder?.addEventListener("change", () => {
    input.value = "";
    // The path begins with the folder itself.
    const inside = file => file.webkitRelativePath.split("/").slice(1).join("/");
    choose(ofFolder([...folder.files].map(file => ({ file, path: inside(file) }))));
  });

  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, event => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));

  drop.addEventListener("drop", async event => {
    event.preventDefault();
    const items = [...event.dataTransfer.items].filter(item => item.kind === "file");
    const entries = items.map(item => item.webkitGetAsEntry?.()).filter(Boolean);
    input.value = "";
    if (folder) folder.value = "";
    if (entries.length === 1 && entries[0].isDirectory) {
      const all = [];
      await walk(entries[0], "", all);
      choose(ofFolder(all));
    } else if (entries.length > 0) {
      const all = [];
      for (const entry of entries) await (entry.isDirectory ? walk(entry, `${entry.name}/`, all) : add(entry, "", all));
      choose({ taken: all });
    } else {
      choose({ taken: plain(event.dataTransfer.files) });
    }
  });

  const add = (entry, path, all) => new Promise(resolve => {
    entry.file(file => resolve(all.push({ file, path: path + file.name })), () => resolve());
  });

  async function walk(folder, path, all) {
    const reader = folder.createReader();
    for (;;) {
      // A browser gives some of the entries at a time.
      const entries = await new Promise(resolve => reader.readEntries(resolve, () => resolve([])));
      if (entries.length === 0 || all.length > most) return;
      for (const entry of entries) {
        if (!entry.isDirectory) await add(entry, path, all);
        // What is deeper does not belong to a submission.
        else all.push({ file: null, path: `${path}${entry.name}/` });
      }
    }
  }

  function content() {
    const data = new FormData();
    data.append("request", form.elements.request.value);
    for (const { file, path } of files) if (file) data.append("files", file, path);
    return data;
  }

  // Asks the server what is wrong with the files. It costs nothing.
  async function look() {
    const mine = ++round;
    check.replaceChildren();
    said.textContent = "";
    if (files.length === 0) return;
    said.textContent = "Checking…";
    let answer;
    try {
      const response = await fetch(form.dataset.check, { method: "POST", body: content(), headers: { Accept: "application/json" } });
      answer = await response.json();
    } catch {
      answer = { error: "the check did not reach the server", hint: "you can hand in all the same" };
    }
    if (mine !== round) return;
    if (answer.html) {
      insert(answer.html);
      said.textContent = answer.refused ? "These files would be refused. The messages below say why." : "Checked: these files would be taken.";
    } else {
      said.textContent = sentences(answer);
    }
    button.disabled = !isOpen || answer.refused === true;
  }

  const sentences = ({ error, hint }) => [error, hint].filter(Boolean).map(it => `${it[0].toUpperCase()}${it.slice(1)}.`).join(" ");

  function insert(html) {
    check.innerHTML = html;
    window.harness?.begin(check);
  }

  const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

  // Sends the files. Nobody knows what became of a request without an answer, so it is sent again with the same key.
  function send() {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.setRequestHeader("Accept", "application/json");
      request.timeout = 120_000;
      request.upload.onprogress = event => {
        if (event.lengthComputable) progress.value = 100 * event.loaded / event.total;
      };
      request.onload = () => resolve(request);
      request.onerror = request.ontimeout = () => reject(new Error("no answer"));
      request.send(content());
    });
  }

  async function handIn() {
    for (let attempt = 1; ; attempt++) {
      try {
        const request = await send();
        if (request.status !== 503 && request.status !== 429) return request;
      } catch {
        // It is sent again.
      }
      if (attempt === 8) return null;
      said.textContent = `The server did not answer. Trying again: it counts once. (${attempt})`;
      await pause(Math.min(1000 * 2 ** attempt, 15_000));
    }
  }

  form.addEventListener("submit", async event => {
    if (event.submitter?.formAction?.includes("/check")) return;
    event.preventDefault();
    if (button.disabled) return;
    if (files.length === 0) {
      said.textContent = "Choose files first.";
      return;
    }
    button.disabled = true;
    progress.hidden = false;
    said.textContent = "Sending…";
    const request = await handIn();
    progress.hidden = true;
    let answer = {};
    try {
      answer = JSON.parse(request.responseText);
    } catch {
      answer = { error: "the server did not answer", hint: "hand in again later: what arrived counts once" };
    }
    if (answer.url) {
      location.assign(answer.url);
      return;
    }
    if (answer.html) {
      insert(answer.html);
      said.textContent = "Refused, which costs nothing. The messages below say why.";
    } else {
      said.textContent = sentences(answer);
      button.disabled = !isOpen;
    }
  });

  // A page that the browser kept has an old button.
  window.addEventListener("pageshow", event => {
    if (event.persisted) location.reload();
  });
})();
