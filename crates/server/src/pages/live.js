
// Pages that change while somebody looks at them. Only what the server changed is replaced, so what was opened or sorted stays.
(() => {
  const boxes = new Set(["SECTION", "DIV", "FORM", "UL", "OL", "P", "LI"]);

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
      replace(shown, fresh);
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

  // What the keyboard is at is there again after it was replaced.
  const reached = "a, button, input, select, textarea, summary, [tabindex]";
  const mark = it => [it.nodeName, it.href, it.form?.action, it.name, it.id, it.getAttribute("aria-labelledby"), it.textContent].join("\n");

  function replace(old, fresh) {
    const focused = old.contains(document.activeElement) ? mark(document.activeElement) : null;
    old.replaceWith(fresh);
    if (focused === null || !(fresh instanceof Element)) return;
    const again = [fresh, ...fresh.querySelectorAll(reached)].find(it => it.matches(reached) && mark(it) === focused);
    again?.focus({ preventScroll: true });
  }

  function follow(live) {
    const goesOn = live.dataset.hidden !== "pauses";
    let before = live.cloneNode(true);
    let failures = 0;
    let isOver = false;
    let events = null;

    function show({ data }) {
      failures = 0;
      const { html, isOver: ends } = JSON.parse(data);
      const after = parsed(html);
      for (const { name, value } of live.attributes) after.setAttribute(name, value);
      change(live, before, after);
      before = after;
      window.harness?.begin(live);
      if (!ends) return;
      isOver = true;
      events.close();
      if (live.querySelector("h1")) document.title = `✓ ${document.title.replace(/^✓ /, "")}`;
    }

    function listen() {
      const isListening = events && events.readyState !== EventSource.CLOSED;
      if (isOver || isListening || document.hidden && !goesOn) return;
      const source = new EventSource(live.dataset.events);
      source.addEventListener("section", show);
      source.addEventListener("error", () => {
        // The browser tries again by itself, unless the server refused.
        if (source.readyState !== EventSource.CLOSED) return;
        failures += 1;
        setTimeout(() => (failures > 5 ? location.reload() : listen()), Math.min(2000 * 2 ** failures, 30_000));
      });
      events = source;
    }

    listen();
    window.addEventListener("pagehide", () => events?.close(), { once: true });
    // A browser has few connections, so what has no end is followed only while it is seen.
    document.addEventListener("visibilitychange", () => (document.hidden && !goesOn ? events?.close() : listen()));
  }

  const live = document.querySelector("#live[data-events]");
  if (live) {
    window.addEventListener("pageshow", event => {
      if (event.persisted) location.reload();
    });
    follow(live);
  }
})();
