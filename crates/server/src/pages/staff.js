// A part of a page that is marked with data-live is loaded again each so many milliseconds, while somebody looks at the page.
function live(element) {
  const pause = Number(element.dataset.live);
  const again = () => setTimeout(refresh, pause);
  async function refresh() {
    const isBusy = element.contains(document.activeElement) && document.activeElement.matches("input, select, button");
    if (document.hidden || isBusy) return again();
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok || answer.redirected) return again();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [old, now] = [document.getElementById("main"), page.getElementById("main")];
      const next = now.querySelector("[data-live]");
      // What was live has ended, so what is around it changes too.
      if (!next) return old.replaceChildren(...now.childNodes);
      element.replaceChildren(...next.childNodes);
    } catch { /* The server may be away for a moment. */ }
    again();
  }
  again();
}
document.querySelectorAll("[data-live]").forEach(live);
