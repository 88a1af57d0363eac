// The viewer itself: state, stepping, keys, address bar.

const SPEEDS = [0.5, 1, 2, 4];

// host: element to fill. options: {lang, event (seq or null), standalone}. review: {decisions, ledger}, each or both null or
// missing. Returns {update(options), open(seq), destroy()}.
function mountViewer(host, given, options, review) {
  const line = withFrames(given, translator(options.lang).t("noReplay"));
  const v = {
    line, n: line.n_seats || line.players.length, index: prepare(line), at: 0, me: 0, openHands: true, openWall: false, tab: "events",
    playing: null, speed: 1, lang: options.lang === "en" ? "en" : "zh", options, parts: {},
    has: traits(line), review: { decisions: review.decisions || null, ledger: review.ledger || null },
    frame: () => v.line.frames[v.at],
    name: (seat) => v.line.players[seat] || (v.lang === "en" ? `Seat ${seat + 1}` : `${seat + 1} 号位`),
    secret: (i) => !v.openHands && isHidden(v.line, i) && v.line.frames[i].event.seat !== v.me,
    go: (i) => go(v, i),
    copy: (text, button) => copyText(v, text, button),
  };
  v.judged = prepareDecisions(line, v.index, v.review.decisions);
  v.terms = prepareLedger(line, v.index, v.review.ledger);
  const opened = options.event !== null && options.event !== undefined;
  v.at = opened ? v.index.at(options.event) : 0;
  if (opened && missed(v)) v.tab = "decisions";
  v.root = el("div", { class: "phz", tabindex: "0", role: "region" });
  host.replaceChildren(v.root);
  build(v);
  const watch = new ResizeObserver(() => requestAnimationFrame(() => fit(v)));
  watch.observe(v.root);
  const keys = (event) => onKey(v, event);
  window.addEventListener("keydown", keys);
  if (!document.activeElement || document.activeElement === document.body) v.root.focus({ preventScroll: true });
  return {
    update(changed) {
      if (changed.lang !== undefined && changed.lang !== v.options.lang) {
        v.lang = changed.lang === "en" ? "en" : "zh";
        build(v);
      }
      if (changed.event !== null && changed.event !== undefined && changed.event !== v.options.event) openAt(v, changed.event);
      v.options = { ...v.options, ...changed };
      clearTimeout(v.urlTimer); // a rerun of the page has put the event it was opened at back into the address
      v.urlTimer = setTimeout(() => followUrl(v), 300);
    },
    open(seq) {
      if (seq !== null) openAt(v, seq);
    },
    destroy() {
      stop(v);
      clearTimeout(v.urlTimer);
      watch.disconnect();
      window.removeEventListener("keydown", keys);
      v.root.remove();
    },
  };
}

function build(v) {
  v.tr = translator(v.lang);
  const { t } = v.tr;
  const p = v.parts;
  const button = (key, action, content, extra = {}) => el("button", { type: "button", class: "button", title: t(key), "aria-label": t(key), onclick: action, ...extra }, content);
  p.hands = el("button", { type: "button", class: "button", onclick: () => toggleHands(v) });
  p.wall = el("button", { type: "button", class: "button", onclick: () => toggleWall(v) });
  p.copy = el("button", { type: "button", class: "button copy", onclick: () => v.copy(link(v), p.copy) }, t("copy"));
  p.table = el("div", { class: "table-box" });
  p.say = el("p", { class: "say", role: "status", "aria-live": "polite" });
  p.count = el("span", { class: "count" });
  p.play = button("play", () => togglePlay(v), icon("play"), { class: "button strong" });
  p.range = el("input", { type: "range", min: 0, max: v.index.last, step: 1, "aria-label": t("scrub"), oninput: (event) => go(v, Number(event.target.value)) });
  p.now = el("div", { class: "now-box" });
  p.page = el("div", { class: "tab-page" });
  p.help = el("div", { class: "help-box" });
  const speed = el("select", { "aria-label": t("speed"), title: t("speed"), onchange: (event) => setSpeed(v, Number(event.target.value)) },
    SPEEDS.map((n) => el("option", { value: n, selected: n === v.speed }, `${n}×`)));
  const none = v.index.marked.length === 0;
  const names = ["events", v.review.decisions && "decisions", v.review.ledger && "luck", "score", "unseen", "transcript"].filter(Boolean);
  p.tabs = names.map((name) =>
    el("button", { type: "button", role: "tab", "data-tab": name, onclick: () => showTab(v, name) }, t(name)));
  v.root.setAttribute("aria-label", t("viewer"));
  v.root.replaceChildren(
    el("header", { class: "top" }, title(v), el("div", { class: "tools" }, p.hands, button("rotate", () => rotate(v), t("rotate")), p.wall, p.copy,
      v.options.standalone && el("button", { type: "button", class: "button language", onclick: () => switchLanguage(v) }, t("other")),
      button("help", () => toggleHelp(v), "?", { class: "button round" }))),
    el("div", { class: "body" },
      el("div", { class: "main" }, p.table,
        el("div", { class: "deck" }, p.say,
          el("div", { class: "scrub" }, el("div", { class: "rail" }, el("div", { class: "ticks", "aria-hidden": "true" }, ticks(v)), p.range), p.count),
          el("div", { class: "buttons" },
            button("first", () => go(v, 0), icon("first")), button("back", () => go(v, v.at - 1), icon("back")), p.play,
            button("next", () => go(v, v.at + 1), icon("next")), button("last", () => go(v, v.index.last), icon("last")), speed,
            button("prevFinding", () => toFinding(v, -1), [icon("flagback"), el("span", { class: "wide-only" }, t("prevFinding"))], { class: "button flag flag-back", disabled: none }),
            button("nextFinding", () => toFinding(v, 1), [icon("flag"), el("span", { class: "wide-only" }, t("nextFinding"))], { class: "button flag", disabled: none }),
            v.review.decisions && [button("prevMistake", () => toMistake(v, -1), icon("missback"), { class: "button miss" }), button("nextMistake", () => toMistake(v, 1), icon("miss"), { class: "button miss" })]))),
      el("aside", { class: "aside" }, p.now, el("div", { class: "tabs", role: "tablist" }, p.tabs), p.page)),
    p.help);
  showTab(v, v.tab);
  render(v);
  fit(v);
}

// Container queries would lay the table out anew at each step (three times the work): widths become classes and --cq here.
function fit(v) {
  const width = v.root.clientWidth;
  for (const limit of [1100, 860, 560]) v.root.classList.toggle(`upto-${limit}`, width <= limit);
  const table = v.parts.table.clientWidth;
  for (const limit of [760, 600]) v.root.classList.toggle(`table-${limit}`, table <= limit);
  v.root.style.setProperty("--cq", `${table / 100}px`);
  if (v.tab === "events") markEvent(v);
}

function title(v) {
  const { t } = v.tr;
  const line = v.line;
  const out = sitterWord(line, line.n_seats);
  const facts = [out && `${t(out)} ${line.sitter}`, line.platform, line.room, line.round_no !== null && line.round_no !== undefined && t("round", { n: line.round_no }), (line.started_at || "").replace("T", " ")].filter(Boolean);
  const n = line.findings.length;
  const sign = { clean: "✓", violations: "!", undecidable: "?" }[line.verdict] || "!";
  return el("div", { class: "title" }, el("b", { class: "ruleset", title: optionText(line.options) }, v.tr.ruleset(line.ruleset)),
    el("span", { class: "facts", title: line.round_id }, facts.join(" · ")),
    el("span", { class: `verdict ${line.verdict}`, title: (line.undecidable || []).map((reason) => reason[v.tr.lang]).join("\n") }, `${sign} ${WORDS[line.verdict] ? t(line.verdict) : line.verdict}${n ? ` ${n}` : ""}`));
}

function optionText(options) {
  return Object.entries(options || {}).map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join("\n");
}

function ticks(v) {
  const strong = new Set([A.PAO, A.TI, A.TI_OPEN, A.HU, A.HUANG, A.PENG, A.WEI, A.CHOU_WEI, A.CHI]);
  const mark = (i, kind) => {
    const node = el("i", { class: `tick ${kind}` });
    node.style.left = `${v.index.last ? (100 * i) / v.index.last : 0}%`;
    return node;
  };
  const mistakes = v.judged.mistakes.map((i) => mark(i, `tick-mistake band-${Math.max(...v.judged.done[i].map((row) => row.band || 0))}`));
  return v.line.frames.map((frame, i) => {
    const found = v.index.findings[i];
    const action = frame.event ? frame.event.action : 0;
    if (!found.length && !strong.has(action)) return null;
    return mark(i, found.length ? "tick-finding" : ACTIONS[action][4]);
  }).concat(mistakes);
}

function render(v) {
  const p = v.parts;
  const { t } = v.tr;
  p.table.replaceChildren(renderTable(v));
  p.now.replaceChildren(renderNow(v));
  p.say.textContent = v.frame().remark || sentence(v, v.at);
  p.count.textContent = `${v.at} / ${v.index.last}`;
  p.range.value = String(v.at);
  p.range.setAttribute("aria-valuetext", p.say.textContent);
  p.hands.textContent = v.openHands ? t("showMine") : t("showAll");
  p.hands.setAttribute("aria-pressed", String(v.openHands));
  p.wall.textContent = v.openWall ? t("wallHide") : t("wallShow");
  p.wall.setAttribute("aria-pressed", String(v.openWall));
  p.copy.title = link(v);
  p.play.replaceChildren(icon(v.playing ? "pause" : "play"));
  p.play.setAttribute("aria-label", t(v.playing ? "pause" : "play"));
  if (v.tab === "events") markEvent(v);
  else if (v.tab === "unseen") p.page.replaceChildren(renderUnseen(v));
  else if (v.tab === "decisions") p.page.replaceChildren(renderDecisions(v));
  else if (v.tab === "luck" && v.terms.biggest.length) p.page.querySelector(".terms-now").replaceChildren(...termsNow(v).flat());
  v.root.dataset.event = String(v.frame().seq);
}

function showTab(v, name) {
  const pages = { events: renderEvents, decisions: renderDecisions, luck: renderLuck, score: renderScore, unseen: renderUnseen, transcript: renderText };
  v.tab = name;
  for (const tab of v.parts.tabs) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  v.parts.page.replaceChildren(pages[name](v));
  v.parts.page.scrollTop = 0;
  if (name === "events") markEvent(v);
}

function markEvent(v) {
  const box = v.parts.page;
  const rows = box.querySelectorAll(".event");
  box.querySelector(".event.current")?.removeAttribute("aria-current");
  box.querySelector(".event.current")?.classList.remove("current");
  const row = rows[v.at];
  row.classList.add("current");
  row.setAttribute("aria-current", "step");
  const inside = row.offsetTop - box.offsetTop;
  if (inside < box.scrollTop + 40 || inside > box.scrollTop + box.clientHeight - 70) box.scrollTop = inside - box.clientHeight / 2;
}

function go(v, i) {
  const to = clamp(i, 0, v.index.last);
  if (to === v.index.last) stop(v);
  if (to === v.at) return render(v);
  v.at = to;
  render(v);
  clearTimeout(v.urlTimer);
  v.urlTimer = setTimeout(() => followUrl(v), 150);
}

// Whether the event shown was a decision for which a better choice is known.
function missed(v) {
  return v.judged.done[v.at].some((row) => !row.why_not && row.taken !== row.best);
}

// As ``go``, from an address: one that leads to a decision shows what was judged of it.
function openAt(v, seq) {
  go(v, v.index.at(seq));
  if (missed(v) && v.tab !== "decisions") showTab(v, "decisions");
}

function toFinding(v, way) {
  const marked = way > 0 ? v.index.marked.filter((i) => i > v.at) : v.index.marked.filter((i) => i < v.at).reverse();
  if (marked.length) go(v, marked[0]);
}

function toggleHands(v) {
  v.openHands = !v.openHands;
  if (v.tab !== "score") showTab(v, v.tab);
  render(v);
}

function toggleWall(v) {
  v.openWall = !v.openWall;
  render(v);
}

function rotate(v) {
  v.me = (v.me + 1) % v.n;
  if (v.tab !== "score") showTab(v, v.tab);
  render(v);
}

function switchLanguage(v) {
  v.lang = v.lang === "en" ? "zh" : "en";
  document.documentElement.lang = v.lang === "en" ? "en" : "zh-CN";
  build(v);
}

function toggleHelp(v) {
  const box = v.parts.help;
  const close = () => {
    box.replaceChildren();
    v.root.focus({ preventScroll: true });
  };
  if (box.firstChild) return close();
  box.replaceChildren(renderHelp(v, close));
  box.querySelector("button").focus();
}

function stop(v) {
  clearInterval(v.playing);
  v.playing = null;
}

function togglePlay(v) {
  if (v.playing) stop(v);
  else {
    if (v.at === v.index.last) v.at = 0;
    v.playing = setInterval(() => go(v, v.at + 1), 1200 / v.speed);
  }
  render(v);
}

function setSpeed(v, speed) {
  v.speed = speed;
  if (!v.playing) return;
  stop(v);
  togglePlay(v);
}

const MOVES = {
  ArrowLeft: (v) => go(v, v.at - 1), ArrowRight: (v) => go(v, v.at + 1), Home: (v) => go(v, 0), End: (v) => go(v, v.index.last),
  PageUp: (v) => toFinding(v, -1), PageDown: (v) => toFinding(v, 1),
  n: (v) => toMistake(v, 1), p: (v) => toMistake(v, -1), h: toggleHands, v: rotate, w: toggleWall, " ": togglePlay, "?": toggleHelp, "？": toggleHelp,
};

function onKey(v, event) {
  const path = event.composedPath();
  const target = path[0];
  const within = path.includes(v.root);
  const free = target === document.body || target === document.documentElement;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !(within || free)) return;
  if (event.key === "Escape" && v.parts.help.firstChild) return toggleHelp(v);
  const tag = target.tagName;
  if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && target.type !== "range")) return;
  if (event.key === " " && tag === "BUTTON") return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!Object.hasOwn(MOVES, key)) return;
  event.preventDefault();
  MOVES[key](v);
}
