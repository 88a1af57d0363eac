"""What the rulesets set differently, as plain tables: rules D.6, J and the notes on 宁乡."""

from __future__ import annotations

from typing import Any

Rules = dict[str, Any]

BISAI: Rules = {
    # the deal and the seats
    "seats": (3,),
    "draw_to_hand": False,  # a drawn card is melded, wins or lies open; only general takes it into the hand
    "two_ti_extra": False,  # guilin: a seat dealt exactly two quads gets an extra card before the 亮张
    "dealer_discards": False,  # guilin: the dealer always discards first
    "ti_open": "first_intake",  # any deadline: the oracle lays dealt quads at once in the opening
    # 胡息: small, big; or small black, big black, small red, big red
    "min_huxi": 15,
    "huxi_peng": (1, 3),
    "huxi_kan": (3, 6),
    "huxi_pao": (6, 9),
    "huxi_ti": (9, 12),
    "huxi_123": (3, 6),
    "huxi_2710": (3, 6),
    # wins
    "tianhu_quads": "off",
    "tianhu_count": "ti_counts_as_kan",
    "tianhu_factor": 1,
    "tianhu_is_zimo": "dealer",
    "liang_win": "all",
    "liang_forced": False,
    "win_discard": False,
    "dihu": "off",
    "dihu_forced": False,
    "last_wins": True,
    "chouhu": False,
    "hu_pass_kills": False,
    # claims
    "peng_forced": False,
    "chi_prev_draw": False,
    "stale_mode": "joint",
    "own_bars_peng": True,
    "dead_forced": "waive",
    "dead_chi_all": False,
    # score
    "unit_base": 1,
    "zi_step": 3,
    "deng_cap": 0,
    "zimo": "plus_one",
    "special_double": False,
    "fan_level": "base",
    "fan_hong": 2,
    "fan_dian": 3,
    "fan_hong_wu": 4,
    "fan_wu": 5,
    "fan_duidui": 4,
    "fan_wu_duidui": 10,
    "fan_haidi": 2,
    "fan_shihong": 0,
    "fan_tianhu": 0,
    "fan_dihu": 0,
    "fan_sanbian": 0,
    "fan_sibian": 0,
    "fan_shuangpiao": 0,
    "fan_shiba_da": 0,
    "fan_shiba_xiao": 0,
    "fan_qingyise": 0,
    "fan_zimo": 0,
    "fan_more": 0,
    "fan_combine": "sum",
    "haidi_alone": 1,
    "pay_discard": "all",
    "quad_units": 0,
    "base_points": 1,
    "xing": (),
    "xing_fee": "per_fan",
    "huang_fee": 2,
    "qianti_bonus": 0,
}

QQ: Rules = BISAI | {
    "ti_open": "first_discard",
    "tianhu_quads": "compulsory",
    "tianhu_factor": 2,
    "tianhu_is_zimo": "all",
    "chi_prev_draw": True,
    "chouhu": True,
    "fan_level": "half",
    "base_points": 3,
    "xing_fee": "none",
    "huang_fee": 0,
}

HU15: Rules = QQ | {
    "ti_open": "first_intake",
    "tianhu_quads": "optional",
    "tianhu_factor": 1,
    "chi_prev_draw": False,
    "chouhu": False,
    "base_points": 1,
}

NO_FAN: Rules = {name: 0 for name in BISAI if name.startswith("fan_") and name not in ("fan_level", "fan_combine")}

GUILIN: Rules = (
    BISAI
    | NO_FAN
    | {
        "two_ti_extra": True,
        "dealer_discards": True,
        "ti_open": "none",
        "min_huxi": 10,
        "tianhu_quads": "compulsory",
        "tianhu_count": "exact",
        "tianhu_is_zimo": "nobody",
        "liang_win": "dealer",
        "liang_forced": True,
        "win_discard": True,
        "dihu": "any",
        "dihu_forced": True,
        "hu_pass_kills": True,
        "chi_prev_draw": True,
        "stale_mode": "separate",
        "own_bars_peng": False,
        "dead_forced": "dropped",
        "dead_chi_all": True,
        "zi_step": 5,
        "special_double": True,
        "fan_level": "none",
        "pay_discard": "discarder_for_all",
        "xing_fee": "none",
        "huang_fee": 0,
    }
)

LUZHOU: Rules = (
    BISAI
    | NO_FAN
    | {
        "seats": (2, 3),
        "min_huxi": 10,
        "huxi_peng": (1, 3, 6, 9),
        "huxi_kan": (6, 9, 9, 12),
        "huxi_pao": (9, 12, 12, 15),
        "huxi_ti": (12, 15, 15, 18),
        "huxi_2710": (6, 9),
        "tianhu_is_zimo": "nobody",
        "liang_win": "dealer",
        "win_discard": True,
        "dihu": "next",
        "last_wins": False,
        "peng_forced": True,
        "zi_step": 10,
        "zimo": "none",
        "fan_level": "half",
        "fan_hong": 2,
        "fan_hong_wu": 2,  # 红胡 has no upper bound here
        "fan_wu": 4,
        "fan_tianhu": 2,
        "fan_dihu": 2,
        "pay_discard": "discarder_alone",
        "xing_fee": "none",
        "huang_fee": 0,
    }
)

NINGXIANG: Rules = (
    QQ
    | NO_FAN
    | {
        "tianhu_quads": "off",
        "tianhu_factor": 1,
        "tianhu_is_zimo": "nobody",
        "liang_win": "dealer",
        "dihu": "next",
        "chouhu": False,
        "stale_mode": "separate",
        "own_bars_peng": False,
        "dead_forced": "waive_and_out",
        "unit_base": 2,
        "zimo": "none",
        "fan_wu": 5,
        "fan_dian": 4,
        "fan_sanbian": 3,
        "fan_sibian": 4,
        "fan_shuangpiao": 2,
        "fan_shihong": 2,
        "fan_shiba_da": 5,
        "fan_shiba_xiao": 5,
        "fan_duidui": 5,
        "fan_tianhu": 5,
        "fan_dihu": 5,
        "fan_more": 1,
        "base_points": 5,
    }
)

GENERAL: Rules = (
    BISAI
    | NO_FAN
    | {
        "seats": (2, 3),
        "draw_to_hand": True,
        "ti_open": "none",
        "min_huxi": 0,
        "tianhu_is_zimo": "nobody",
        "liang_win": "dealer",
        "win_discard": True,
        "dihu": "first_round",
        "zimo": "none",
        "fan_level": "half",
        "fan_zimo": 2,
        "fan_duidui": 2,
        "fan_qingyise": 2,
        "fan_tianhu": 4,
        "fan_dihu": 4,
        "fan_combine": "product",
        "pay_discard": "discarder_alone",
        "quad_units": 1,
        "xing_fee": "none",
        "huang_fee": 0,
    }
)

RULESETS: dict[str, Rules] = {
    "bisai": BISAI,
    "qq": QQ,
    "hu15": HU15,
    "guilin": GUILIN,
    "luzhou": LUZHOU,
    "general": GENERAL,
    "ningxiang": NINGXIANG,
}
# Options that say nothing about legal play and its score, so that the oracle may be given them all the same.
IGNORED = {"ban", "chou_wei_hidden", "penalties", "letters", "void_win", "void_ends", "escape", "dealer_next"}
IGNORED |= {"huang_next", "huang_three"}


def rules_of(name: str, options: dict[str, Any] | None = None) -> Rules:
    """The ruleset with ``options`` put over it; an unknown or unsupported option is an error."""
    rules: Rules = {"name": name, **RULESETS[name]}
    for option, value in (options or {}).items():
        if option in IGNORED:
            continue
        if option == "shape":
            if value != ("sentences" if name == "general" else "seven"):
                raise ValueError("the oracle knows each ruleset's own shape only")
            continue
        if option not in rules:
            raise ValueError(f"no such option: {option}")
        rules[option] = tuple(value) if isinstance(value, list) else value
    return rules
