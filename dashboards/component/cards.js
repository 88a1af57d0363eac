// Card faces and columns of cards. Sizes come from CSS: --w is the width of a card.

const CHARS = "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾";
const RED = new Set([1, 6, 9, 11, 16, 19]);

// size: "long" (whole face), "mid" (shorter, for melds), "tile" (one character).
function card(kind, { size = "long", back = false, peek = false, mark = "", extra = "", title } = {}) {
  const known = kind >= 0 && kind < 20;
  const classes = ["card", size];
  if (back) classes.push("back");
  else {
    classes.push(!known ? "unknown" : kind >= 10 ? "big" : "small");
    if (known && RED.has(kind)) classes.push("red");
    if (peek) classes.push("peek");
  }
  if (mark) classes.push(mark);
  if (extra) classes.push(extra);
  const node = el("span", { class: classes.join(" "), "aria-hidden": "true", title });
  if (back) return node;
  const char = known ? CHARS[kind] : "?";
  node.append(el("i", { class: "face-top" }, char));
  if (size !== "tile") node.append(el("i", { class: "face-low" }, char));
  return node;
}

function tiles(cards, options) {
  return el("span", { class: "tiles" }, cards.filter((kind) => kind > -2).map((kind) => card(kind, { size: "tile", ...options })));
}

function column(cards, { classes = "", caption = null, title } = {}) {
  return el("span", { class: `col ${classes}`, title }, el("span", { class: "stack" }, cards), caption && el("span", { class: "caption" }, caption));
}

// How a meld's cards lie: up, down, or down for others but visible to the reader.
function meldCards(meld, reveal, size) {
  const cards = [...meld.cards];
  const up = { [F.WEI]: 0, [F.CHOU_WEI]: 1, [F.TI]: 1 }[meld.form];
  const hidden = (at) => up !== undefined && at < cards.length - up;
  if (meld.claimed !== null && meld.claimed !== undefined && meld.form <= F.JIAO) {
    const at = cards.indexOf(meld.claimed);
    if (at >= 0) cards.push(...cards.splice(at, 1));
  }
  return cards.map((kind, at) => {
    if (hidden(at)) return card(kind, { size, back: !reveal, peek: reveal });
    const eaten = meld.claimed !== null && meld.claimed !== undefined && meld.form <= F.JIAO && at === cards.length - 1 && kind === meld.claimed;
    return card(kind, { size, mark: eaten ? "eaten" : "" });
  });
}
