// What was judged of the decisions: the frames that show them, and each choice beside the best.

const BANDS = ["", "mistake", "blunder"];
const Z95 = 1.96; // half of a 95 % interval in standard errors
const AT_ONCE = 4; // choices shown besides the one taken; the rest unfold

// Per frame the decisions taken by its event, and those about to be taken; the frames with a mistake.
function prepareDecisions(line, index, part) {
  const done = line.frames.map(() => []);
  const due = line.frames.map(() => []);
  for (const row of part ? part.rows : []) {
    const place = index.at(row.seq);
    done[place].push(row);
    // Who decided was asked before the others answered.
    let i = place - 1;
    if (i >= 0) due[i].push(row);
    while (i > 0 && [A.PASS, A.CLAIM].includes(line.frames[i].event?.action)) due[(i -= 1)].push(row);
  }
  return { done, due, mistakes: done.flatMap((rows, i) => (rows.some((row) => row.band >= 1) ? [i] : [])) };
}

function bandMark(v, row) {
  if (!row.band) return null;
  return el("span", { class: `band band-${row.band}` }, v.tr.t(BANDS[row.band]));
}

function fixed(n, digits = 2) {
  const text = Math.abs(n).toFixed(digits);
  return Number(text) === 0 ? text : n < 0 ? `−${text}` : `+${text}`;
}

function bounds(error) {
  return `±${(Z95 * error).toFixed(2)}`;
}

function percent(share) {
  return `${Math.round(100 * share)}%`;
}

// "吃 五六 比 二三四" with its cards drawn.
function choiceName(text) {
  return text.split(" ").map((word) => ([...word].every((char) => CHARS.includes(char)) ? tiles([...word].map((char) => CHARS.indexOf(char))) : el("span", {}, word)));
}

function renderDecisions(v) {
  const { t } = v.tr;
  const { how, evaluator, cuts, rows } = v.review.decisions;
  if (!rows.length) return el("div", { class: "decisions" }, el("p", {}, t(how ? "notGraded" : "noDecisions")), how && el("pre", { class: "command" }, how));
  const { done, due } = v.judged;
  const part = (name, found) => found.length > 0 && el("section", { class: `choices-${name}` }, el("h3", {}, t(name)), found.map((row) => renderDecision(v, row)));
  const next = due.findIndex((found, i) => i > v.at && found.length);
  return el("div", { class: "decisions" },
    part("justTaken", done[v.at]), part("toTake", due[v.at]),
    !done[v.at].length && !due[v.at].length && el("p", { class: "quiet" }, t("noChoice")),
    next >= 0 && !due[v.at].length && el("button", { type: "button", class: "link", onclick: () => v.go(next) }, `${t("nextChoice")} (${next})`),
    el("p", { class: "foot" }, cuts ? t("cuts", { mistake: cuts.mistake, blunder: cuts.blunder }) : t("noCuts"), ` ${t("evaluator")} ${evaluator}`));
}

function renderDecision(v, row) {
  const { t, lang } = v.tr;
  const head = (...rest) => el("div", { class: "decision-head" }, seatTag(v, row.seat), rest);
  if (!v.openHands && row.seat !== v.me) return el("article", { class: "decision" }, head(el("span", { class: "quiet" }, t("othersChoice"))));
  if (row.why_not) return el("article", { class: "decision" }, head(el("span", { class: "quiet" }, `${t("notJudged")}${lang === "en" ? ": " : "："}${row[lang]}`)));
  const taken = row.choices[row.taken];
  const ranked = [...row.choices].sort((a, b) => a.behind - b.behind);
  const shown = ranked.filter((choice, i) => i < AT_ONCE || choice === taken);
  const rest = ranked.filter((choice) => !shown.includes(choice));
  // A loss far below a mistake is not to fill the scale.
  const reach = Math.max(...ranked.map((choice) => choice.behind + Z95 * choice.error), v.review.decisions.cuts?.mistake || 0, 0.01);
  const list = (some) => el("ul", { class: "choices" }, some.map((choice) => renderChoice(v, row, choice, reach)));
  return el("article", { class: "decision" },
    head(el("span", { class: "choice-name" }, choiceName(taken.text)), bandMark(v, row),
      el("span", { class: "loss", title: row.naive === null || row.naive === undefined ? undefined : `${t("naive")} ${fixed(row.naive)}` }, row.taken === row.best ? `✓ ${t("bestTaken")}` : `${t("loss")} ${fixed(row.loss).replace("+", "")} ${bounds(row.error)}`)),
    row.taken !== row.best && el("p", { class: "why" }, row[lang]),
    list(shown),
    rest.length > 0 && el("details", {}, el("summary", {}, t("otherChoices", { n: rest.length })), list(rest)));
}

function renderChoice(v, row, choice, reach) {
  const { t } = v.tr;
  const i = row.choices.indexOf(choice);
  const seen = choice.win !== null;
  const told = [seen && `${t("winShort")} ${percent(choice.win)}`, seen && `${t("huangShort")} ${percent(choice.huang)}`, seen && `${t("paysShort")} ${percent(choice.pays)}`,
    choice.known !== null && choice.known !== undefined && `${t("known")} ${fixed(choice.known)}`].filter(Boolean);
  const classes = ["choice", i === row.taken && "is-taken", i === row.best && "is-best", i === row.taken && row.band && `band-${row.band}`].filter(Boolean);
  return el("li", { class: classes.join(" "), title: t("worlds", { n: choice.worlds }) },
    el("span", { class: "choice-name" }, choiceName(choice.text), i === row.taken && el("em", {}, t("taken")), i === row.best && el("em", { class: "best" }, t("best"))),
    el("b", { class: "points" }, fixed(choice.points)),
    behindBar(choice, reach),
    el("span", { class: "behind" }, i === row.best ? "" : `${fixed(-choice.behind)} ${bounds(choice.error)}`),
    told.length > 0 && el("span", { class: "chances" }, told.join(" · ")));
}

// Points behind the best as a bar, and how sure they are as a whisker over 95 %.
function behindBar(choice, reach) {
  const place = (points) => clamp((100 * points) / reach, 0, 100);
  const bar = el("i", { class: "bar" });
  bar.style.width = `${place(choice.behind)}%`;
  const whisker = el("i", { class: "whisker" });
  const [from, to] = [place(choice.behind - Z95 * choice.error), place(choice.behind + Z95 * choice.error)];
  whisker.style.left = `${from}%`;
  whisker.style.width = `${to - from}%`;
  return el("span", { class: "behind-bar", "aria-hidden": "true" }, bar, choice.error > 0 && whisker);
}

// The next or previous mistake; says so when there is none.
function toMistake(v, way) {
  if (!v.review.decisions) return;
  const { mistakes } = v.judged;
  const left = way > 0 ? mistakes.filter((i) => i > v.at) : mistakes.filter((i) => i < v.at).reverse();
  if (left.length) {
    if (v.tab !== "decisions") showTab(v, "decisions");
    return go(v, left[0]);
  }
  const word = v.review.decisions.how ? "notGraded" : !mistakes.length ? "noMistake" : way > 0 ? "noMistakeAfter" : "noMistakeBefore";
  v.parts.say.textContent = v.tr.t(word);
}
