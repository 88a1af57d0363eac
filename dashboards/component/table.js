// The table: seats with hands, melds and discards; the open card, 亮张 and wall in the middle.

function seatPlaces(n) {
  return { 2: ["bottom", "right"], 3: ["bottom", "right", "left"], 4: ["bottom", "right", "top", "left"] }[n] || ["bottom", "right", "left"];
}

function renderTable(v) {
  const places = seatPlaces(v.n);
  const frame = v.frame();
  const at = (place) => (places.includes(place) ? (v.me + places.indexOf(place)) % v.n : -1);
  const seat = (place) => (at(place) < 0 ? null : renderSeat(v, frame, at(place), place));
  const pile = (place) => (at(place) < 0 ? null : renderDiscards(v, frame, at(place), place));
  return el("div", { class: `table seats-${v.n}` },
    el("div", { class: "far" }, seat("left"), v.n === 4 ? seat("top") : pile("right"), seat("right")),
    el("div", { class: "middle" }, el("div", { class: "side-piles" }, pile("left"), v.n === 4 && pile("top")), renderCentre(v, frame, places),
      el("div", { class: "side-piles" }, v.n === 4 && pile("right"), pile("bottom"))),
    seat("bottom"));
}

function renderSeat(v, frame, seat, place) {
  const { t } = v.tr;
  const ev = frame.event;
  const acting = ev && ev.seat === seat;
  const where = t(v.n === 2 && place !== "bottom" ? "across" : place);
  const classes = ["seat", place, `seat-${seat}`];
  if (frame.turn === seat && frame.due !== "over") classes.push("turn");
  if (acting) classes.push("acting");
  const stamp = acting && ![A.DISCARD, A.DRAW, A.BU].includes(ev.action) && el("span", { class: `stamp ${ACTIONS[ev.action]?.[4] || ""}`, "aria-hidden": "true" }, ACTIONS[ev.action]?.[1] || "");
  return el("section", { class: classes.join(" "), "aria-label": `${where} ${v.name(seat)}` },
    el("header", { class: "seat-bar" },
      el("span", { class: "dot" }), el("b", { class: "name", title: v.name(seat) }, v.name(seat)),
      v.line.dealer === seat && el("span", { class: "zhuang", title: t("dealerLong") }, t("dealer")),
      el("span", { class: "place" }, where),
      v.has.huxi && el("span", { class: "huxi", title: t("huxi") }, el("b", {}, String(frame.huxi[seat])), ` ${t("huxi")}`),
      rightPills(v, frame, seat), stamp),
    el("div", { class: "seat-cards" }, renderHand(v, frame, seat), renderMelds(v, frame, seat), renderStale(v, frame, seat)));
}

function rightPills(v, frame, seat) {
  const mine = frame.rights.filter((right) => right.seat === seat);
  const seen = new Map(mine.map((right) => [right.action, right]));
  return el("span", { class: "pills" }, [...seen.values()].map((right) =>
    el("span", { class: `pill ${ACTIONS[right.action]?.[4] || ""}` }, rightWord(v, right))));
}

function rightWord(v, right) {
  const word = v.tr.action(right.action);
  if (v.tr.lang === "en") return `${right.forced ? "must" : "may"} ${word}`;
  return `${right.forced ? "必" : "可"}${word}`;
}

function renderHand(v, frame, seat) {
  const { t, lang } = v.tr;
  const hand = frame.hands[seat];
  if (hand === null) return el("div", { class: "hand unknown-hand" }, el("span", { class: "ghosts", "aria-hidden": "true" }, card(0, { back: true }), card(0, { back: true }), card(0, { back: true })), el("em", {}, t("unknownHand")));
  if (!hand.length) return el("div", { class: "hand no-hand" }, el("em", {}, t("noHand")));
  if (!v.openHands && seat !== v.me) {
    const backs = [];
    for (let rest = hand.length; rest > 0; rest -= 4) backs.push(column(Array.from({ length: Math.min(4, rest) }, () => card(0, { back: true }))));
    return el("div", { class: "hand", "aria-label": `${t("hand")} ${hand.length}` }, backs);
  }
  const columns = arrange(hand, frame.kan[seat] || []);
  return el("div", { class: "hand", role: "img", "aria-label": `${t("hand")}：${cardsWord(hand, lang)}` }, columns.map((one, i) => {
    const locked = one.group === GROUP.LOCKED && !v.has.toHand; // where drawn cards stay in the hand, three of a kind are free
    const node = column(one.cards.map((kind) => card(kind)), {
      classes: locked ? "locked" : "", title: locked ? t("locked") : undefined,
      caption: locked ? [icon("lock"), el("span", { class: "word" }, v.tr.form(one.cards.length === 4 ? F.TI : F.KAN))] : null });
    node.style.setProperty("--lean", String(i - (columns.length - 1) / 2));
    return node;
  }));
}

function renderMelds(v, frame, seat) {
  const melds = frame.melds[seat];
  const reveal = v.openHands || seat === v.me;
  const fresh = frame.event && frame.event.seat === seat && CLAIMS.has(frame.event.action);
  const title = (meld) => `${v.tr.form(meld.form)} ${v.name(seat)}${meld.from !== null && meld.from !== undefined ? ` ← ${v.name(meld.from)}` : ""}${v.has.huxi ? ` · ${meld.huxi} ${v.tr.t("huxi")}` : ""}`;
  const bi = v.index.bi[v.at][seat];
  return el("div", { class: "melds", role: "img", "aria-label": `${v.tr.t("melds")}：${melds.map((meld) => `${v.tr.form(meld.form)} ${reveal || meld.form !== F.WEI ? cardsWord(meld.cards, v.tr.lang) : "?"}`).join("；")}` },
    melds.map((meld, i) => column(meldCards(meld, reveal, "mid"), {
      classes: `meld${bi.has(i) ? " bi" : ""}${fresh && i === freshMeld(v, frame, seat) ? " fresh" : ""}`, title: title(meld),
      caption: [el("span", { class: "form" }, bi.has(i) ? v.tr.action(A.BI) : meld.form <= F.JIAO ? v.tr.action(A.CHI) : v.tr.form(meld.form)), meld.huxi ? el("b", {}, String(meld.huxi)) : null] })));
}

// The meld that this frame's event made: the last one that differs from the frame before.
function freshMeld(v, frame, seat) {
  const before = v.at > 0 ? v.line.frames[v.at - 1].melds[seat] : [];
  const same = (a, b) => a && a.form === b.form && a.cards.length === b.cards.length;
  for (let i = frame.melds[seat].length - 1; i >= 0; i -= 1) if (!same(before[i], frame.melds[seat][i])) return i;
  return -1;
}

function renderStale(v, frame, seat) {
  const { chi, peng } = frame.stale[seat];
  const kinds = [...new Set([...chi, ...peng])].sort((a, b) => a - b);
  if (!kinds.length) return null;
  return el("div", { class: "stale" }, el("span", { class: "stale-word" }, v.tr.t("stale")), kinds.map((kind) => {
    const only = !peng.includes(kind) ? "chi" : !chi.includes(kind) ? "peng" : "";
    const title = `${cardWord(kind, v.tr.lang)}：${v.tr.t(only === "chi" ? "staleChi" : only === "peng" ? "stalePeng" : "staleBoth")}`;
    return el("span", { class: "stale-one", title }, card(kind, { size: "tile" }), only && el("sub", {}, only === "chi" ? "吃" : "碰"));
  }));
}

function renderDiscards(v, frame, seat, place) {
  const { t } = v.tr;
  const pile = frame.discards[seat];
  const open = frame.open && frame.open.seat === seat ? pile.findLastIndex((one) => one.card === frame.open.card && !one.claimed) : -1;
  return el("div", { class: `pile pile-${place} seat-${seat}`, role: "img", "aria-label": `${v.name(seat)} ${t("discards")}：${cardsWord(pile.map((one) => one.card), v.tr.lang)}` },
    el("div", { class: "pile-word" }, el("span", { class: "dot" }), el("span", { class: "pile-name" }, v.name(seat)), ` ${t("discards")}`),
    el("div", { class: "pile-cards" }, pile.map((one, i) => {
      const lying = i === open && i === pile.length - 1;
      const title = [one.drawn ? t("drawnTitle") : t("thrownTitle"), one.claimed && t("claimedTitle"), lying && t("openTitle")].filter(Boolean).join(" · ");
      const node = card(one.card, { size: "tile", mark: one.drawn ? "drawn" : "thrown", extra: one.claimed ? "claimed" : lying ? "lying" : "", title });
      if (one.drawn) node.append(el("i", { class: "drawn-mark" }, t("drawnMark")));
      return node;
    })));
}

function renderCentre(v, frame, places) {
  const { t } = v.tr;
  const line = v.line;
  return el("div", { class: "centre" },
    el("div", { class: "centre-row" },
      renderShown(v, frame),
      frame.due === "over" ? renderResult(v) : renderOpen(v, frame, places),
      el("div", { class: "wall-count" }, el("span", { class: "small-word" }, t("wall")), el("b", {}, frame.wall_left === null ? "?" : String(frame.wall_left)))),
    renderWall(v, frame));
}

// The card shown before play: the 亮张, or the bottom card of the wall as long as it lies there.
function renderShown(v, frame) {
  const { wall, liang } = v.line;
  if (!v.has.liang && !v.has.bottom) return null;
  const kind = v.has.liang ? liang : wall !== null && frame.wall_left > 0 ? wall[wall.length - 1] : null;
  return el("div", { class: "liang" }, el("span", { class: "small-word" }, v.tr.t(v.has.liang ? "liang" : "bottom_")),
    kind === null ? el("span", { class: "no-card" }, "—") : card(kind, { size: "mid" }));
}

function renderOpen(v, frame, places) {
  const ev = frame.event;
  // A drawn card on its way to a hidden 偎 or 提 lies open to nobody, but it is what this event is about.
  const open = frame.open || (ev && ev.action === A.DRAW ? { card: ev.card, seat: ev.seat, drawn: true } : null);
  if (!open) return el("div", { class: "open" }, el("span", { class: "no-card open-slot" }), el("span", { class: "open-word" }, dueText(v, frame)));
  const place = places[(open.seat - v.me + v.n) % v.n];
  const hide = v.secret(v.at);
  const verb = v.tr.lang === "en" ? (open.drawn ? "drew" : "threw") : open.drawn ? "摸" : "打";
  return el("div", { class: `open from-${place} seat-${open.seat} ${open.drawn ? "is-drawn" : "is-thrown"}` },
    card(open.card, { back: hide, extra: "open-card" }),
    el("span", { class: "open-word" }, el("span", { class: "dot" }), el("b", {}, v.name(open.seat)), ` ${verb}`));
}

function renderResult(v) {
  const score = v.line.score;
  const { t } = v.tr;
  const ev = v.frame().event;
  const winner = score ? score.winner : ev && ev.action === A.HU ? ev.seat : ev && [A.HUANG, A.LEAVE].includes(ev.action) ? -1 : null;
  const [glyph, ended] = ENDS[score ? score.special || "" : ev && ev.action === A.LEAVE ? "逃跑" : ""] || ENDS[""];
  const won = winner !== null && winner >= 0;
  return el("div", { class: "result" },
    el("span", { class: "result-glyph" }, won ? "胡" : winner === -1 ? glyph : "？"),
    el("span", { class: "result-word" }, won ? el("b", {}, v.name(winner)) : t(winner === -1 ? ended : "undecidable"), score && won && v.has.huxi && el("span", {}, ` ${score.huxi} ${t("huxi")}`)),
    score && won && Object.keys(score.fan || {}).length > 0 && el("span", { class: "result-fan" }, fanText(v, score.fan)),
    score && el("span", { class: "result-points" }, (score.points || []).map((n, seat) => el("span", { class: `seat-${seat}` }, el("span", { class: "dot" }), signed(n)))));
}

function renderWall(v, frame) {
  const wall = v.line.wall;
  const left = frame.wall_left;
  if (left === null) return el("div", { class: "wall wall-unknown" }, v.tr.t("wallUnknown"));
  const rest = wall === null ? new Array(left).fill(-1) : wall.slice(wall.length - left);
  return el("div", { class: "wall", role: "img", "aria-label": `${v.tr.t("wall")} ${left}` }, rest.map((kind) => card(kind, { size: "tile", back: !v.openWall })));
}

function signed(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}
