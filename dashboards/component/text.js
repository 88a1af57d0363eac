// Everything the viewer says, in both languages, and the sentence for each event.

const A = { DISCARD: 1, DRAW: 2, CHI: 3, BI: 4, PENG: 5, WEI: 6, CHOU_WEI: 7, PAO: 8, TI: 9, TI_OPEN: 10, HU: 11,
  PASS: 12, HUANG: 13, UNCLAIMED: 14, BU: 15, CLAIM: 16, LEAVE: 17 };
const F = { SHUN: 1, SHUN_2710: 2, JIAO: 3, PENG: 4, KAN: 5, WEI: 6, CHOU_WEI: 7, PAO: 8, TI: 9, JIANG: 10 };

// code -> [glyph on the badge, verb zh, verb en, noun en, family of colours]
const ACTIONS = {
  1: ["打", "打", "discards", "discard", "plain"],
  2: ["摸", "摸", "draws", "draw", "plain"],
  3: ["吃", "吃", "takes with chi", "chi", "chi"],
  4: ["比", "比", "lays bi", "bi", "chi"],
  5: ["碰", "碰", "takes with peng", "peng", "peng"],
  6: ["偎", "偎", "lays wei", "wei", "hide"],
  7: ["臭偎", "臭偎", "lays chou wei", "chou wei", "hide"],
  8: ["跑", "跑", "lays pao", "pao", "four"],
  9: ["提", "提", "lays ti", "ti", "four"],
  10: ["提", "亮提", "shows ti", "ti", "four"],
  11: ["胡", "胡", "wins on", "hu", "hu"],
  12: ["过", "过", "passes", "pass", "faint"],
  13: ["荒", "荒庄", "ends without a winner", "huang", "hu"],
  14: ["无", "无人要", "unclaimed", "unclaimed", "faint"],
  15: ["补", "补", "is dealt", "extra card", "plain"],
  16: ["求", "求", "asks for", "claim", "faint"],
  17: ["逃", "逃跑", "leaves the table", "leave", "hu"],
};
const FORMS = { 1: ["顺", "shun"], 2: ["二七十", "2-7-10"], 3: ["绞", "jiao"], 4: ["碰", "peng"], 5: ["坎", "kan"],
  6: ["偎", "wei"], 7: ["臭偎", "chou wei"], 8: ["跑", "pao"], 9: ["提", "ti"], 10: ["将", "jiang"] };
const SOURCES = { 0: ["—", "—"], 1: ["自摸", "own draw"], 2: ["他家摸牌", "another's draw"], 3: ["点炮", "a discard"], 4: ["亮张", "the 亮张"] };
const UNITS = { guilin: ["子", "zi"], bisai: ["等", "deng"], luzhou: ["等", "deng"], general: ["分", "points"] };
const RULESETS = { guilin: ["桂林字牌", "Guilin"], qq: ["QQ 跑胡子", "QQ rules"], hu15: ["十五胡", "15 胡"], bisai: ["比赛规则", "Competition"],
  luzhou: ["泸州大贰", "Luzhou"], general: ["衡阳通行规则", "General rules"], ningxiang: ["宁乡跑胡子", "Ningxiang"] };
// What a table of the ruleset has: a 亮张 shown, 胡息 counted, drawn cards kept in the hand, 番 multiplied, a bottom card shown.
const TRAITS = { luzhou: { liang: false, bottom: true }, general: { liang: false, huxi: false, toHand: true, product: true } };
const TRAIT = { liang: true, huxi: true, toHand: false, product: false, bottom: false };
const ENDS = { "": ["荒", "huang"], 作废: ["废", "voided"], 逃跑: ["逃", "escaped"] };
const SEVERITY = { 3: ["错", "记录不可能", "impossible log"], 2: ["违", "违规", "rule offence"], 1: ["账", "账目", "bookkeeping"], 0: ["注", "说明", "note"] };

const WORDS = {
  viewer: ["对局回放", "Round viewer"], dealer: ["庄", "庄"], dealerLong: ["庄家", "dealer"],
  bottom: ["本家", "this seat"], right: ["下家", "next"], left: ["上家", "previous"], top: ["对家", "opposite"], across: ["对家", "opponent"],
  huxi: ["胡息", "胡息"], hand: ["手牌", "hand"], unknownHand: ["手牌未知", "hand not recorded"], noHand: ["无手牌", "no cards left"],
  melds: ["桌上", "melds"], discards: ["弃牌", "discards"], stale: ["过张", "passed"], wall: ["墩", "wall"],
  wallUnknown: ["墩牌未知", "wall not recorded"], liang: ["亮张", "亮张"], bottom_: ["末张", "bottom card"], counts: ["醒家", "醒家"], idle: ["坐底", "sits out"], charge: ["罚", "penalty"], charged: ["被罚的那一手", "the event that was charged"], left_: ["余", "left"],
  none: ["暂无", "none yet"], events: ["事件", "Events"], score: ["计分", "Score"], unseen: ["余牌", "Unseen"], transcript: ["文字", "Text"],
  now: ["此刻谁可以做什么", "Who may do what"], noRights: ["没有人可以要这张牌", "Nobody may claim this card"],
  noWindow: ["现在没有牌可要", "No card is open to claims now"], findings: ["本手发现的问题", "Findings on this event"],
  noFindings: ["这一手没有问题", "Nothing found on this event"], expected: ["应当", "expected"], actual: ["记录", "recorded"],
  follows: ["由此引起", "follows from"], showAll: ["看全部手牌", "All hands"], showMine: ["只看本家", "This seat only"],
  rotate: ["换座位", "Rotate"], wallShow: ["看墩牌", "Show wall"], wallHide: ["盖墩牌", "Hide wall"], copy: ["复制链接", "Copy link"],
  copied: ["已复制", "Copied"], help: ["帮助", "Help"], other: ["English", "中文"], speed: ["速度", "speed"], first: ["开头", "First"],
  back: ["上一手", "Back"], next: ["下一手", "Forward"], last: ["结尾", "Last"], play: ["自动播放", "Play"], pause: ["暂停", "Pause"],
  prevFinding: ["上一个问题", "Previous finding"], nextFinding: ["下一个问题", "Next finding"], scrub: ["进度", "Position"],
  deal: ["发牌", "Deal"], clean: ["无违规", "clean"], violations: ["有问题", "findings"], undecidable: ["无法判定", "undecidable"],
  unreadable: ["无法读取", "unreadable"], recomputed: ["重算", "recomputed"], reported: ["平台记录", "recorded"],
  notReported: ["未记录", "not recorded"], noScore: ["这一局没有可结算的结果", "There is no result to score"], winner: ["胡家", "winner"],
  source: ["胡牌来源", "won on"], total: ["合计胡息", "total 胡息"], fan: ["番", "番"], pinghu: ["平胡（无番）", "no 番"],
  points: ["得失", "points"], xing: ["醒", "醒"], xingHits: ["中醒", "醒 hits"], differs: ["不一致", "differs"], nobody: ["无人", "nobody"],
  groups: ["牌组", "groups"], taken: ["实际", "taken"], preempted: ["被抢先", "pre-empted"], declined: ["未要", "declined"], failed: ["该做未做", "not made"], unseenNote: ["从该座位看，还没见过的张数", "Copies not yet seen from this seat"],
  locked: ["坎，不可拆", "kan, locked"], staleBoth: ["不可再吃、碰", "may be taken neither by chi nor by peng"],
  staleChi: ["不可再吃", "may not be taken by chi"], stalePeng: ["不可再碰", "may not be taken by peng"], drawnMark: ["摸", "摸"],
  drawnTitle: ["摸出后无人要", "drawn and left"], thrownTitle: ["从手中打出", "thrown from the hand"], claimedTitle: ["已被要走", "claimed"],
  openTitle: ["正亮着", "lying open"], close: ["关闭", "Close"], huang: ["荒庄", "荒庄 (no winner)"], voided: ["胡牌作废", "the win is void"], escaped: ["逃跑", "a player left"], wins: ["胡", "wins"],
  eaten: ["吃进的牌", "the eaten card"], round: ["第 {n} 局", "round {n}"], settlement: ["结算", "settlement"], special: ["特殊", "special"], deng: ["番前", "before 番"],
  decisions: ["决策", "Decisions"], luck: ["运气", "Luck"], justTaken: ["刚才的选择", "The choice just made"], toTake: ["此刻的选择", "The choice to be made now"],
  noChoice: ["这里没有可选的", "Nothing to choose here"], nextChoice: ["↳ 下一次选择", "↳ next choice"], noDecisions: ["这一局没有可选的时候。", "There was no choice in this round."],
  notGraded: ["这一局的决策还没有评。这样来评：", "The decisions of this round were not judged yet. To have them judged:"],
  notJudged: ["不评", "not judged"], othersChoice: ["看全部手牌时才显示", "shown with all hands"], bestTaken: ["就是最好的一手", "the best choice"],
  loss: ["损失", "loss"], naive: ["同一批世界直接相比", "by the same worlds"], best: ["最好", "best"], mistake: ["失误", "mistake"], blunder: ["大失误", "blunder"],
  otherChoices: ["其余 {n} 种", "{n} more"], winShort: ["胡", "胡"], huangShort: ["荒", "荒庄"], paysShort: ["付", "pays"], known: ["实际手牌", "real hands"],
  worlds: ["{n} 个世界", "{n} worlds"], evaluator: ["评估", "Evaluator"], noCuts: ["这套规则没有失误的界线。", "No cuts for this ruleset."],
  cuts: ["横条：比最好的差几分，须为 95% 区间。损失肯定超过 {mistake} 分是失误，{blunder} 分是大失误。", "Bars: points behind the best, whiskers 95 %. A loss surely above {mistake} points is a mistake, above {blunder} a blunder."],
  prevMistake: ["上一个失误", "Previous mistake"], nextMistake: ["下一个失误", "Next mistake"], noMistake: ["这一局没有失误。", "No mistake in this round."],
  noMistakeAfter: ["后面没有失误了。", "No mistake after this."], noMistakeBefore: ["前面没有失误。", "No mistake before this."],
  noLedger: ["这一局没有运气账。", "This round has no luck ledger."], ledgerTitle: ["得分从哪里来", "Where the points came from"], luckNow: ["这一手", "This event"],
  noTerm: ["这一手不进账", "No entry at this event"], biggest: ["最大的几笔", "The biggest entries"], payoff: ["得分", "points"],
  expectation: ["期望", "expectation"], expectationLong: ["这个位置平均得多少", "what this role gets on average"],
  dealLuck: ["发牌运气", "luck of the deal"], dealLuckLong: ["发牌后的估值减期望", "worth after the deal less the expectation"],
  drawLuck: ["摸牌运气", "luck of draws"], drawLuckLong: ["摸来的牌减墩中各牌的平均", "the card that came less the mean of all left"],
  decisionsOf: ["的决定", "decisions"], decisionsOfLong: ["没有照参考选手做，使各家得分变了多少", "what not doing as the reference player changed for each seat"],
  revision: ["估值修正", "revision"], revisionLong: ["多看一张牌后估值的改变，不算运气也不算本事", "what the evaluator learns one card on: neither luck nor skill"],
  rounded: ["各项精确到百万分之一分，相加正好是得分；显示到 0.01 分，末位因四舍五入会差一点。", "Entries are exact to a millionth and add up to the points; shown to 0.01, the last digits may differ by rounding."],
  ledgerNote: ["决定一项只说与参考选手不同改变了什么，不是对错。", "An entry of a decision says what differing from the reference player changed, not whether it was right."],
  drawTerm: ["摸牌运气", "luck of a draw"], drawGlyph: ["摸", "摸"], xingTerm: ["醒牌运气", "luck of the 醒 card"], xingGlyph: ["醒", "醒"], decisionTerm: ["决定", "decision"], decisionGlyph: ["决", "决"],
  noReplay: ["发牌有误，无法逐手回放", "The deal is faulty: there is nothing to step through"], copyText: ["复制全文", "Copy text"],
};

const KEYS = [
  ["← →", "上一手／下一手", "event back / forward"], ["Home End", "开头／结尾", "first / last"],
  ["PgUp PgDn", "上一个／下一个问题", "previous / next finding"], ["空格|Space", "自动播放／暂停", "play / pause"],
  ["n p", "下一个／上一个失误", "next / previous mistake"],
  ["h", "全部手牌／只看本家", "all hands / this seat only"], ["v", "换座位", "rotate the seats"], ["w", "看／盖墩牌", "show / hide the wall"],
  ["?", "帮助", "this help"],
];
const LEGEND = [
  ["红牌：右上角有圆点", "red cards carry a dot at the top right"], ["大字：粗体 壹…拾；小字：一…十", "大字 bold 壹…拾, 小字 plain 一…十"],
  ["弃牌右下角有「摸」：摸出后无人要；没有：从手中打出；变淡：已被要走", "a discard marked 摸 was drawn and left, an unmarked one was thrown, a faded one was claimed"],
  ["吃进的牌在最下，带金边；旁边虚线相连的是比", "the eaten card is lowest with a gold rim; 比 groups stand beside it, joined by a dotted line"],
  ["半透明的牌：对别家是盖着的", "see-through cards are face down for the other seats"], ["带锁的列是坎，不可拆", "a column with a lock is a 坎 and may not be split"],
];

function translator(lang) {
  const at = lang === "en" ? 1 : 0;
  return {
    lang: at ? "en" : "zh",
    t: (key, values) => Object.entries(values || {}).reduce((s, [k, v]) => s.replace(`{${k}}`, v), WORDS[key][at]),
    action: (code) => (ACTIONS[code] ? ACTIONS[code][at ? 3 : 1] : String(code)),
    form: (code) => (FORMS[code] ? FORMS[code][at] : "？"),
    source: (code) => (SOURCES[code] ? SOURCES[code][at] : "—"),
    ruleset: (id) => (Object.hasOwn(RULESETS, id) ? RULESETS[id][at] : id),
    unit: (ruleset) => (UNITS[ruleset] || ["底", "di"])[at],
    severity: (level) => (SEVERITY[level] || SEVERITY[0])[at ? 2 : 1],
    pair: (list) => list[list.length - 2 + at],
  };
}

function cardWord(card, lang) {
  if (card < 0) return lang === "en" ? "an unknown card" : "一张未知牌";
  return lang === "en" ? `${card >= 10 ? "big" : "small"} ${(card % 10) + 1} ${CHARS[card]}` : CHARS[card];
}

function cardsWord(cards, lang) {
  const sep = lang === "en" ? ", " : "";
  return cards.filter((card) => card > -2).map((card) => (card < 0 ? "?" : cardWord(card, lang))).join(sep);
}

// One sentence for frame i; `hide` replaces a card that the chosen seat could not have seen.
function sentence(v, i) {
  const { lang, t } = v.tr;
  const frame = v.line.frames[i];
  const ev = frame.event;
  const en = lang === "en";
  if (!ev) {
    const liang = v.line.liang === null || !v.has.liang ? "" : en ? `; 亮张 ${cardWord(v.line.liang, lang)}` : `，亮张 ${cardWord(v.line.liang, lang)}`;
    return en ? `Deal: ${v.name(v.line.dealer)} is dealer${liang}.` : `发牌：${v.name(v.line.dealer)} 坐庄${liang}。`;
  }
  const who = ev.seat >= 0 ? v.name(ev.seat) : "";
  const word = v.secret(i) ? (en ? "a hidden card" : "一张暗牌") : cardWord(ev.card, lang);
  const verb = (ACTIONS[ev.action] || ["", String(ev.action), String(ev.action)])[en ? 2 : 1];
  const before = i > 0 ? v.line.frames[i - 1].open : null;
  const from = before && before.seat >= 0 && before.seat !== ev.seat ? (en ? ` from ${v.name(before.seat)}` : ` ${v.name(before.seat)} 的`) : "";
  const end = en ? "." : "。";
  switch (ev.action) {
    case A.PASS: case A.LEAVE: return `${who} ${verb}${end}`;
    case A.HUANG: return en ? "The wall is empty: 荒庄, nobody wins." : "荒庄：墩牌摸完，无人胡牌。";
    case A.UNCLAIMED: return en ? `Nobody takes ${word}.` : `${word} 无人要。`;
    case A.CLAIM: return en ? `${who} asks for ${v.tr.action(ev.a)}.` : `${who} 求${v.tr.action(ev.a)}。`;
    case A.BI: return `${who} ${verb} ${cardsWord([ev.card, ev.a, ev.b], lang)}${end}`;
    case A.CHI: {
      const own = cardsWord([ev.a, ev.b], lang);
      return en ? `${who} takes ${word}${from} with chi, using ${own}.` : `${who} 吃${from} ${word}，用手中的 ${own}。`;
    }
    case A.PENG: case A.PAO: return en ? `${who} ${verb} ${word}${from}.` : `${who} ${verb}${from} ${word}。`;
    default: return ev.card === -2 ? `${who} ${verb}${end}` : `${who} ${verb} ${word}${end}`;
  }
}

function dueText(v, frame) {
  const who = frame.turn >= 0 ? v.name(frame.turn) : "";
  const zh = { discard: `轮到 ${who} 打牌`, draw: `轮到 ${who} 摸牌`, window: "等各家应答", hidden: `${who} 暗中偎、提`, over: "本局结束" };
  const en = { discard: `${who} to discard`, draw: `${who} to draw`, window: "waiting for claims", hidden: `${who} resolves the hidden card`, over: "round over" };
  return (v.tr.lang === "en" ? en : zh)[frame.due] || "";
}
