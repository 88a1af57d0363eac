// What the viewer derives once from the timeline: places of events and findings, 比 groups, hidden cards.

const CLAIMS = new Set([A.CHI, A.PENG, A.WEI, A.CHOU_WEI, A.PAO, A.TI, A.HU]);

function prepare(line) {
  const last = line.frames.length - 1;
  const place = new Map(line.frames.map((frame, i) => [frame.seq, i]));
  const at = (seq) => (place.has(seq) ? place.get(seq) : seq > line.frames[last].seq ? last : 0);
  const findings = line.frames.map(() => []);
  line.findings.forEach((finding, index) => findings[at(finding.seq)].push({ ...finding, index }));
  return { last, at, findings, marked: findings.flatMap((list, i) => (list.length ? [i] : [])), bi: biGroups(line) };
}

function traits(line) {
  return { ...TRAIT, ...TRAITS[line.ruleset] };
}

// What the person who sits out is called, by the seat behind those that play; "" for everybody else.
function sitterWord(line, seat) {
  if (!line.sitter || seat !== line.n_seats) return "";
  return line.ruleset === "bisai" ? "counts" : "idle";
}

// A round whose deal is impossible has no frames: one bare frame carries its findings.
function withFrames(line, remark) {
  if (line.frames.length) return line;
  const each = (value) => line.players.map(() => value);
  const frame = { seq: -1, event: null, hands: each(null), melds: each([]), discards: each([]), wall_left: null, open: null, turn: -1, due: "over",
    huxi: each(0), kan: each([]), stale: each({ chi: [], peng: [] }), rights: [], remark };
  return { ...line, frames: [frame] };
}

// Per frame and seat: the places of melds that were laid as 比.
function biGroups(line) {
  let sets = line.players.map(() => new Set());
  return line.frames.map((frame) => {
    if (frame.event && frame.event.action === A.BI && frame.melds[frame.event.seat]) {
      sets = sets.map((set, seat) => (seat === frame.event.seat ? new Set([...set, frame.melds[seat].length - 1]) : set));
    }
    return sets;
  });
}

// True where the event shows a card that only its own seat could see: 偎, the draw that led to it, a draw into the hand.
function isHidden(line, i) {
  const hides = (frame) => frame && frame.event && frame.event.action === A.WEI;
  const frame = line.frames[i];
  if (hides(frame) || (traits(line).toHand && frame.event && frame.event.action === A.DRAW)) return true;
  const after = line.frames[i + 1];
  return Boolean(frame.event && frame.event.action === A.DRAW && hides(after) && after.event.seat === frame.event.seat);
}

// Copies of each kind that the seat has not seen at this frame.
function unseen(line, frame, seat) {
  const left = new Array(20).fill(4);
  const see = (kind) => {
    if (kind >= 0) left[kind] = Math.max(0, left[kind] - 1);
  };
  (frame.hands[seat] || []).forEach(see);
  frame.melds.forEach((melds, owner) => melds.forEach((meld) => {
    const up = { [F.WEI]: 0, [F.CHOU_WEI]: meld.cards.length, [F.TI]: meld.cards.length }[meld.form];
    if (owner === seat || up !== 0) meld.cards.forEach(see);
  }));
  frame.discards.forEach((pile) => pile.filter((one) => !one.claimed).forEach((one) => see(one.card)));
  const open = frame.open;
  if (open && !frame.discards[open.seat]?.some((one) => one.card === open.card && !one.claimed)) see(open.card);
  if (traits(line).bottom && line.wall !== null && frame.wall_left > 0) see(line.wall[line.wall.length - 1]);
  if (line.liang !== null && traits(line).liang && seat !== line.dealer && (frame.hands[line.dealer] || [line.liang]).includes(line.liang)) see(line.liang);
  return left;
}
