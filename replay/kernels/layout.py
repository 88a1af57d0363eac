"""Where everything stands in the one flat memory of ints that the kernels work on."""

from __future__ import annotations

# --- parameters of a ruleset (replay.rulesets.Ruleset.to_params writes them in this order) ---
PARAMS = (
    "MIN_HUXI",
    "PENG_S", "PENG_B", "KAN_S", "KAN_B", "PAO_S", "PAO_B", "TI_S", "TI_B",
    "RUN_123_S", "RUN_123_B", "RUN_2710_S", "RUN_2710_B",
    "TIANHU_QUADS",  # 0 off, 1 optional, 2 compulsory
    "TIANHU_COUNT",  # 0: 3 提, or 提+坎 >= 5; 1: 3 提, or 5 坎 (提 not counted)
    "LIANG_WIN",  # 0 nobody, 1 dealer, 2 everybody
    "LIANG_FORCED",  # the dealer's win on the 亮张 is compulsory
    "WIN_DISCARD",
    "DIHU_FORCED",  # a win on the dealer's first discard is compulsory (地胡)
    "CHI_PREV_DRAW",
    "STALE_SEPARATE",
    "OWN_BARS_PENG",
    "CHOUHU",
    "TI_OPEN",  # 0 none (quads stay in hand), 1 before the first discard, 2 before the seat's first intake
    "HU_PASS_KILLS",  # a refused 胡 ends the window
    "DEAD_FORCED",  # 0 waive the discard, 1 waive and out, 2 the forced group is dropped
    "DEAD_CHI_ALL",  # one dead choice removes every 吃 of the seat
    "BAN",
    "DEALER_DISCARDS",  # the dealer discards first, whatever his quads
    "CHOU_WEI_HIDDEN",  # 0: 臭偎 must be shown (rules 6.14); 1: it is not visible in the records (12.21)
    "ZIMO_ADD", "ZIMO_DOUBLE", "ZIMO_AFTER_FAN", "TIANHU_FACTOR", "TIANHU_IS_ZIMO",
    "UNIT_START", "UNIT_STEP", "UNIT_BASE",  # units = (胡息 - start) // step + base
    "FAN_HONG", "FAN_DIAN", "FAN_HONG_WU", "FAN_WU", "FAN_DUIDUI", "FAN_WU_DUIDUI", "FAN_HAIDI",
    "SPECIAL_DOUBLE",  # 天胡, 地胡, 三龙五坎 double the units (guilin)
    "DISCARD_PAYS_ALL",  # the discarder alone pays, for both
    "BASE_POINTS",
    "XING",  # kinds of 醒 that count: 1 the next rank up, 2 the same, 4 the next down
)  # fmt: skip
PARAM0 = 300
(
    P_MIN_HUXI,
    P_PENG_S, P_PENG_B, P_KAN_S, P_KAN_B, P_PAO_S, P_PAO_B, P_TI_S, P_TI_B,
    P_RUN_123_S, P_RUN_123_B, P_RUN_2710_S, P_RUN_2710_B,
    P_TIANHU_QUADS, P_TIANHU_COUNT, P_LIANG_WIN, P_LIANG_FORCED, P_WIN_DISCARD, P_DIHU_FORCED, P_CHI_PREV_DRAW,
    P_STALE_SEPARATE, P_OWN_BARS_PENG, P_CHOUHU, P_TI_OPEN, P_HU_PASS_KILLS, P_DEAD_FORCED, P_DEAD_CHI_ALL, P_BAN,
    P_DEALER_DISCARDS, P_CHOU_WEI_HIDDEN,
    P_ZIMO_ADD, P_ZIMO_DOUBLE, P_ZIMO_AFTER_FAN, P_TIANHU_FACTOR, P_TIANHU_IS_ZIMO,
    P_UNIT_START, P_UNIT_STEP, P_UNIT_BASE,
    P_FAN_HONG, P_FAN_DIAN, P_FAN_HONG_WU, P_FAN_WU, P_FAN_DUIDUI, P_FAN_WU_DUIDUI, P_FAN_HAIDI,
    P_SPECIAL_DOUBLE, P_DISCARD_PAYS_ALL, P_BASE_POINTS, P_XING,
) = range(PARAM0, PARAM0 + 49)  # fmt: skip

# --- state of a round: shared slots (the first 80 ints are the splitter's stack) ---
STATE0 = 80
(
    PHASE, TURN, OPEN, OPEN_SEAT, ORIGIN, WALL_AT, WALL_N, DEALER, OPENING, DISCARDS, DRAWS, LAST_INTAKE, LAST_DRAWER,
    WINNER, WIN_CARD, WIN_SOURCE, WIN_VALUE, WIN_SPECIAL, CLAIMS, LOGS_UNCLAIMED, SEQ, LIANG, N_FOUND, FOUND_NOW,
    CHI_SEAT, CHI_CARD, CHI_SEQ, CHI_FAULT, LAST_QUAD, LAST_CLAIM, HU_LOST, ANY_RIGHT,
) = range(STATE0, STATE0 + 32)  # fmt: skip
SEEN = 120  # 20 slots: copies of each kind that have been accounted for
SEAT0 = 140
SEAT_SIZE = 50
(
    HAND, QUADS, KNOWN, MELDS, N_QUADS, XI, TABLE, RED, RUNS, PENGS, WEIS, STALE_CHI, STALE_PENG, OWN, PENG_PASSED,
    BANNED, WAIVED, OFFSET, IS_OUT, RIGHTS, PASSED, INTAKES, MAYBE, HU_VALUE, UNSEEN, LOST, SHI_TI_FLAGGED, LAID,
) = range(28)  # fmt: skip
CHOUHU = 28  # 20 slots: 1 + exposed 胡息 when a win on this kind was last refused
STATE_END = SEAT0 + 3 * SEAT_SIZE
SEATS = 3

# --- phases: what must come next ---
DUE_DISCARD, DUE_DRAW, HIDDEN, SHOWN, OVER = range(5)
# --- origins of the open card ---
FROM_HAND, FROM_WALL = range(2)
# --- rights of a seat ---
R_HU, R_PAO, R_PENG, R_CHI, R_WEI, R_TI = 1, 2, 4, 8, 16, 32

# --- events (ingest.codes.Action, as plain ints for the kernels) ---
(
    A_DISCARD, A_DRAW, A_CHI, A_BI, A_PENG, A_WEI, A_CHOU_WEI, A_PAO, A_TI, A_TI_OPEN, A_HU, A_PASS, A_HUANG,
    A_UNCLAIMED, A_BU, A_CLAIM,
) = range(1, 17)  # fmt: skip
# --- sources of a winning card (ingest.codes.Source) ---
W_NONE, W_OWN, W_OTHER, W_DISCARD, W_LIANG = range(5)
# --- special wins ---
TIANHU_BY_QUADS, TIANHU_BY_LIANG, DIHU = 1, 2, 3

# --- findings: a row of five ints each: seq, code, seat, expected, actual ---
ROW = 5
(
    V_ZOU_PAO, V_SHI_TI, V_SHI_WEI, V_SHAO_BI, V_CHOU_CHI, V_CHOU_PENG, V_CHAI_KAN, V_CHAI_TI, V_BAKUAI_DISCARD,
    V_MISSING_DISCARD, V_ZHA_HU_XI, V_ZHA_HU_SHAPE, V_HU_BANNED, V_HU_SOURCE, V_PO_TI, V_CHOU_HU, V_CHOUWEI_HIDDEN,
    V_CHOUWEI_SPURIOUS, V_GE_SHAN, V_WRONG_PRIORITY, V_WRONG_TURN, V_DOUBLE_DRAW, V_CARD_NOT_IN_HAND, V_FIFTH_COPY,
    V_WALL_MISMATCH, V_DRAW_ORDER, V_MELD_INVALID, V_FALSE_HUANG, V_MISSED_HUANG, V_MISSING_EVENT,
    V_WINDOW_CUT, V_EVENT_AFTER_END, V_TIANHU1_MISSED, V_BAD_PASS, V_CLOSED_CLAIM, V_DEAD_CLAIM, V_MELD_KIND,
    V_DOUBLE_CLAIM, V_LIANG_SKIPPED, V_LOST_BY_REFUSED_HU,
) = range(1, 41)  # fmt: skip
BANS = (
    V_ZOU_PAO, V_SHI_TI, V_SHI_WEI, V_SHAO_BI, V_CHOU_CHI, V_CHOU_PENG, V_CHAI_KAN, V_CHAI_TI, V_BAKUAI_DISCARD,
    V_CHOUWEI_HIDDEN, V_GE_SHAN,
)  # fmt: skip
BAN_MASK = sum(1 << code for code in BANS)
# --- a deal: dealer, 亮张, wall length (-1 unknown), whether the log notes unclaimed cards, 3 x 20 hand, 20 wall ---
DEAL0 = 360
D_DEALER, D_LIANG, D_WALL_N, D_LOGS_UNCLAIMED, D_HANDS, D_WALL = (DEAL0 + i for i in (0, 1, 2, 3, 4, 64))
DEAL_SIZE = 84
# --- what kernels hand back ---
SCORE0 = 450  # the score, see ``score.settle``
(
    O_HUXI, O_DENG, O_FAN, O_FAN_TOTAL, O_UNITS, O_ZIMO, O_RED, O_HITS, O_TURNED, O_POINTS,
) = range(SCORE0, SCORE0 + 10)  # fmt: skip
SCORE_SIZE = 10 + SEATS - 1
CHI = 480  # 吃 options, see ``rights.chi_options``
FOUND = 550  # findings, ``ROW`` ints each
MAX_FOUND = 64  # findings kept of one round; a round with more is counted in full
MOVES = FOUND + MAX_FOUND * ROW  # legal moves, ``MOVE`` ints each, see ``legal.legal``
MOVE = 4
# --- constants of ``rights.CONSTANTS``: indexing a tuple would copy it at every use ---
GROUP = MOVES + 256 * MOVE  # 20 x 6: triples that contain a kind, -1 fills up
NEED = GROUP + 120  # 20 x 6: low bits of the other cards of that triple
NEED_TWICE = NEED + 120  # 20 x 6: low bits of a card needed twice
PACK = NEED_TWICE + 120  # 38: the packed triples
STATE_SIZE = PACK + 38
