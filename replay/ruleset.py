"""What a ruleset is: one frozen dataclass of named parameters (docs/rules.md chapter 13)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal

from replay.kernels.layout import PARAMS
from replay.violations import VIOLATIONS

Pair = tuple[int, int]
"""A value for 小字 and one for 大字."""
Four = tuple[int, int, int, int]
"""胡息 of small black, big black, small red and big red cards."""

HUXI = "2 or 4 numbers 0..30"
RUN_HUXI = "2 numbers of 0, 3, 6, 9, 12"
"""Forms of the 胡息 options, as ``allowed`` tells them."""

_FAN_VALUES = tuple(range(21))


class RulesetError(ValueError):
    """An unknown ruleset, an unknown option, or a value that is not allowed; the message lists what is.

    ``code``: UNKNOWN_RULESET or BAD_OPTION, as in ``ingest.limits.REJECTS``.
    """

    def __init__(self, message: str, code: str = "BAD_OPTION") -> None:
        super().__init__(message)
        self.code = code


def _option(default: Any, clause: str, values: Any = None, level: str = "") -> Any:
    """A parameter that a record or an options file may set. ``values``: what it may be, by default from its type."""
    return field(default=default, metadata={"clause": clause, "values": values, "level": level})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The parameters of a game. A field with a ``clause`` (of docs/rules.md) is an option that a record may set."""

    name: str
    zh: str
    en: str
    # What makes the game that game.
    seats: tuple[int, ...] = (3,)  # how many may play
    sitter: Literal["none", "xing", "idle"] = "none"  # the fourth person (14.1, 15.1)
    liang_shown: bool = True  # the dealer's last card is shown to all (2.4)
    draw_to_hand: bool = False  # a drawn card enters the hand, and all that goes with it (chapter 16)
    two_ti_extra: bool = False  # a seat dealt two 提 gets one more card (12.2)
    special_double: bool = False  # 天胡, 地胡 and 三龙五坎 double the units (12.27)
    unit_base: int = 1  # 等 of the least 胡息 (17.2)
    words: tuple[tuple[str, str], ...] = ()  # 番 that have another name here: key of ``replay.fan.FAN``, name
    # The deal and its wins.
    min_huxi: int = _option(15, "13.1", (0, 6, 9, 10, 15, 18, 21))
    tianhu_quads: Literal["off", "optional", "compulsory"] = _option("off", "13.2")
    tianhu_count: Literal["ti_counts_as_kan", "exact"] = _option("ti_counts_as_kan", "13.4")
    liang_win: Literal["nobody", "dealer", "all"] = _option("all", "13.3")
    liang_forced: bool = _option(False, "13.3")
    dihu: Literal["off", "next", "any", "first_round"] = _option("off", "13.5")
    dihu_forced: bool = _option(False, "13.5")
    ti_open: Literal["none", "first_discard", "first_intake"] = _option("first_intake", "13.7")
    dealer_discards: bool = _option(False, "13.9")
    # Play.
    chi_prev_draw: bool = _option(True, "13.10")
    peng_forced: bool = _option(False, "13.29")
    stale_mode: Literal["joint", "separate"] = _option("joint", "13.12")
    own_bars_peng: bool = _option(True, "13.13")
    chouhu: bool = _option(False, "13.14")
    hu_pass_kills: bool = _option(False, "13.15")
    win_discard: bool = _option(False, "13.16")
    last_wins: bool = _option(True, "13.30")
    dead_chi_all: bool = _option(False, "13.17")
    dead_forced: Literal["waive", "waive_and_out", "dropped"] = _option("waive", "13.18")
    chou_wei_hidden: bool = _option(False, "13.19")
    shape: Literal["seven", "sentences", "seven_sentences"] = _option("seven", "13.31")
    # 胡息.
    huxi_peng: Four = _option((1, 3, 1, 3), "13.32", HUXI)
    huxi_kan: Four = _option((3, 6, 3, 6), "13.33", HUXI)
    huxi_pao: Four = _option((6, 9, 6, 9), "13.34", HUXI)
    huxi_ti: Four = _option((9, 12, 9, 12), "13.35", HUXI)
    huxi_123: Pair = _option((3, 6), "13.36", RUN_HUXI)
    huxi_2710: Pair = _option((3, 6), "13.37", RUN_HUXI)
    # Units.
    zi_step: int = _option(3, "13.22", (1, 3, 5, 10))
    deng_cap: int = _option(0, "13.38", (0, 2))
    zimo: Literal["plus_one", "plus_one_after_fan", "one_fan", "double", "none"] = _option("plus_one", "13.24")
    tianhu_is_zimo: Literal["nobody", "dealer", "all"] = _option("all", "13.24")
    tianhu_factor: int = _option(1, "13.6", (1, 2))
    quad_units: int = _option(0, "13.39", (0, 1))
    xing: tuple[str, ...] = _option((), "13.26", ("shang", "zhong", "xia"))
    # 番: a pattern whose value is 0 is not played.
    fan_level: Literal["none", "base", "half"] = _option("half", "13.25")
    fan_hong: int = _option(2, "13.40", _FAN_VALUES, "base")
    fan_dian: int = _option(3, "13.41", _FAN_VALUES, "base")
    fan_hong_wu: int = _option(4, "13.42", _FAN_VALUES, "base")
    fan_wu: int = _option(5, "13.43", _FAN_VALUES, "base")
    fan_duidui: int = _option(4, "13.44", _FAN_VALUES, "half")
    fan_wu_duidui: int = _option(10, "13.45", _FAN_VALUES, "half")
    fan_haidi: int = _option(2, "13.46", _FAN_VALUES, "half")
    fan_shihong: int = _option(0, "13.47", _FAN_VALUES, "base")
    fan_tianhu: int = _option(0, "13.48", _FAN_VALUES, "base")
    fan_dihu: int = _option(0, "13.49", _FAN_VALUES, "base")
    fan_sanbian: int = _option(0, "13.50", _FAN_VALUES, "base")
    fan_sibian: int = _option(0, "13.51", _FAN_VALUES, "base")
    fan_shuangpiao: int = _option(0, "13.52", _FAN_VALUES, "base")
    fan_shiba_da: int = _option(0, "13.53", _FAN_VALUES, "base")
    fan_shiba_xiao: int = _option(0, "13.54", _FAN_VALUES, "base")
    fan_qingyise: int = _option(0, "13.55", _FAN_VALUES, "base")
    fan_zimo: int = _option(0, "13.56", _FAN_VALUES, "base")
    fan_more: int = _option(0, "13.57", (0, 1))
    fan_combine: Literal["sum", "product"] = _option("sum", "13.58")
    haidi_alone: int = _option(1, "13.59", (1, 2))
    # Payment.
    base_points: int = _option(1, "13.27", (1, 2, 3, 5, 10))
    pay_discard: Literal["all", "discarder_for_all", "discarder_alone"] = _option("all", "13.28")
    xing_fee: Literal["none", "per_fan", "flat"] = _option("none", "13.60")
    huang_fee: int = _option(0, "13.61", (0, 2))
    qianti_bonus: int = _option(0, "13.62", (0, 1, 2, 3))
    escape: Literal["off", "trunc", "floor"] = _option("off", "13.63")
    # Offences.
    ban: bool = _option(True, "13.20")
    penalties: bool = _option(False, "13.64")
    letters: tuple[str, ...] = _option((), "13.65", "CODE=A to CODE=E")
    void_win: Literal["specific", "A", "max", "both"] = _option("specific", "13.66")
    void_ends: bool = _option(True, "13.67")
    # The deal of the next round.
    dealer_next: Literal["winner", "dice", "creator"] = _option("winner", "13.68")
    huang_next: Literal["keep", "next", "creator"] = _option("keep", "13.69")
    huang_three: bool = _option(True, "13.70")

    def __post_init__(self) -> None:
        if self.dihu == "any" and not self.win_discard:
            raise RulesetError("dihu = any needs win_discard = true: it is a win on the first discard")
        if self.dihu_forced and self.dihu != "any":
            raise RulesetError("dihu_forced = true needs dihu = any")
        if self.pay_discard != "all" and not self.win_discard:
            raise RulesetError(f"pay_discard = {self.pay_discard} needs win_discard = true")
        if (self.shape == "seven") == self.draw_to_hand:
            wanted = "sentences or seven_sentences" if self.draw_to_hand else "seven"
            raise RulesetError(f"shape = {self.shape} does not go with ruleset {self.name}: {wanted}")
        if self.liang_forced and self.liang_win == "nobody":
            raise RulesetError("liang_forced = true needs liang_win = dealer or all")
        if self.sitter != "xing" and (self.xing_fee != "none" or self.huang_fee or self.qianti_bonus):
            raise RulesetError(f"xing_fee, huang_fee and qianti_bonus need a 醒家; ruleset {self.name} has none")
        if (self.letters or self.void_win != "specific") and not self.penalties:
            raise RulesetError("letters and void_win need penalties = true")

    @property
    def persons(self) -> tuple[int, ...]:
        """How many persons may sit at a table, ascending; of four one does not play (rules 14.1, 15.1)."""
        return (*self.seats, 4) if self.sitter != "none" else self.seats

    def fan_value(self, option: str) -> int:
        """What the 番 of an option ``fan_…`` counts here; 0: it is not played (rules 10.11)."""
        level = _FIELDS[option].metadata["level"]
        value = getattr(self, option) if _LEVELS.index(self.fan_level) >= _LEVELS.index(level) else 0
        return max(value, 1) if option == "fan_zimo" and self.zimo == "one_fan" else value

    def to_params(self) -> tuple[int, ...]:
        """The parameters as the kernels read them, in the order of ``kernels.layout.PARAMS``."""
        values: dict[str, int] = {
            "MIN_HUXI": self.min_huxi,
            "RUN_123": self.huxi_123[0],
            "RUN_123_B": self.huxi_123[1],
            "RUN_2710": self.huxi_2710[0],
            "RUN_2710_B": self.huxi_2710[1],
            "WIN_DISCARD": int(self.win_discard),
            "SENTENCES": ("seven", "sentences", "seven_sentences").index(self.shape),
            "TO_HAND": int(self.draw_to_hand),
            "TIANHU_COUNT": int(self.tianhu_count == "exact"),
            "STALE_SEPARATE": int(self.stale_mode == "separate"),
            "ZIMO_ADD": int(self.zimo in ("plus_one", "plus_one_after_fan")),
            "ZIMO_DOUBLE": int(self.zimo == "double"),
            "ZIMO_AFTER_FAN": int(self.zimo == "plus_one_after_fan"),
            "UNIT_STEP": self.zi_step,
            "UNIT_BASE": self.unit_base,
            "UNIT_CAP": self.deng_cap,
            "FAN_PRODUCT": int(self.fan_combine == "product"),
            "XING": sum(1 << ("shang", "zhong", "xia").index(kind) for kind in self.xing),
        }
        for key, huxi in (
            ("PENG", self.huxi_peng),
            ("KAN", self.huxi_kan),
            ("PAO", self.huxi_pao),
            ("TI", self.huxi_ti),
        ):
            values |= dict(zip((key, f"{key}_BB", f"{key}_SR", f"{key}_BR"), huxi, strict=True))
        for entry in _FIELDS.values():
            key, value = entry.name.upper(), getattr(self, entry.name)
            if entry.metadata.get("level"):
                values["FAN" if key == "FAN_HONG" else key] = self.fan_value(entry.name)
            elif key in PARAMS and key not in values:
                values[key] = int(value) if isinstance(value, int) else allowed(entry.name).index(value)
        return tuple(values[key] for key in PARAMS)


_LEVELS = ("none", "base", "half")
_FIELDS = {entry.name: entry for entry in dataclasses.fields(Ruleset)}

# What a record or an options file may change; everything else is what makes the ruleset that ruleset.
OPTIONS = tuple(name for name, entry in _FIELDS.items() if "clause" in entry.metadata)


def allowed(option: str) -> tuple[Any, ...]:
    """Values an option may take; for 胡息 and letters their form, as one text."""
    entry = _FIELDS[option]
    values = entry.metadata["values"]
    if isinstance(values, str):
        return (values,)
    if values is not None:
        return tuple(values)
    kind = str(entry.type)
    if kind == "bool":
        return (False, True)
    return tuple(piece.strip().strip("\"'") for piece in kind[kind.index("[") + 1 : -1].split(","))


def _numbers(option: str, value: Any) -> tuple[int, ...]:
    """胡息 of a group: 2 numbers stand for 4, black and red alike."""
    given = tuple(value) if isinstance(value, list | tuple) else ()
    run = allowed(option) == (RUN_HUXI,)
    right = all(type(n) is int and (n in (0, 3, 6, 9, 12) if run else 0 <= n <= 30) for n in given)
    if not right or len(given) not in ((2,) if run else (2, 4)):
        raise RulesetError(f"option {option}: {value!r} is not {allowed(option)[0]}")
    return given if run or len(given) == 4 else given * 2


def _texts(option: str, value: Any) -> tuple[Any, ...]:
    """A list of texts; one text stands for a list of one."""
    if not isinstance(value, str | list | tuple):
        raise RulesetError(f"option {option}: {value!r} is not a list of {', '.join(allowed(option))}")
    return (value,) if isinstance(value, str) else tuple(value)


def _letters(value: Any) -> tuple[str, ...]:
    given = _texts("letters", value)
    for piece in given:
        code, _, letter = str(piece).partition("=")
        if code not in VIOLATIONS or VIOLATIONS[code].severity != 2 or letter not in tuple("ABCDE"):
            raise RulesetError(f"option letters: {piece!r} is not CODE=A to CODE=E with the code of an offence")
    return tuple(sorted(given))


def checked(option: str, value: Any) -> Any:
    """The value as the dataclass holds it. Raises ``RulesetError`` with what is allowed."""
    choices = allowed(option)
    if choices in ((HUXI,), (RUN_HUXI,)):
        return _numbers(option, value)
    if option == "letters":
        return _letters(value)
    if option == "xing":
        given = _texts(option, value)
        bad = [piece for piece in given if piece not in choices]
        if bad or len(set(given)) != len(given):
            raise RulesetError(f"option xing: {list(given)} must be different kinds of {list(choices)}")
        return given
    # True and 2.0 equal numbers that are allowed; 0 and 1 stand for false and true where those are.
    kind = type(choices[0])
    right = type(value) is kind or (kind is bool and type(value) is int)
    if not right or value not in choices:
        raise RulesetError(f"option {option}: {value!r} is not one of {list(choices)}")
    return kind(value)
