// Small helpers for building the page. Strings become text nodes only, so hostile names stay text.

function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function icon(name) {
  const shapes = {
    first: "M5 4v16M19 4 9 12l10 8z",
    back: "M16 4 6 12l10 8z",
    play: "M7 4l12 8-12 8z",
    pause: "M7 4h4v16H7zM14 4h4v16h-4z",
    next: "M8 4l10 8-10 8z",
    last: "M19 4v16M5 4l10 8-10 8z",
    lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
    flag: "M6 21V4h11l-2 4 2 4H6",
    flagback: "M18 21V4H7l2 4-2 4h11",
    miss: "M5 5l7 7-7 7M19 4v10M19 19v1",
    missback: "M19 5l-7 7 7 7M5 4v10M5 19v1",
  };
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}
