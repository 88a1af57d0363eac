// A hand in the columns in which players hold it: 坎 first, then complete groups, two sizes of one rank, neighbours.

const GROUP = { LOCKED: 0, EQUAL: 1, DONE: 2, SIZES: 3, NEAR: 4, LOOSE: 5 };
const ARRANGED = new Map();

function rankOf(kind) {
  return kind % 10;
}

// Groups that contain `kind` and otherwise only kinds still held: [cards, class, value].
function groupsWith(kind, held) {
  const base = kind < 10 ? 0 : 10;
  const twin = kind < 10 ? kind + 10 : kind - 10;
  const rank = rankOf(kind);
  const has = (other, n = 1) => other >= 0 && held[other] >= n;
  const same = (r) => (r >= 0 && r <= 9 ? base + r : -1);
  const found = [[[kind], GROUP.LOOSE, 0]];
  if (held[kind] >= 2) {
    if (has(twin, 2)) found.push([[kind, kind, twin, twin], GROUP.EQUAL, 17]);
    if (has(twin)) found.push([[kind, kind, twin], GROUP.EQUAL, 18]);
    found.push([[kind, kind], GROUP.EQUAL, 11]);
  }
  if (has(twin, 2)) found.push([[twin, twin, kind], GROUP.EQUAL, 18]);
  if (has(twin)) found.push([[kind, twin], GROUP.SIZES, 7]);
  for (let start = rank - 2; start <= rank; start += 1) {
    const run = [same(start), same(start + 1), same(start + 2)];
    if (run.every((other) => has(other))) found.push([run, GROUP.DONE, start === 0 ? 26 : 19]);
    for (const pair of [[run[0], run[1]], [run[0], run[2]]]) {
      if (pair.includes(kind) && pair.every((other) => has(other))) found.push([pair, GROUP.NEAR, pair[1] - pair[0] === 1 ? 6 : 4]);
    }
  }
  if (rank === 1 || rank === 6 || rank === 9) {
    const trio = [same(1), same(6), same(9)];
    if (trio.every((other) => has(other))) found.push([trio, GROUP.DONE, 26]);
    for (const pair of [[trio[0], trio[1]], [trio[1], trio[2]], [trio[0], trio[2]]]) {
      if (pair.includes(kind) && pair.every((other) => has(other))) found.push([pair, GROUP.NEAR, 5]);
    }
  }
  return found;
}

// Best split of the free cards. The lowest rank goes first, so few different rests arise and each is solved once.
function bestSplit(held, memo) {
  let kind = -1;
  for (let rank = 0; rank < 10 && kind < 0; rank += 1) {
    if (held[rank]) kind = rank;
    else if (held[rank + 10]) kind = rank + 10;
  }
  if (kind < 0) return { value: 0, groups: null };
  const key = held.join("");
  const known = memo.get(key);
  if (known) return known;
  let best = null;
  for (const [cards, group, value] of groupsWith(kind, held)) {
    for (const one of cards) held[one] -= 1;
    const rest = bestSplit(held, memo);
    for (const one of cards) held[one] += 1;
    const total = value + rest.value - 3;
    if (!best || total > best.value) best = { value: total, groups: { cards, group, rest: rest.groups } };
  }
  memo.set(key, best);
  return best;
}

function mergeLoose(columns, limit) {
  const loose = columns.filter((c) => c.group === GROUP.LOOSE);
  const rest = columns.filter((c) => c.group !== GROUP.LOOSE);
  const cards = loose.flatMap((c) => c.cards).sort((a, b) => rankOf(a) - rankOf(b) || a - b);
  const size = rest.length + Math.ceil(cards.length / 2) <= limit ? 2 : rest.length + Math.ceil(cards.length / 3) <= limit ? 3 : 4;
  while (cards.length) rest.push({ cards: cards.splice(0, size), group: GROUP.LOOSE });
  // Too many columns for a hand: the weakest pairs of cards share a column.
  while (rest.length > limit) {
    const weak = rest.filter((c) => c.group >= GROUP.SIZES && c.cards.length <= 2).sort((a, b) => b.group - a.group || a.cards[0] - b.cards[0]);
    if (weak.length < 2) break;
    const [one, two] = weak;
    rest.splice(rest.indexOf(two), 1);
    one.cards = [...one.cards, ...two.cards];
    one.group = GROUP.LOOSE;
  }
  return rest;
}

// cards: kinds, -1 unknown; kan: kinds locked as 坎. Returns [{cards, group}].
function arrange(cards, kan, limit = 8) {
  const key = `${cards.join()}|${kan.join()}`;
  if (ARRANGED.has(key)) return ARRANGED.get(key);
  const held = new Array(20).fill(0);
  for (const kind of cards) if (kind >= 0) held[kind] += 1;
  const columns = [];
  const lock = (kind) => {
    columns.push({ cards: new Array(held[kind]).fill(kind), group: GROUP.LOCKED });
    held[kind] = 0;
  };
  for (let kind = 0; kind < 20; kind += 1) if (held[kind] >= 3 || (kan.includes(kind) && held[kind])) lock(kind);
  columns.sort((a, b) => b.cards.length - a.cards.length || a.cards[0] - b.cards[0]);
  const free = [];
  for (let node = bestSplit(held, new Map()).groups; node; node = node.rest) free.push({ cards: node.cards, group: node.group });
  const sorted = mergeLoose(free, limit - columns.length).sort((a, b) => a.group - b.group || rankOf(a.cards[0]) - rankOf(b.cards[0]) || a.cards[0] - b.cards[0]);
  columns.push(...sorted);
  const unknown = cards.filter((kind) => kind < 0);
  while (unknown.length) columns.push({ cards: unknown.splice(0, 4), group: GROUP.LOOSE });
  ARRANGED.set(key, columns);
  return columns;
}
