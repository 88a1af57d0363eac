"""Where everything stands in the one flat memory of ints that the kernels work on."""

from __future__ import annotations

# --- parameters of a ruleset (replay.rulesets.Ruleset.to_params writes them in this order) ---
PARAMS = (
    "MIN_HUXI",
    # 胡息 of equal cards: small black, big black, small red, big red (``bits.class_of``)
    "PENG", "PENG_BB", "PENG_SR", "PENG_BR", "KAN", "KAN_BB", "KAN_SR", "KAN_BR",
    "PAO", "PAO_BB", "PAO_SR", "PAO_BR", "TI", "TI_BB", "TI_SR", "TI_BR",
    "RUN_123", "RUN_123_B", "RUN_2710", "RUN_2710_B",  # small, big
    "TIANHU_QUADS",  # 0 off, 1 optional, 2 compulsory
    "TIANHU_COUNT",  # 0: 3 提, or 提+坎 >= 5; 1: 3 提, or 5 坎 (提 not counted)
    "LIANG_WIN",  # who may win on the dealt cards: 0 nobody, 1 dealer, 2 everybody
    "LIANG_FORCED",  # the dealer's win on the dealt cards is compulsory
    "WIN_DISCARD",
    "DIHU",  # 0 none, 1 the next seat on the dealer's first discard, 2 whoever wins on it, 3 in the first round
    "DIHU_FORCED",
    "LAST_WINS",  # the wall's last card may be won on
    "PENG_FORCED",
    "CHI_PREV_DRAW",
    "STALE_SEPARATE",
    "OWN_BARS_PENG",
    "CHOUHU",
    "TI_OPEN",  # 0 none (quads stay in hand), 1 before the first discard, 2 before the seat's first intake
    "HU_PASS_KILLS",  # a refused 胡 ends the window
    "DEAD_FORCED",  # 0 waive the discard, 1 waive and out, 2 the forced group is dropped
    "DEAD_CHI_ALL",  # one dead choice removes every 吃 of the seat
    "BAN",
    "VOID_ENDS",  # a void win ends the round
    "DEALER_DISCARDS",  # the dealer discards first, whatever his quads
    "CHOU_WEI_HIDDEN",  # 0: 臭偎 must be shown (rules 6.14); 1: it is not visible in the records (12.21)
    "TO_HAND",  # a drawn card enters the hand, and all that goes with it (rules chapter 16)
    "SENTENCES",  # 0: seven groups; 1: 6 句, 1 将 and a spare card; 2: 7 句
    "ZIMO_ADD", "ZIMO_DOUBLE", "ZIMO_AFTER_FAN", "TIANHU_FACTOR",
    "TIANHU_IS_ZIMO",  # 0 never, 1 the dealer's, 2 everybody's
    "UNIT_STEP", "UNIT_BASE", "UNIT_CAP",  # units = (胡息 - minimum) // step + base, at most the cap
    # 番, in the order of ``replay.fan.FAN``
    "FAN", "FAN_DIAN", "FAN_HONG_WU", "FAN_WU", "FAN_DUIDUI", "FAN_WU_DUIDUI", "FAN_HAIDI", "FAN_SHIHONG",
    "FAN_TIANHU", "FAN_DIHU", "FAN_SANBIAN", "FAN_SIBIAN", "FAN_SHUANGPIAO", "FAN_SHIBA_DA", "FAN_SHIBA_XIAO",
    "FAN_QINGYISE", "FAN_ZIMO",
    "FAN_MORE",  # each card above the bound of 十红, 十八大, 十八小 adds one 番
    "FAN_PRODUCT",  # 番 multiply
    "HAIDI_ALONE",
    "SPECIAL_DOUBLE",  # 天胡, 地胡, 三龙五坎 double the units (guilin)
    "PAY_DISCARD",  # 0 all pay, 1 the discarder alone, for all, 2 the discarder alone, one share
    "QUAD_UNITS",  # each 提 and 跑 on the table adds a unit after 番
    "BASE_POINTS",
    "XING",  # kinds of 醒 that count: 1 the next rank up, 2 the same, 4 the next down
    "XING_FEE",  # what each loser pays the 醒家: 0 nothing, 1 one unit times 番, 2 one unit
    "HUANG_FEE",  # what the dealer pays the 醒家 at 荒庄
    "QIANTI_BONUS",  # what a dealer with a dealt 提 pays the 醒家
)  # fmt: skip
PARAM0 = 300
(
    P_MIN_HUXI,
    P_PENG, P_PENG_BB, P_PENG_SR, P_PENG_BR, P_KAN, P_KAN_BB, P_KAN_SR, P_KAN_BR,
    P_PAO, P_PAO_BB, P_PAO_SR, P_PAO_BR, P_TI, P_TI_BB, P_TI_SR, P_TI_BR,
    P_RUN_123, P_RUN_123_B, P_RUN_2710, P_RUN_2710_B,
    P_TIANHU_QUADS, P_TIANHU_COUNT, P_LIANG_WIN, P_LIANG_FORCED, P_WIN_DISCARD, P_DIHU, P_DIHU_FORCED, P_LAST_WINS,
    P_PENG_FORCED, P_CHI_PREV_DRAW, P_STALE_SEPARATE, P_OWN_BARS_PENG, P_CHOUHU, P_TI_OPEN, P_HU_PASS_KILLS,
    P_DEAD_FORCED, P_DEAD_CHI_ALL, P_BAN, P_VOID_ENDS, P_DEALER_DISCARDS, P_CHOU_WEI_HIDDEN, P_TO_HAND, P_SENTENCES,
    P_ZIMO_ADD, P_ZIMO_DOUBLE, P_ZIMO_AFTER_FAN, P_TIANHU_FACTOR, P_TIANHU_IS_ZIMO,
    P_UNIT_STEP, P_UNIT_BASE, P_UNIT_CAP,
    P_FAN, P_FAN_DIAN, P_FAN_HONG_WU, P_FAN_WU, P_FAN_DUIDUI, P_FAN_WU_DUIDUI, P_FAN_HAIDI, P_FAN_SHIHONG,
    P_FAN_TIANHU, P_FAN_DIHU, P_FAN_SANBIAN, P_FAN_SIBIAN, P_FAN_SHUANGPIAO, P_FAN_SHIBA_DA, P_FAN_SHIBA_XIAO,
    P_FAN_QINGYISE, P_FAN_ZIMO, P_FAN_MORE, P_FAN_PRODUCT, P_HAIDI_ALONE,
    P_SPECIAL_DOUBLE, P_PAY_DISCARD, P_QUAD_UNITS, P_BASE_POINTS, P_XING, P_XING_FEE, P_HUANG_FEE, P_QIANTI_BONUS,
) = range(PARAM0, PARAM0 + 80)  # fmt: skip
# --- state of a round: shared slots (the first 80 ints are the splitter's stack) ---
STATE0 = 80
(
    PHASE, TURN, OPEN, OPEN_SEAT, ORIGIN, WALL_AT, WALL_N, DEALER, OPENING, DISCARDS, DRAWS, LAST_INTAKE, LAST_DRAWER,
    WINNER, WIN_CARD, WIN_SOURCE, WIN_VALUE, WIN_SPECIAL, CLAIMS, LOGS_UNCLAIMED, SEQ, LIANG, N_FOUND, FOUND_NOW,
    CHI_SEAT, CHI_CARD, CHI_SEQ, CHI_FAULT, LAST_QUAD, LAST_CLAIM, HU_LOST, ANY_RIGHT, N_SEATS, LEAVER,
) = range(STATE0, STATE0 + 34)  # fmt: skip
SEEN = 120  # 20 slots: copies of each kind that have been accounted for
SEAT0 = 140
SEAT_SIZE = 50
(
    HAND, QUADS, KNOWN, MELDS, N_QUADS, XI, TABLE, RED, RUNS, PENGS, WEIS, STALE_CHI, STALE_PENG, OWN, PENG_PASSED,
    BANNED, WAIVED, OFFSET, IS_OUT, RIGHTS, PASSED, INTAKES, MAYBE, HU_VALUE, UNSEEN, LOST, SHI_TI_FLAGGED, LAID,
    FOURS, OWN_DRAWS,
) = range(30)  # fmt: skip
CHOUHU = 30  # 20 slots: 1 + exposed 胡息 when a win on this kind was last refused
STATE_END = SEAT0 + 3 * SEAT_SIZE
SEATS = 3
"""The most seats that play; a fourth person has ``SITTER`` for a seat and no part in the play."""
SITTER = 3
# --- the value of a win (``rights.hu_value``): 胡息 above these bits ---
VALUE_FORCED, VALUE_DUIDUI, VALUE_QING = 1, 2, 4
HUXI_AT = 3

# --- phases: what must come next ---
DUE_DISCARD, DUE_DRAW, HIDDEN, SHOWN, OVER, DRAWN = range(6)
# --- origins of the open card ---
FROM_HAND, FROM_WALL = range(2)
# --- rights of a seat ---
R_HU, R_PAO, R_PENG, R_CHI, R_WEI, R_TI = 1, 2, 4, 8, 16, 32

# --- events (ingest.codes.Action, as plain ints for the kernels) ---
(
    A_DISCARD, A_DRAW, A_CHI, A_BI, A_PENG, A_WEI, A_CHOU_WEI, A_PAO, A_TI, A_TI_OPEN, A_HU, A_PASS, A_HUANG,
    A_UNCLAIMED, A_BU, A_CLAIM, A_LEAVE,
) = range(1, 18)  # fmt: skip
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
    V_DOUBLE_CLAIM, V_LIANG_SKIPPED, V_LOST_BY_REFUSED_HU, V_PO_WEI, V_PENG_DECLINED, V_XING_ACTED,
) = range(1, 44)  # fmt: skip
BANS = (
    V_ZOU_PAO, V_SHI_TI, V_SHI_WEI, V_SHAO_BI, V_CHOU_CHI, V_CHOU_PENG, V_CHAI_KAN, V_CHAI_TI, V_BAKUAI_DISCARD,
    V_CHOUWEI_HIDDEN, V_GE_SHAN, V_PENG_DECLINED,
)  # fmt: skip
BAN_MASK = sum(1 << code for code in BANS)
# --- a deal: dealer, 亮张, wall length (-1 unknown), whether the log notes unclaimed cards, seats that play,
# whether a fourth person is paid, 3 x 20 hand, 40 wall ---
DEAL0 = 400
D_DEALER, D_LIANG, D_WALL_N, D_LOGS_UNCLAIMED, D_SEATS, D_PAID_SITTER, D_HANDS, D_WALL = (
    DEAL0 + i for i in (0, 1, 2, 3, 4, 5, 6, 66)
)
MAX_WALL = 40
DEAL_SIZE = 66 + MAX_WALL
# --- what kernels hand back ---
SCORE0 = 520  # the score, see ``score.settle``
(
    O_HUXI, O_DENG, O_FAN, O_FAN_TOTAL, O_UNITS, O_ZIMO, O_RED, O_BIG, O_SMALL, O_HITS, O_TURNED, O_POINTS,
) = range(SCORE0, SCORE0 + 12)  # fmt: skip
SCORE_SIZE = 12 + SEATS + 1  # the points of the seats that play, then the fourth person's
CHI = 540  # 吃 options, see ``rights.chi_options``
FOUND = 620  # findings, ``ROW`` ints each
MAX_FOUND = 64  # findings kept of one round; a round with more is counted in full
MOVES = FOUND + MAX_FOUND * ROW  # legal moves, ``MOVE`` ints each, see ``legal.legal``
MOVE = 4
# --- constants of ``rights.CONSTANTS``: indexing a tuple would copy it at every use ---
GROUP = MOVES + 256 * MOVE  # 20 x 6: triples that contain a kind, -1 fills up
NEED = GROUP + 120  # 20 x 6: low bits of the other cards of that triple
NEED_TWICE = NEED + 120  # 20 x 6: low bits of a card needed twice
PACK = NEED_TWICE + 120  # 38: the packed triples
STATE_SIZE = PACK + 38
