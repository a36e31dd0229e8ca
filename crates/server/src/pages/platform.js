// The answer to a platform goes by itself. Without this script, a button sends it.
document.querySelector("form[data-send]")?.submit();
