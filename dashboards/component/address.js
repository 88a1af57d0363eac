// The address of the event that is shown, and the clipboard.

// A file on disk may not change its address except behind the '#'.
function link(v) {
  const url = new URL(window.location.href);
  const seq = String(v.frame().seq);
  if (v.options.standalone) url.hash = `event=${seq}`;
  else {
    url.searchParams.set("round", v.line.round_id);
    url.searchParams.set("event", seq);
  }
  return url.href;
}

function followUrl(v) {
  try {
    window.history.replaceState(window.history.state, "", link(v));
  } catch {
    v.parts.copy.classList.add("strong"); // the browser refuses (too many changes, sandbox): the button has the link
  }
}

async function copyText(v, text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = v.tr.t("copied");
  } catch {
    const field = el("input", { class: "copy-field", value: text, readonly: true, "aria-label": v.tr.t("copy"), onblur: () => field.remove() });
    button.after(field);
    field.select();
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}
