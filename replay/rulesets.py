"""Rulesets: one frozen dataclass of named parameters; a region is a named instance (docs/rules.md chapter 13)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from replay.kernels.layout import PARAMS

Pair = tuple[int, int]
"""A value for 小字 and one for 大字."""


class RulesetError(ValueError):
    """An unknown ruleset, an unknown option, or a value that is not allowed; the message lists what is.

    ``code``: UNKNOWN_RULESET or BAD_OPTION, as in ``ingest.limits.REJECTS``.
    """

    def __init__(self, message: str, code: str = "BAD_OPTION") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The parameters of a game. A field with a ``clause`` (of docs/rules.md) is an option that a record may set."""

    name: str
    zh: str
    en: str
    min_huxi: int = field(default=15, metadata={"clause": "13.1", "values": (6, 9, 10, 15, 18, 21)})
    huxi_peng: Pair = (1, 3)
    huxi_kan: Pair = (3, 6)
    huxi_pao: Pair = (6, 9)
    huxi_ti: Pair = (9, 12)
    huxi_123: Pair = (3, 6)
    huxi_2710: Pair = (3, 6)
    tianhu_quads: Literal["off", "optional", "compulsory"] = field(default="off", metadata={"clause": "13.2"})
    tianhu_count: Literal["ti_counts_as_kan", "exact"] = field(default="ti_counts_as_kan", metadata={"clause": "13.4"})
    liang_win: Literal["nobody", "dealer", "all"] = field(default="all", metadata={"clause": "13.3"})
    liang_forced: bool = field(default=False, metadata={"clause": "13.3"})
    win_discard: bool = field(default=False, metadata={"clause": "13.16"})
    dihu: bool = field(default=False, metadata={"clause": "13.5"})
    chi_prev_draw: bool = field(default=True, metadata={"clause": "13.10"})
    stale_mode: Literal["joint", "separate"] = field(default="joint", metadata={"clause": "13.12"})
    own_bars_peng: bool = field(default=True, metadata={"clause": "13.13"})
    chouhu: bool = field(default=False, metadata={"clause": "13.14"})
    ti_open: Literal["none", "first_discard", "first_intake"] = field(
        default="first_intake", metadata={"clause": "13.7"}
    )
    hu_pass_kills: bool = field(default=False, metadata={"clause": "13.15"})
    dead_forced: Literal["waive", "waive_and_out", "dropped"] = field(default="waive", metadata={"clause": "13.18"})
    dead_chi_all: bool = field(default=False, metadata={"clause": "13.17"})
    ban: bool = field(default=True, metadata={"clause": "13.20"})
    dealer_discards: bool = field(default=False, metadata={"clause": "13.9"})
    chou_wei_hidden: bool = field(default=False, metadata={"clause": "13.19"})
    zimo: Literal["plus_one", "plus_one_after_fan", "double", "none"] = field(
        default="plus_one", metadata={"clause": "13.24"}
    )
    tianhu_factor: int = field(default=1, metadata={"clause": "13.6", "values": (1, 2)})
    tianhu_is_zimo: bool = field(default=True, metadata={"clause": "13.24"})
    zi_step: int = field(default=3, metadata={"clause": "13.22", "values": (1, 3, 5)})
    fan_level: Literal["none", "base", "half"] = field(default="half", metadata={"clause": "13.25"})
    xing: tuple[str, ...] = field(default=(), metadata={"clause": "13.26", "values": ("shang", "zhong", "xia")})
    special_double: bool = False
    two_ti_extra: bool = False  # a seat dealt two 提 gets one more card (12.2)
    discard_pays_all: bool = field(default=False, metadata={"clause": "13.28"})
    base_points: int = field(default=1, metadata={"clause": "13.27", "values": (1, 2, 3, 5, 10)})

    def __post_init__(self) -> None:
        if self.dihu and not self.win_discard:
            raise RulesetError("dihu = true needs win_discard = true: 地胡 is a win on the first discard")
        if self.discard_pays_all and not self.win_discard:
            raise RulesetError("discard_pays_all = true needs win_discard = true")

    def to_params(self) -> tuple[int, ...]:
        """The parameters as the kernels read them, in the order of ``kernels.layout.PARAMS``."""
        base = self.fan_level in ("base", "half")
        half = self.fan_level == "half"
        values = {
            "MIN_HUXI": self.min_huxi,
            "TIANHU_QUADS": ("off", "optional", "compulsory").index(self.tianhu_quads),
            "TIANHU_COUNT": int(self.tianhu_count == "exact"),
            "LIANG_WIN": ("nobody", "dealer", "all").index(self.liang_win),
            "LIANG_FORCED": int(self.liang_forced),
            "WIN_DISCARD": int(self.win_discard),
            "DIHU_FORCED": int(self.dihu),
            "CHI_PREV_DRAW": int(self.chi_prev_draw),
            "STALE_SEPARATE": int(self.stale_mode == "separate"),
            "OWN_BARS_PENG": int(self.own_bars_peng),
            "CHOUHU": int(self.chouhu),
            "TI_OPEN": ("none", "first_discard", "first_intake").index(self.ti_open),
            "HU_PASS_KILLS": int(self.hu_pass_kills),
            "DEAD_FORCED": ("waive", "waive_and_out", "dropped").index(self.dead_forced),
            "DEAD_CHI_ALL": int(self.dead_chi_all),
            "BAN": int(self.ban),
            "DEALER_DISCARDS": int(self.dealer_discards),
            "CHOU_WEI_HIDDEN": int(self.chou_wei_hidden),
            "ZIMO_ADD": int(self.zimo in ("plus_one", "plus_one_after_fan")),
            "ZIMO_DOUBLE": int(self.zimo == "double"),
            "ZIMO_AFTER_FAN": int(self.zimo == "plus_one_after_fan"),
            "TIANHU_FACTOR": self.tianhu_factor,
            "TIANHU_IS_ZIMO": int(self.tianhu_is_zimo),
            "UNIT_START": self.min_huxi,
            "UNIT_STEP": self.zi_step,
            "UNIT_BASE": 1,
            "FAN_HONG": 2 * base,
            "FAN_DIAN": 3 * base,
            "FAN_HONG_WU": 4 * base,
            "FAN_WU": 5 * base,
            "FAN_DUIDUI": 4 * half,
            "FAN_WU_DUIDUI": 10 * half,
            "FAN_HAIDI": 2 * half,
            "SPECIAL_DOUBLE": int(self.special_double),
            "DISCARD_PAYS_ALL": int(self.discard_pays_all),
            "BASE_POINTS": self.base_points,
            "XING": sum(1 << ("shang", "zhong", "xia").index(kind) for kind in self.xing),
        }
        pairs = (
            ("PENG", self.huxi_peng),
            ("KAN", self.huxi_kan),
            ("PAO", self.huxi_pao),
            ("TI", self.huxi_ti),
            ("RUN_123", self.huxi_123),
            ("RUN_2710", self.huxi_2710),
        )
        for key, (small, big) in pairs:
            values[f"{key}_S"] = small
            values[f"{key}_B"] = big
        return tuple(values[key] for key in PARAMS)


QQ = Ruleset(
    name="qq",
    zh="QQ 跑胡子",
    en="QQ paohuzi",
    tianhu_quads="compulsory",
    chouhu=True,
    ti_open="first_discard",
    tianhu_factor=2,
    base_points=3,
)
HU15 = Ruleset(
    name="hu15",
    zh="十五胡",
    en="15-hu",
    tianhu_quads="optional",
    chi_prev_draw=False,
)
GUILIN = Ruleset(
    name="guilin",
    zh="桂林字牌",
    en="Guilin zipai",
    min_huxi=10,
    tianhu_quads="compulsory",
    tianhu_count="exact",
    liang_win="dealer",
    liang_forced=True,
    win_discard=True,
    dihu=True,
    stale_mode="separate",
    own_bars_peng=False,
    ti_open="none",
    hu_pass_kills=True,
    dead_forced="dropped",
    dead_chi_all=True,
    ban=False,
    dealer_discards=True,
    two_ti_extra=True,
    chou_wei_hidden=True,
    tianhu_is_zimo=False,
    zi_step=5,
    fan_level="none",
    xing=("shang", "xia"),
    special_double=True,
    discard_pays_all=True,
)
RULESETS: Mapping[str, Ruleset] = {ruleset.name: ruleset for ruleset in (QQ, HU15, GUILIN)}

# What a record or an options file may change; everything else is what makes the ruleset that ruleset.
OPTIONS = tuple(entry.name for entry in dataclasses.fields(Ruleset) if "clause" in entry.metadata)


def allowed(option: str) -> tuple[Any, ...]:
    """Values an option may take."""
    entry = next(entry for entry in dataclasses.fields(Ruleset) if entry.name == option)
    if "values" in entry.metadata:
        return tuple(entry.metadata["values"])
    kind = str(entry.type)
    if kind == "bool":
        return (False, True)
    return tuple(piece.strip().strip("\"'") for piece in kind[kind.index("[") + 1 : -1].split(","))


def _checked(option: str, value: Any) -> Any:
    choices = allowed(option)
    if option == "xing":
        given = (value,) if isinstance(value, str) else tuple(value)
        bad = [piece for piece in given if piece not in choices]
        if bad or len(set(given)) != len(given):
            raise RulesetError(f"option xing: {list(given)} must be different kinds of {list(choices)}")
        return given
    if choices == (False, True) and value in (0, 1, False, True) and not isinstance(value, str):
        return bool(value)
    if isinstance(value, bool) or value not in choices:
        raise RulesetError(f"option {option}: {value!r} is not one of {list(choices)}")
    return value


def resolve(name: str, options: Mapping[str, Any] | None = None) -> Ruleset:
    """The named ruleset with its options applied. Raises ``RulesetError``."""
    key = tuple(sorted((option, tuple(v) if isinstance(v, list) else v) for option, v in (options or {}).items()))
    return _resolve(name, key)


@lru_cache(maxsize=256)
def _resolve(name: str, options: tuple[tuple[str, Any], ...]) -> Ruleset:
    base = RULESETS.get(name)
    if base is None:
        raise RulesetError(f"unknown ruleset {name!r}; known: {', '.join(RULESETS)}", "UNKNOWN_RULESET")
    changes: dict[str, Any] = {}
    for option, value in options:
        if option not in OPTIONS:
            raise RulesetError(f"unknown option {option!r} of ruleset {name}; known: {', '.join(OPTIONS)}")
        changes[option] = _checked(option, value)
    return dataclasses.replace(base, **changes)


def effective_options(ruleset: Ruleset) -> dict[str, Any]:
    """Every option with the value in force, for display and for ``phz rulesets show``."""
    return {option: getattr(ruleset, option) for option in OPTIONS}
