// The luck ledger: how much of what the round paid was the deal, the draws and whose decisions. Whole millionths of a
// point, which add up exactly; only what is shown is rounded.

const BIGGEST = 12;

function hundredths(n) {
  return Math.sign(n) * Math.round(Math.abs(n) / 1e4);
}

function inPoints(n) {
  return fixed(hundredths(n) / 100);
}

// The terms at each frame, and those that changed most, the biggest first.
function prepareLedger(line, index, ledger) {
  const at = line.frames.map(() => []);
  const terms = ledger && !ledger.why_not ? ledger.terms : [];
  for (const term of terms) at[index.at(term.seq)].push(term);
  const size = (term) => Math.max(...term.points.map(Math.abs));
  return { at, biggest: terms.filter(size).sort((a, b) => size(b) - size(a)).slice(0, BIGGEST) };
}

function renderLuck(v) {
  const { t, lang } = v.tr;
  const { ledger } = v.review;
  if (ledger.why_not) return el("div", { class: "luck" }, el("p", {}, t("noLedger")), el("p", { class: "quiet" }, ledger[lang]));
  const rows = ledgerRows(v);
  const exact = ledger.seats.every((seat) => rows.reduce((sum, row) => sum + hundredths(row.points[seat]), 0) === hundredths(ledger.payoff[seat]));
  return el("div", { class: "luck" },
    el("div", { class: "terms-now" }, termsNow(v)),
    el("h3", {}, t("ledgerTitle")), waterfall(v, rows),
    !exact && el("p", { class: "foot" }, t("rounded")),
    el("h3", {}, t("biggest")),
    el("ul", { class: "terms" }, v.terms.biggest.map((term) => el("li", {}, renderTerm(v, term, true)))),
    el("p", { class: "foot" }, `${t("ledgerNote")} ${t("evaluator")} ${ledger.evaluator}`));
}

function ledgerRows(v) {
  const { ledger } = v.review;
  const row = (key, points, label = v.tr.t(key)) => ({ key, label, points });
  return [row("expectation", ledger.expectation), row("dealLuck", ledger.deal), row("drawLuck", ledger.draws),
    ...ledger.decisions.map((points, seat) => row("decisionsOf", points, [seatTag(v, seat), el("span", { class: "quiet" }, v.tr.t("decisionsOf"))])).filter((one, seat) => seat < v.n || one.points.some(Boolean)),
    row("revision", ledger.revision)];
}

// A column a seat, read downwards: each bar begins where the one above ends, the last is what was paid.
function waterfall(v, rows) {
  const { t } = v.tr;
  const { seats, payoff } = v.review.ledger;
  const reached = seats.map(() => [0]);
  rows.forEach((row) => seats.forEach((seat) => reached[seat].push(reached[seat].at(-1) + row.points[seat])));
  const low = Math.min(...reached.flat());
  const scale = Math.max(...reached.flat()) - low || 1;
  const cell = (seat, points, from) => {
    const bar = el("i", { class: `step ${points < 0 ? "down" : "up"} seat-${seat}` });
    bar.style.left = `${(100 * (Math.min(from, from + points) - low)) / scale}%`;
    bar.style.width = `${(100 * Math.abs(points)) / scale}%`;
    const zero = el("i", { class: "zero" });
    zero.style.left = `${(-100 * low) / scale}%`;
    return el("td", { title: `${points < 0 ? "−" : "+"}${(Math.abs(points) / 1e6).toFixed(6)}` }, inPoints(points), el("span", { class: "steps", "aria-hidden": "true" }, zero, points !== 0 && bar));
  };
  return el("table", { class: "waterfall" },
    el("thead", {}, el("tr", {}, el("th", {}), seats.map((seat) => el("th", { scope: "col" }, personTag(v, seat))))),
    el("tbody", {}, rows.map((row, i) => el("tr", { "data-row": row.key, title: t(`${row.key}Long`) }, el("th", { scope: "row" }, row.label), seats.map((seat) => cell(seat, row.points[seat], reached[seat][i]))))),
    el("tfoot", {}, el("tr", { "data-row": "payoff" }, el("th", { scope: "row" }, `= ${t("payoff")}`), seats.map((seat) => cell(seat, payoff[seat], 0)))));
}

function renderTerm(v, term, jump) {
  const { t } = v.tr;
  const i = v.index.at(term.seq);
  const seen = [
    jump && el("span", { class: "num" }, String(i)),
    el("span", { class: `badge ${term.kind === "decision" ? "hide" : "plain"}`, title: t(`${term.kind}Term`) }, t(`${term.kind}Glyph`)),
    seatTag(v, term.seat),
    el("span", { class: "event-cards" }, term.card >= 0 && (v.secret(i) ? card(0, { size: "tile", back: true }) : card(term.card, { size: "tile" }))),
    el("span", { class: "term-points" }, term.points.map((points, seat) => el("span", { class: `seat-${seat}` }, el("span", { class: "dot" }), inPoints(points)))),
  ];
  if (!jump) return el("div", { class: "term" }, seen);
  return el("button", { type: "button", class: "term", title: sentence(v, i), onclick: () => v.go(i) }, seen);
}

function termsNow(v) {
  const found = v.terms.at[v.at];
  return [el("h3", {}, v.tr.t("luckNow")), found.length ? found.map((term) => renderTerm(v, term, false)) : el("p", { class: "quiet" }, v.tr.t("noTerm"))];
}
