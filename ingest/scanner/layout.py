"""What a line looks like, and where the parts of a round are kept while its line is read."""

from __future__ import annotations

import numpy as np

from ingest.codes import Action, Form, Source
from ingest.validate import SEATLESS, SHAPES, UNASKED

NULL = -9
"""An absent number where every number that may stand is greater."""
MAX_KEYS = 16
MAX_PLATFORM = 60
"""Bytes of a platform's name that certainly fit a folder's name once percent-encoded."""

_KEYS = (
    '{"phz":1,"ruleset":',
    ',"options":',
    ',"platform":',
    ',"room":',
    ',"session":',
    ',"round_no":',
    ',"started_at":',
    ',"players":[',
    ',"sitter":',
    ',"dealer":',
    ',"complete":false',
    ',"omits":[',
    ',"tags":{',
    ',"source":{"note":',
    ',"hands":[',
    ',"liang":',
    ',"wall":[',
    ',"result":{',
    ',"visible":[',
    ',"offers":[',
    ',"moves":[',
    '"winner":',
    '"card":',
    '"source":',
    '"from_seat":',
    '"groups":[',
    '"huxi":',
    '"fan":{',
    '"units":[',
    '"points":[',
    '"totals":[',
    '"xing":[',
    '"xing_hits":',
    '"hands":[',
    '"rest":[',
    '{"cards":[',
    ',"form":',
    ',"huxi":',
    "null",
)
KEY = np.frombuffer("".join(_KEYS).encode(), dtype=np.uint8)
END = np.cumsum([0, *map(len, _KEYS)])
(
    PHZ,
    OPTIONS,
    PLATFORM,
    ROOM,
    SESSION,
    ROUND_NO,
    STARTED,
    PLAYERS,
    SITTER,
    DEALER,
    COMPLETE,
    OMITS,
    TAGS,
    NOTE,
    HANDS,
    LIANG,
    WALL,
    RESULT,
    VISIBLE,
    OFFERS,
    MOVES,
    R_WINNER,
    R_CARD,
    R_SOURCE,
    R_FROM,
    R_GROUPS,
    R_HUXI,
    R_FAN,
    R_UNITS,
    R_POINTS,
    R_TOTALS,
    R_XING,
    R_HITS,
    R_HANDS,
    R_REST,
    G_CARDS,
    G_FORM,
    G_HUXI,
    NULL_WORD,
) = range(len(_KEYS))

# Places in the row of a round. Texts take two: where they begin and end.
(F_START, F_END, F_LINE, F_RULESET, F_OPTIONS, F_PLATFORM, F_ROOM, F_SESSION, F_STARTED, F_TAGS, F_NOTE, F_RESULT) = (
    0,
    1,
    2,
    3,
    5,
    7,
    9,
    11,
    13,
    15,
    17,
    19,
)
F_PLAYERS, F_N, F_NUMBERED, F_ROUND_NO, F_SITTER, F_DEALER, F_COMPLETE, F_LIANG = 21, 29, 30, 31, 32, 33, 34, 35
F_HANDS, F_HAND0, F_WALL, F_WALL0, F_OMITS, F_VISIBLE, F_EVENTS, F_EVENT0 = 36, 40, 41, 42, 43, 44, 45, 46
F_FACES, F_TIMES, F_OFFERS, F_OFFER0, F_REPORTED, F_WINNER, F_SOURCE, F_HUXI, F_HUXI_KNOWN = range(47, 56)
F_POINTS, F_MORE, F_HIDDEN, FIELDS = 56, 57, 58, 59

_LETTER = {"n": 0, "c": 1, "o": 2, "x": 3}
N_ACTIONS = max(SHAPES) + 1
SHAPE = np.array(
    [[_LETTER[part] for part in SHAPES[action]] if action in SHAPES else [9, 9, 9] for action in range(N_ACTIONS)],
    dtype=np.int64,
)
ASKED = np.array([action in SHAPES and action not in UNASKED for action in range(N_ACTIONS)])
NOBODY = np.array([action in SEATLESS for action in range(N_ACTIONS)])
MONTH = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
BU, N_FORMS, N_SOURCES = int(Action.BU), len(Form), len(Source)
