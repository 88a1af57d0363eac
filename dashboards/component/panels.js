// Beside the table: the claim window, findings, the event list, unseen cards and the text of the round.

function badge(action) {
  const [glyph, , , , family] = ACTIONS[action] || ["？", "", "", "", "plain"];
  return el("span", { class: `badge ${family}${glyph.length > 1 ? " wide" : ""}`, "aria-hidden": "true" }, glyph);
}

function severityMark(v, finding) {
  return el("span", { class: `mark level-${finding.severity}`, title: `${v.tr.severity(finding.severity)} · ${finding.code}` }, (SEVERITY[finding.severity] || SEVERITY[0])[0]);
}

function seatTag(v, seat) {
  return el("span", { class: `who seat-${seat}` }, seat >= 0 && [el("span", { class: "dot" }), v.name(seat)]);
}

function renderNow(v) {
  const { t } = v.tr;
  const frame = v.frame();
  const found = v.index.findings[v.at];
  const seats = [...new Set(frame.rights.map((right) => right.seat))];
  const took = (right) => right.fate === "taken";
  return el("div", { class: "now" },
    el("h3", {}, t("now")),
    seats.length
      ? el("ul", { class: "rights" }, frame.rights.map((right) => el("li", { class: took(right) ? "took" : "" },
          seatTag(v, right.seat), badge(right.action), el("span", { class: "right-word" }, rightWord(v, right)),
          el("span", { class: "options" }, optionGroups(right)),
          right.fate && el("span", { class: "fate" }, took(right) ? `✓ ${t("taken")}` : t(right.fate)))))
      : el("p", { class: "quiet" }, frame.open && frame.due !== "over" ? t("noRights") : dueText(v, frame) || t("noWindow")),
    frame.remark && el("p", { class: "note" }, frame.remark),
    el("h3", {}, t("findings")),
    found.length ? el("ul", { class: "findings" }, found.map((finding) => renderFinding(v, finding))) : el("p", { class: "quiet" }, t("noFindings")));
}

// A 吃 option lists its two hand cards (or the whole group) and then three cards for each 比: shown apart.
function optionGroups(right) {
  return right.cards.filter((cards) => cards.length).map((cards) => {
    const first = right.action !== A.CHI ? cards.length : cards.length % 3 || 3;
    const parts = [cards.slice(0, first)];
    for (let i = first; i < cards.length; i += 3) parts.push(cards.slice(i, i + 3));
    return el("span", { class: "option" }, parts.map((part, i) => [i > 0 && el("span", { class: "plus" }, ACTIONS[A.BI][0]), tiles(part)]));
  });
}

function renderFinding(v, finding) {
  const { t, lang } = v.tr;
  const root = finding.follows_from === null || finding.follows_from === undefined ? null : v.line.findings[finding.follows_from];
  return el("li", { class: `finding level-${finding.severity}` },
    el("div", { class: "finding-head" }, severityMark(v, finding), el("b", {}, lang === "en" ? finding.en || finding.zh : finding.zh || finding.en),
      finding.seat >= 0 && finding.seat < v.line.players.length && seatTag(v, finding.seat)),
    el("div", { class: "finding-code" }, el("code", {}, finding.code), finding.clause && el("span", {}, ` § ${finding.clause}`), ` · ${v.tr.severity(finding.severity)}`,
      finding.seq > v.line.frames[v.index.last].seq && ` · ${t("settlement")}`),
    finding.expected.zh && el("div", { class: "pairline" }, el("span", {}, t("expected")), el("span", { class: "value" }, finding.expected[lang])),
    finding.actual.zh && el("div", { class: "pairline" }, el("span", {}, t("actual")), el("span", { class: "value" }, finding.actual[lang])),
    root && el("button", { type: "button", class: "link", onclick: () => v.go(v.index.at(root.seq)) }, `↳ ${t("follows")} ${lang === "en" ? root.en || root.code : root.zh || root.code} (${root.seq + 1})`));
}

function renderEvents(v) {
  return el("ol", { class: "events", "aria-label": v.tr.t("events") }, v.line.frames.map((frame, i) => {
    const ev = frame.event;
    const found = v.index.findings[i];
    const quiet = ev && [A.PASS, A.UNCLAIMED].includes(ev.action);
    const cards = !ev ? [] : ev.action === A.CHI || ev.action === A.BI ? [ev.card, ev.a, ev.b] : [A.CLAIM, A.HUANG, A.PASS, A.LEAVE].includes(ev.action) ? [] : [ev.card];
    return el("li", {}, el("button", { type: "button", class: `event${quiet ? " quiet-event" : ""}${found.length ? " has-finding" : ""}`, title: sentence(v, i), onclick: () => v.go(i) },
      el("span", { class: "num" }, String(i)),
      ev ? badge(ev.action) : el("span", { class: "badge plain" }, "发"),
      ev ? seatTag(v, ev.seat) : el("span", { class: "who" }, v.tr.t("deal")),
      el("span", { class: "event-cards" }, v.secret(i) ? card(0, { size: "tile", back: true }) : tiles(cards), ev && ev.action === A.CLAIM && badge(ev.a)),
      el("span", { class: "marks" }, found.map((finding) => severityMark(v, finding)), v.judged.done[i].map((row) => bandMark(v, row)))));
  }));
}

function renderUnseen(v) {
  const left = unseen(v.line, v.frame(), v.me);
  const row = (from) => el("div", { class: "unseen-row" }, left.slice(from, from + 10).map((n, i) =>
    el("span", { class: `unseen-one left-${n}`, title: `${CHARS[from + i]} ${n}` }, card(from + i, { size: "tile" }), el("b", {}, String(n)),
      el("span", { class: "pips", "aria-hidden": "true" }, Array.from({ length: 4 }, (_, k) => el("i", { class: k < n ? "on" : "" }))))));
  return el("div", { class: "unseen" }, el("p", { class: "quiet" }, seatTag(v, v.me), ` ${v.tr.t("unseenNote")}`), row(0), row(10));
}

function roundText(v) {
  return v.line.frames.map((frame, i) => `${i}. ${sentence(v, i)}${v.index.findings[i].map((f) => ` [${f.code}]`).join("")}`);
}

function renderText(v) {
  const lines = roundText(v);
  return el("div", { class: "transcript" },
    el("button", { type: "button", class: "button", onclick: (event) => v.copy(lines.join("\n"), event.currentTarget) }, v.tr.t("copyText")),
    el("ol", { start: "0" }, lines.map((text) => el("li", {}, text.replace(/^\d+\. /, "")))));
}

function renderHelp(v, close) {
  const { t, pair } = v.tr;
  const panel = el("div", { class: "help", role: "dialog", "aria-modal": "true", "aria-label": t("help") },
    el("h3", {}, t("help")),
    el("dl", {}, KEYS.map((row) => [el("dt", {}, pair(row[0].includes("|") ? row[0].split("|") : [row[0], row[0]]).split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, pair(row))])),
    el("ul", {}, LEGEND.map((row) => el("li", {}, pair(row)))),
    el("button", { type: "button", class: "button strong", onclick: close }, t("close")));
  return el("div", { class: "veil", onclick: (event) => event.target === event.currentTarget && close() }, panel);
}
