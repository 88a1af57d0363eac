"""Options for people: what each means, and how they are read from a TOML file or a command line.

A file names a ruleset and has a table of options, or it holds options alone::

    ruleset = "qq"

    [options]
    base_points = 1
    huxi_peng = [1, 3]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from ingest.limits import both
from ingest.record import Option, Record
from replay.ruleset import Ruleset, RulesetError, checked
from replay.rulesets import OPTIONS, RULESETS, allowed, resolve

MEANINGS: Mapping[str, tuple[str, str]] = {
    "min_huxi": ("胡牌最少的胡息", "least 胡息 of a win"),
    "tianhu_quads": ("三提五坎是否胡牌", "whether 提 and 坎 alone win on the deal"),
    "tianhu_count": ("五坎里提算不算坎", "whether a 提 counts as one of five 坎"),
    "liang_win": ("谁可以胡亮张", "who may win on the 亮张"),
    "liang_forced": ("能胡亮张就必须胡", "a win on the 亮张 is compulsory"),
    "dihu": ("地胡怎么算", "which win is a 地胡"),
    "dihu_forced": ("能地胡就必须胡", "a 地胡 is compulsory"),
    "ti_open": ("起手的提何时亮出", "when a dealt 提 must be laid"),
    "dealer_discards": ("庄家有两提也要先打牌", "the dealer discards first even with two 提"),
    "chi_prev_draw": ("可以吃上家摸出的牌", "a card drawn by 上家 may be taken by 吃"),
    "peng_forced": ("有碰必碰", "碰 is compulsory"),
    "stale_mode": ("过吃过碰是否一并算过张", "whether a pass bars 吃 and 碰 together"),
    "own_bars_peng": ("自己打过的牌也不能碰", "an own discard bars 碰 too"),
    "chouhu": ("有臭胡", "a refused kind may not be won until 胡息 change"),
    "hu_pass_kills": ("放弃胡，此张各家都不能再要", "a declined win ends the claims of all on the card"),
    "win_discard": ("可以胡别人打出的牌", "discards may be won on"),
    "last_wins": ("最后一张墩牌可以胡", "the last card of the wall may be won on"),
    "dead_chi_all": ("有一种吃法会成死手，就都不能吃", "one dead choice removes every 吃"),
    "dead_forced": ("必做的动作成了死手怎么办", "what a forced act does that leaves nothing to discard"),
    "chou_wei_hidden": ("臭偎不亮出", "a 臭偎 is laid hidden"),
    "shape": ("整手牌的牌型", "what a whole hand is made of"),
    "huxi_peng": ("碰的胡息：小、大", "胡息 of a 碰: small, big"),
    "huxi_kan": ("坎和偎的胡息：小、大", "胡息 of a 坎 or 偎: small, big"),
    "huxi_pao": ("跑的胡息：小、大", "胡息 of a 跑: small, big"),
    "huxi_ti": ("提的胡息：小、大", "胡息 of a 提: small, big"),
    "huxi_123": ("一二三的胡息：小、大", "胡息 of 一二三: small, big"),
    "huxi_2710": ("二七十的胡息：小、大", "胡息 of 二七十: small, big"),
    "zi_step": ("每多几胡加一等（子）", "胡息 for each further unit"),
    "deng_cap": ("等的上限，0 为不限", "most 等 of a hand, 0 for no bound"),
    "zimo": ("自摸加什么", "what an own draw adds"),
    "tianhu_is_zimo": ("谁的天胡算自摸", "whose 天胡 counts as an own draw"),
    "tianhu_factor": ("天胡的胡息乘几", "what the 胡息 of a 天胡 are multiplied by"),
    "quad_units": ("每个亮出的提或跑，番后再加几个单位", "units for each laid 提 or 跑, after 番"),
    "xing": ("哪几种醒", "which 醒 are turned"),
    "fan_level": ("哪些番算数：都不算、基本的、全部", "which 番 count: none, the basic ones, all"),
    "fan_hong": ("红胡（10–12 张红）的番", "番 of 10 to 12 red cards"),
    "fan_dian": ("点胡（一点红）的番", "番 of one red card"),
    "fan_hong_wu": ("红乌（13 张红以上）的番", "番 of 13 or more red cards"),
    "fan_wu": ("乌胡（黑胡）的番", "番 of no red card"),
    "fan_duidui": ("对对胡（碰碰胡）的番", "番 of a hand without runs"),
    "fan_wu_duidui": ("乌胡兼对对胡的番，0 为两者相加", "番 of both together, 0 for their sum"),
    "fan_haidi": ("海底的番", "番 of a win on the last card"),
    "fan_shihong": ("十红的番", "番 of 10 or more red cards"),
    "fan_tianhu": ("天胡的番", "番 of a win on the dealt cards"),
    "fan_dihu": ("地胡的番", "番 of an early win"),
    "fan_sanbian": ("三扁的番", "番 of three red alike and no other red"),
    "fan_sibian": ("四扁的番", "番 of four red alike and no other red"),
    "fan_shuangpiao": ("双漂的番", "番 of two groups of red alike and no other red"),
    "fan_shiba_da": ("十八大的番", "番 of 18 or more big cards"),
    "fan_shiba_xiao": ("十八小的番", "番 of 18 or more small cards"),
    "fan_qingyise": ("清一色的番", "番 of one size only"),
    "fan_zimo": ("自摸的番", "番 of an own draw"),
    "fan_more": ("十红、十八大、十八小每多一张加几番", "番 for each card above the bound of 十红, 十八大, 十八小"),
    "fan_combine": ("几个番相加还是相乘", "whether several 番 add or multiply"),
    "haidi_alone": ("只有海底时的番", "番 of 海底 without another"),
    "base_points": ("每个单位几分", "points of a unit"),
    "pay_discard": ("点炮时谁付", "who pays a win on a discard"),
    "xing_fee": ("输家给醒家多少", "what each loser pays the 醒家"),
    "huang_fee": ("荒庄时庄家给醒家几分", "what the dealer pays the 醒家 after 荒庄"),
    "qianti_bonus": ("庄家有前提，给醒家几分", "what a dealer with a dealt 提 pays the 醒家"),
    "escape": ("逃跑扣分，以及商怎么取整", "whether leaving costs points, and how the quotient is cut"),
    "ban": ("违规者失去胡牌资格", "offences cost the right to win"),
    "penalties": ("违规按罚则扣分", "offences cost points"),
    "letters": ("给没有字母的违规定字母", "letters for offences that have none"),
    "void_win": ("失去资格还胡，按什么罚", "what a win without the right to it costs"),
    "void_ends": ("无效的胡结束本局", "a void win ends the round"),
    "dealer_next": ("胡牌之后谁坐庄", "who deals after a win"),
    "huang_next": ("荒庄之后谁坐庄", "who deals after 荒庄"),
    "huang_three": ("连荒三局换庄", "the third 荒庄 running passes the deal"),
}
"""Option → one short sentence in Chinese and in English; what exactly it does says its clause of docs/rules.md."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a file or a command line chose: a ruleset, or None where it named none, and option values."""

    ruleset: str | None = None
    options: Mapping[str, Option] = field(default_factory=dict)


def _refused(where: str, option: str, value: object) -> RulesetError:
    """The refusal of a value (None: of the option itself), with what is allowed."""
    if option not in OPTIONS:
        known = ", ".join(OPTIONS)
        return RulesetError(
            both(f"{where}没有选项 {option}；可用的有 {known}", f"{where}unknown option {option}; known: {known}")
        )
    values = ", ".join(map(value_text, allowed(option)))
    return RulesetError(
        both(
            f"{where}选项 {option} 不能是 {value_text(value)}；可取 {values}",
            f"{where}option {option} cannot be {value_text(value)}; allowed: {values}",
        )
    )


def value_text(value: object) -> str:
    """A value as it is written on the command line: ``true``, ``1,3``, ``–`` for an empty list."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(value_text, value)) or "–"
    return str(value)


def _checked(where: str, option: str, value: object) -> Option:
    """The value as a ruleset holds it."""
    if option not in OPTIONS or (isinstance(default_of(option), bool) and not isinstance(value, bool)):
        raise _refused(where, option, value)
    try:
        found: Option = checked(option, value)
    except RulesetError:
        raise _refused(where, option, value) from None
    return found


def default_of(option: str) -> object:
    """The value of an option in the first ruleset: it tells its type."""
    return getattr(next(iter(RULESETS.values())), option)


def read_options(path: str | Path) -> Choice:
    """Read a TOML file of options. Raises ``RulesetError`` that names the file and what is allowed.

    Values that contradict each other are found with the ruleset that they are for: here where the file names it.
    """
    where = f"{path}: "
    try:
        table = tomllib.loads(Path(path).read_bytes().decode())
    except OSError as error:
        raise RulesetError(f"{where}{error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(both(f"{where}不是 TOML：{error}", f"{where}no TOML: {error}")) from None
    ruleset = table.pop("ruleset", None)
    if ruleset is not None and (not isinstance(ruleset, str) or ruleset not in RULESETS):
        known = ", ".join(RULESETS)
        raise RulesetError(
            both(f"{where}没有规则 {ruleset}；可用的有 {known}", f"{where}unknown ruleset {ruleset}; known: {known}"),
            "UNKNOWN_RULESET",
        )
    given = table.pop("options", None)
    if given is None:
        given, table = table, {}
    if table or not isinstance(given, dict):
        keys = ", ".join(sorted(table) or ["options"])
        raise RulesetError(
            both(
                f"{where}看不懂 {keys}；只能有 ruleset 和表 [options]",
                f"{where}cannot read {keys}; there are only ruleset and the table [options]",
            )
        )
    options = {option: _checked(where, option, value) for option, value in given.items()}
    if ruleset is not None:
        with_options(ruleset, options, where)
    return Choice(ruleset, options)


def parse_option(text: str) -> tuple[str, Option]:
    """Read ``name=value`` of a command line; lists are written ``1,3``, an empty one as nothing."""
    option, sign, written = (piece.strip() for piece in text.partition("="))
    where = "--option: "
    if not sign:
        raise RulesetError(both(f"{where}{text!r} 应写成 名=值", f"{where}{text!r} is not name=value"))
    if option not in OPTIONS:
        raise _refused(where, option, None)
    if isinstance(default_of(option), tuple):
        pieces = [piece.strip() for piece in written.split(",") if piece.strip()]
        return option, _checked(where, option, [_number(piece) for piece in pieces])
    if isinstance(default_of(option), bool):
        return option, _checked(where, option, {"true": True, "false": False}.get(written.lower(), written))
    return option, _checked(where, option, _number(written))


def _number(written: str) -> int | str:
    return int(written) if re.fullmatch("-?[0-9]{1,9}", written) else written


def clause_of(option: str) -> str:
    """The clause of docs/rules.md that lists the option."""
    return str(Ruleset.__dataclass_fields__[option].metadata["clause"])


def values_text(option: str) -> str:
    """What an option may be, as written on the command line; a run of numbers as its ends."""
    values = allowed(option)
    if len(values) > 10:
        return f"{value_text(values[0])}–{value_text(values[-1])}"
    return "|".join(map(value_text, values))


def apply(ruleset: str, choice: Choice) -> Ruleset:
    """The named ruleset with what was chosen. Raises ``RulesetError``, also where the choice is for another ruleset."""
    if choice.ruleset not in (None, ruleset):
        said = (choice.ruleset, ruleset)
        raise RulesetError(
            both("选项文件是 {} 的，不是 {} 的".format(*said), "the options file is for {}, not {}".format(*said))
        )
    return with_options(ruleset, choice.options, f"{ruleset}: " if choice.options else "")


def completed(record: Record, choice: Choice) -> Record:
    """The record with the chosen options that it does not set itself; another ruleset than the chosen: unchanged."""
    if not choice.options or choice.ruleset not in (None, record.ruleset):
        return record
    return msgspec.structs.replace(record, options={**choice.options, **record.options})


def with_options(ruleset: str, options: Mapping[str, Option], where: str = "") -> Ruleset:
    """``resolve`` whose refusal of values that contradict each other names where they come from."""
    try:
        return resolve(ruleset, options)
    except RulesetError as error:
        raise RulesetError(f"{where}{error}", error.code) from None


def chosen(file: str | None, given: Iterable[str]) -> Choice:
    """An options file and ``name=value`` pieces together; the pieces win."""
    choice = Choice() if file is None else read_options(file)
    return Choice(choice.ruleset, {**choice.options, **dict(parse_option(text) for text in given)})
