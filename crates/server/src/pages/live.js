
// Pages that change while somebody looks at them. Only what the server changed is replaced, so what was opened or sorted stays.
(() => {
  const boxes = new Set(["SECTION", "DIV", "UL", "OL", "P", "LI"]);

  function parsed(html) {
    const box = document.createElement("div");
    box.innerHTML = html;
    return box;
  }

  // Brings `shown`, which came from `before`, to `after`.
  function change(shown, before, after) {
    if (before.isEqualNode(after)) return;
    const isBox = boxes.has(after.nodeName) && shown.nodeName === after.nodeName && before.nodeName === after.nodeName
      && shown.childNodes.length === before.childNodes.length && before.id === after.id;
    if (!isBox) {
      const fresh = after.cloneNode(true);
      if (shown.nodeName === "DETAILS" && fresh.nodeName === "DETAILS") fresh.open = shown.open;
      shown.replaceWith(fresh);
      return;
    }
    for (const { name, value } of after.attributes) if (before.getAttribute(name) !== value) shown.setAttribute(name, value);
    for (const { name } of [...before.attributes]) if (!after.hasAttribute(name)) shown.removeAttribute(name);
    const [old, was, is] = [shown, before, after].map(it => [...it.childNodes]);
    is.forEach((node, at) => {
      if (at < old.length) change(old[at], was[at], node);
      else shown.append(node.cloneNode(true));
    });
    for (const node of old.slice(is.length)) node.remove();
  }

  function follow(live) {
    let before = live.cloneNode(true);
    let failures = 0;
    const source = () => {
      const events = new EventSource(live.dataset.events);
      events.addEventListener("section", event => {
        failures = 0;
        const { html, isOver } = JSON.parse(event.data);
        const after = parsed(html);
        for (const { name, value } of live.attributes) after.setAttribute(name, value);
        change(live, before, after);
        before = after;
        window.harness?.begin(live);
        if (isOver) {
          events.close();
          const heading = live.querySelector("h1");
          if (heading) document.title = `✓ ${document.title.replace(/^✓ /, "")}`;
        }
      });
      events.addEventListener("error", () => {
        // The browser tries again by itself, unless the server refused.
        if (events.readyState !== EventSource.CLOSED) return;
        failures += 1;
        setTimeout(() => (failures > 5 ? location.reload() : source()), Math.min(2000 * 2 ** failures, 30_000));
      });
      window.addEventListener("pagehide", () => events.close(), { once: true });
    };
    source();
  }

  const live = document.querySelector("#live[data-events]");
  if (live) {
    window.addEventListener("pageshow", event => {
      if (event.persisted) location.reload();
    });
    follow(live);
  }

  // A board is asked for again every few seconds, as long as somebody looks at it.
  const board = document.querySelector("[data-reload]");
  if (board) {
    let before = board.cloneNode(true);
    setInterval(async () => {
      if (document.hidden) return;
      try {
        const response = await fetch(location.href);
        if (!response.ok) return;
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const after = document.importNode(page.getElementById(board.id), true);
        change(board, before, after);
        before = after;
      } catch {
        // The next time.
      }
    }, 1000 * board.dataset.reload);
  }
})();
