// The score derivation: groups -> 胡息 -> 番 -> 底/子 -> payments, recomputed beside recorded.

function sameValue(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

// One line of the comparison; `null` or missing recorded values are "not recorded", never a difference.
function scoreRow(v, name, mine, theirs, show = String) {
  const missing = theirs === null || theirs === undefined;
  const differs = !missing && mine !== null && mine !== undefined && !sameValue(mine, theirs);
  return el("tr", { class: differs ? "differs" : "" }, el("th", { scope: "row" }, name),
    el("td", {}, mine === null || mine === undefined ? "—" : show(mine)),
    el("td", {}, missing ? el("span", { class: "quiet" }, v.tr.t("notReported")) : show(theirs), differs && el("b", { class: "ne", title: v.tr.t("differs") }, " ≠")));
}

function groupKey(group) {
  return [...group.cards].sort((a, b) => a - b).join();
}

function scoreGroups(v, score, other) {
  const keys = other && other.groups ? other.groups.map((group) => `${groupKey(group)}:${group.huxi ?? "?"}`) : null;
  const total = score.groups.reduce((sum, group) => sum + (group.huxi || 0), 0);
  return el("div", { class: "groups" }, score.groups.map((group) => {
    const odd = keys && !keys.includes(`${groupKey(group)}:${group.huxi ?? "?"}`) && !keys.includes(`${groupKey(group)}:?`);
    return column(group.cards.map((kind) => card(kind, { size: "mid" })), { classes: odd ? "odd" : "", title: odd ? v.tr.t("differs") : undefined,
      caption: [el("span", { class: "form" }, group.form ? v.tr.form(group.form) : "？"), v.has.huxi && el("b", {}, String(group.huxi ?? "?"))] });
  }), v.has.huxi && el("span", { class: "sum" }, "=", el("b", {}, String(total)), ` ${v.tr.t("huxi")}`));
}

function fanText(v, fan) {
  const names = Object.entries(fan || {});
  return names.length ? names.map(([name, n]) => `${name} ${n}`).join(v.has.product ? "×" : "＋") : v.tr.t("pinghu");
}

function renderScore(v) {
  const { t } = v.tr;
  const mine = v.line.score;
  const theirs = v.line.reported;
  if (!mine && !theirs) return el("div", { class: "score" }, el("p", { class: "quiet" }, t("noScore")), reasons(v));
  const one = mine || {};
  const two = theirs || {};
  const who = (seat) => (seat < 0 ? t("nobody") : v.name(seat));
  const won = (mine ? mine.winner : two.winner) >= 0;
  const rows = [
    scoreRow(v, t("winner"), one.winner, two.winner, who),
    won && scoreRow(v, t("source"), one.source, two.source, v.tr.source),
    won && v.has.huxi && scoreRow(v, t("total"), one.huxi, two.huxi),
    one.special && scoreRow(v, t("special"), ENDS[one.special] ? t(ENDS[one.special][1]) : one.special, null),
    won && one.deng !== undefined && one.deng !== one.units && scoreRow(v, t("deng"), one.deng, two.deng),
    won && scoreRow(v, t("fan"), one.fan && namedFan(one.fan), two.fan && namedFan(two.fan), (fan) => fanText(v, fan)),
    won && scoreRow(v, `${t("fan")} ${v.has.product ? "Π" : "Σ"}`, one.fan_total, v.has.product && two.fan ? Object.values(two.fan).reduce((a, b) => a * b, 1) : two.fan_total),
    won && scoreRow(v, v.tr.unit(v.line.ruleset), one.units, two.units),
    ((one.xing || []).length > 0 || (two.xing || []).length > 0) && scoreRow(v, t("xing"), one.xing, two.xing, (cards) => tiles(cards)),
    ((one.xing_hits || 0) > 0 || (two.xing_hits || 0) > 0) && scoreRow(v, t("xingHits"), one.xing_hits, two.xing_hits),
    chargeRows(v, one.charges || [], two.penalties),
    v.line.players.map((_, seat) => scoreRow(v, personTag(v, seat), one.points ? one.points[seat] : null, two.points ? two.points[seat] : null, signed)),
  ];
  return el("div", { class: "score" },
    mine && mine.groups && mine.groups.length > 0 && [el("h3", {}, `${t("groups")} · ${t("recomputed")}`), scoreGroups(v, mine, theirs)],
    theirs && theirs.groups && theirs.groups.length > 0 && (!mine || !mine.groups || !sameGroups(mine.groups, theirs.groups)) &&
      [el("h3", {}, `${t("groups")} · ${t("reported")}`), scoreGroups(v, theirs, mine)],
    el("table", {}, el("thead", {}, el("tr", {}, el("th", {}), el("th", { scope: "col" }, t("recomputed")), el("th", { scope: "col" }, t("reported")))), el("tbody", {}, rows)),
    reasons(v));
}

// 罚分: the letter, who pays and how much, each beside what was recorded of it.
const TARIFF = { A: 10, B: 5, C: 3, D: 2, E: 1 };

function chargeRows(v, due, told) {
  const rest = [...(told || [])];
  const receivers = v.line.players.length - 1 - (sitterWord(v.line, v.n) === "idle" ? 1 : 0);
  const name = (seat, letter) => [el("span", { class: "letter" }, `${v.tr.t("charge")} ${letter} `), seatTag(v, seat)];
  const rows = due.map(({ seat, letter, seq }) => {
    const i = rest.findIndex((one) => one.seat === seat && one.letter === letter);
    const [match] = i < 0 ? [] : rest.splice(i, 1);
    const label = el("button", { type: "button", class: "link charge", title: v.tr.t("charged"), onclick: () => v.go(v.index.at(seq)) }, name(seat, letter));
    return scoreRow(v, label, -TARIFF[letter] * receivers, match ? match.points[seat] : told ? 0 : null, signed);
  });
  return [...rows, ...rest.map(({ seat, letter, points }) => scoreRow(v, name(seat, letter), 0, points[seat], signed))];
}

function personTag(v, seat) {
  const out = sitterWord(v.line, seat);
  return out ? [seatTag(v, seat), el("span", { class: "quiet" }, ` ${v.tr.t(out)}`)] : seatTag(v, seat);
}

// 平胡 is the word for no 番: with it or without is the same.
function namedFan(fan) {
  return Object.fromEntries(Object.entries(fan).filter(([name]) => name !== "平胡").sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sameGroups(a, b) {
  const key = (groups) => groups.map((group) => `${groupKey(group)}:${group.huxi}`).sort();
  return sameValue(key(a), key(b));
}

function reasons(v) {
  const list = v.line.undecidable || [];
  return list.length ? el("div", { class: "reasons" }, el("h3", {}, v.tr.t("undecidable")), el("ul", {}, list.map((reason) => el("li", {}, reason[v.tr.lang])))) : null;
}
