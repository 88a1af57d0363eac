"""The rulesets by name (docs/rules.md chapters 12 to 17) and how options change them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from replay.ruleset import OPTIONS, Ruleset, RulesetError, allowed, checked

QQ = Ruleset(
    name="qq",
    zh="QQ 跑胡子",
    en="QQ paohuzi",
    tianhu_quads="compulsory",
    chouhu=True,
    ti_open="first_discard",
    tianhu_factor=2,
    base_points=3,
    escape="trunc",
)
HU15 = Ruleset(
    name="hu15",
    zh="十五胡",
    en="15-hu",
    tianhu_quads="optional",
    chi_prev_draw=False,
)
BISAI = Ruleset(
    name="bisai",
    zh="比赛规则",
    en="competition rules",
    sitter="xing",
    chi_prev_draw=False,
    tianhu_is_zimo="dealer",
    fan_level="base",
    xing_fee="per_fan",
    huang_fee=2,
    penalties=True,
)
LUZHOU = Ruleset(
    name="luzhou",
    zh="泸州大贰",
    en="Luzhou da'er",
    seats=(2, 3),
    sitter="idle",
    liang_shown=False,
    words=(("shihong", "红胡"),),
    min_huxi=10,
    liang_win="dealer",
    dihu="next",
    chi_prev_draw=False,
    peng_forced=True,
    win_discard=True,
    last_wins=False,
    huxi_peng=(1, 3, 6, 9),
    huxi_kan=(6, 9, 9, 12),
    huxi_pao=(9, 12, 12, 15),
    huxi_ti=(12, 15, 15, 18),
    huxi_2710=(6, 9),
    zi_step=10,
    zimo="none",
    tianhu_is_zimo="nobody",
    fan_hong=0,
    fan_dian=0,
    fan_hong_wu=0,
    fan_wu=4,
    fan_duidui=0,
    fan_wu_duidui=0,
    fan_haidi=0,
    fan_shihong=2,
    fan_tianhu=2,
    fan_dihu=2,
    pay_discard="discarder_alone",
)
GENERAL = Ruleset(
    name="general",
    zh="衡阳通行规则",
    en="general rules",
    seats=(2, 3),
    liang_shown=False,
    draw_to_hand=True,
    min_huxi=0,
    liang_win="dealer",
    dihu="first_round",
    ti_open="none",
    chi_prev_draw=False,
    own_bars_peng=False,
    win_discard=True,
    shape="sentences",
    huxi_peng=(0, 0, 0, 0),
    huxi_kan=(0, 0, 0, 0),
    huxi_pao=(0, 0, 0, 0),
    huxi_ti=(0, 0, 0, 0),
    huxi_123=(0, 0),
    huxi_2710=(0, 0),
    zi_step=1,
    zimo="none",
    tianhu_is_zimo="nobody",
    quad_units=1,
    fan_hong=0,
    fan_dian=0,
    fan_hong_wu=0,
    fan_wu=0,
    fan_duidui=2,
    fan_wu_duidui=0,
    fan_haidi=0,
    fan_tianhu=4,
    fan_dihu=4,
    fan_qingyise=2,
    fan_zimo=2,
    fan_combine="product",
    pay_discard="discarder_alone",
    ban=False,
    dealer_next="dice",
    huang_three=False,
)
GUILIN = Ruleset(
    name="guilin",
    zh="桂林字牌",
    en="Guilin zipai",
    two_ti_extra=True,
    special_double=True,
    min_huxi=10,
    tianhu_quads="compulsory",
    tianhu_count="exact",
    liang_win="dealer",
    liang_forced=True,
    dihu="any",
    dihu_forced=True,
    ti_open="none",
    dealer_discards=True,
    stale_mode="separate",
    own_bars_peng=False,
    hu_pass_kills=True,
    win_discard=True,
    dead_chi_all=True,
    dead_forced="dropped",
    chou_wei_hidden=True,
    zi_step=5,
    tianhu_is_zimo="nobody",
    xing=("shang", "xia"),
    fan_level="none",
    pay_discard="discarder_for_all",
    ban=False,
    huang_next="creator",
    huang_three=False,
)
NINGXIANG = Ruleset(
    name="ningxiang",
    zh="宁乡跑胡子",
    en="Ningxiang paohuzi",
    unit_base=2,
    words=(("wu", "黑胡"), ("duidui", "碰碰胡")),
    liang_win="dealer",
    dihu="next",
    ti_open="first_discard",
    stale_mode="separate",
    own_bars_peng=False,
    dead_forced="waive_and_out",
    zimo="none",
    tianhu_is_zimo="nobody",
    fan_hong=0,
    fan_dian=4,
    fan_hong_wu=0,
    fan_duidui=5,
    fan_wu_duidui=0,
    fan_haidi=0,
    fan_shihong=2,
    fan_tianhu=5,
    fan_dihu=5,
    fan_sanbian=3,
    fan_sibian=4,
    fan_shuangpiao=2,
    fan_shiba_da=5,
    fan_shiba_xiao=5,
    fan_more=1,
    base_points=5,
)
RULESETS: Mapping[str, Ruleset] = {
    ruleset.name: ruleset for ruleset in (QQ, HU15, BISAI, LUZHOU, GENERAL, GUILIN, NINGXIANG)
}


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
        changes[option] = checked(option, value)
    return dataclasses.replace(base, **changes)


def effective_options(ruleset: Ruleset) -> dict[str, Any]:
    """Every option with the value in force, for display and for ``phz rulesets show``."""
    return {option: getattr(ruleset, option) for option in OPTIONS}


__all__ = ["OPTIONS", "RULESETS", "Ruleset", "RulesetError", "allowed", "effective_options", "resolve"]
