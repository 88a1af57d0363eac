"""``phz score``, ``phz rulesets`` and options files: what they answer, and what they say of wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import phz
from ingest.record import Record
from replay import chi_options, evaluate_hand, waits
from replay.calculator import error_text, owned
from replay.options import MEANINGS, Choice, clause_of, completed, parse_option, read_options, value_text
from replay.ruleset import RulesetError
from replay.rulesets import OPTIONS, RULESETS, allowed, resolve

HAND = "一二三二七十伍伍伍柒捌玖八八"
MELDS = ("--meld", "碰 九", "--meld", "偎 拾")
LOOSE = "叁叁叁拾拾一二三四五六伍陆柒七七七九九玖"


def run(*arguments: str, lang: str = "zh") -> tuple[int, str, str]:
    result = CliRunner().invoke(phz.app, [*arguments, "--lang", lang])
    return result.exit_code, result.stdout, result.stderr


def test_one_line_answers_and_the_derivation_follows() -> None:
    code, out, _ = run("score", HAND, *MELDS, "--win", "八")
    assert code == 0
    assert out.splitlines() == [
        "QQ 跑胡子：自摸八胡，22 胡息，平胡，4 底，得 24 分（下家 -12，上家 -12）",
        "  碰 九九九 1",
        "  偎 拾拾拾 6",
        "  偎 八八八 3",
        "  坎 伍伍伍 6",
        "  顺 一二三 3",
        "  顺 柒捌玖 0",
        "  二七十 二七十 3",
        "  胡息 22 = 1+6+3+6+3+3",
        "  等 3",
        "  底 4，每底 3 分",
        "  得分 +24：下家 -12，上家 -12",
    ]
    _, out, _ = run("score", HAND, *MELDS, "--win", "八", lang="en")
    assert out.splitlines()[0] == (
        "QQ paohuzi: own draw 八 wins, 22 胡息, 平胡, 4 units, +24 points (next -12, previous -12)"
    )
    _, out, _ = run("score", LOOSE, "--win", "叁", "--last")
    assert "  番 " not in out  # 海底 alone has no 番
    _, out, _ = run("score", "二二二七七七十十十贰贰贰柒柒柒拾拾拾四五", "--win", "六", "--last")
    assert "番 红乌 4" in out
    assert "番 海底 2" in out


@pytest.mark.parametrize(
    ("zh", "name"), [("自摸", "own_draw"), ("他摸", "other_draw"), ("点炮", "discard"), ("亮张", "liang")]
)
def test_sources_in_players_words(zh: str, name: str) -> None:
    said = [run("score", HAND, *MELDS, "--win", "八", "--source", word, "--ruleset", "guilin") for word in (zh, name)]
    assert said[0] == said[1]
    value = evaluate_hand(HAND, ["碰 九", "偎 拾"], "八", name, "guilin")
    assert (f"得 {value.points} 分" in said[0][1]) == value.wins
    assert ("不能胡" in said[0][1]) != value.wins


def test_why_a_hand_does_not_win() -> None:
    assert "这里不能胡点炮的牌" in run("score", HAND, *MELDS, "--win", "八", "--source", "点炮")[1]
    assert "20 胡息，至少要 21" in run(
        "score", HAND, *MELDS, "--win", "八", "--source", "他摸", "--option", "min_huxi=21"
    )[1]  # fmt: skip
    assert "牌数不对：20 张，应为 21 张" in run("score", HAND[:-1], *MELDS, "--win", "八")[1]
    assert run("score", HAND, *MELDS, "--win", "四", lang="en")[1] == (
        "QQ paohuzi: own draw 四 does not win: no legal shape\n"
    )


def test_discard_is_paid_by_the_discarder() -> None:
    _, out, _ = run("score", HAND, *MELDS, "--win", "八", "--source", "点炮", "--ruleset", "guilin")
    assert "（点炮者 -6，另一家 +0）" in out


def test_every_ruleset_has_a_line() -> None:
    code, out, _ = run("score", HAND, *MELDS, "--win", "八", "--ruleset", "all")
    assert code == 0
    lines = out.splitlines()
    assert [line.partition("：")[0] for line in lines] == [ruleset.zh for ruleset in RULESETS.values()]
    assert run("score", HAND, *MELDS, "--win", "八", "--ruleset", "qq,guilin")[1].splitlines() == [lines[0], lines[5]]
    assert run("score", HAND, *MELDS, "--win", "八", "--ruleset", "qq", "--ruleset", "guilin")[1].splitlines() == [
        lines[0],
        lines[5],
    ]
    code, out, _ = run("score", HAND, *MELDS, "--win", "八", "--ruleset", "all", "--json")
    answers = json.loads(out)["answers"]
    assert [answer["line"] for answer in answers] == lines
    for answer in answers:
        value = evaluate_hand(HAND, ["碰 九", "偎 拾"], "八", "own_draw", answer["ruleset"])
        assert (answer["value"]["points"], answer["value"]["huxi"]) == (value.points, value.huxi)
        assert answer["value"]["payments"] == list(value.payments)


def test_without_a_winning_card_it_tells_the_waits() -> None:
    code, out, _ = run("score", LOOSE)
    found = waits(LOOSE)
    assert code == 0
    assert out.splitlines()[0] == "QQ 跑胡子：听 七、叁、拾，最多 18 胡息，18 分，步数 1"
    assert len(out.splitlines()) == 1 + len(found)
    for (card, source), value in found.items():
        word = {"own_draw": "自摸", "other_draw": "他摸"}[source]
        assert f"  {card} {word}：{value.huxi} 胡息，{value.units} 底，{value.points:+d} 分" in out
    _, out, _ = run("score", LOOSE, "--source", "自摸", "--json")
    rows = json.loads(out)["answers"][0]["waits"]
    assert {(row["card"], row["source"]) for row in rows} == {key for key in found if key[1] == "own_draw"}
    _, out, _ = run("score", LOOSE, "--source", "亮张", "--dealer", "--json")
    rows = json.loads(out)["answers"][0]["waits"]
    assert {row["card"]: row["points"] for row in rows} == {
        card: evaluate_hand(LOOSE, [], card, "liang", dealer=True).points for card in "七叁拾"
    }
    assert run("score", "一二四")[1] == "QQ 跑胡子：没有听牌（3 张，应为 20 张）\n"
    assert "waits for nothing (3 cards, 20 are due)" in run("score", "一二四", lang="en")[1]


def test_last_card_that_cannot_be_won_is_no_wait() -> None:
    assert "听" in run("score", HAND, *MELDS, "--ruleset", "luzhou")[1]
    assert "没有听牌" in run("score", HAND, *MELDS, "--ruleset", "luzhou", "--last")[1]


def test_a_whole_hand_needs_no_winning_card() -> None:
    value = evaluate_hand(LOOSE + "叁")
    assert f"这手牌胡，{value.huxi} 胡息，平胡，{value.units} 底" in run("score", LOOSE + "叁")[1]
    _, out, _ = run("score", "一一一一二二二二三三三三四五六伍陆柒七七", "--tianhu")
    value = evaluate_hand("一一一一二二二二三三三三四五六伍陆柒七七", tianhu=True)
    assert f"得 {value.points} 分" in out
    assert "（天胡，胡息 ×2）" in out


def test_chi() -> None:
    hand = "二三四七十贰贰柒"
    code, out, _ = run("score", hand, "--chi", "二")
    choices = chi_options(hand, "二")
    assert code == 0
    assert out.splitlines()[:2] == [f"QQ 跑胡子：二 有 {len(choices)} 种吃法", "  吃 二三四 比 二七十"]
    assert len(out.splitlines()) == 1 + len(choices)
    _, out, _ = run("score", hand, "--chi", "二", "--json")
    assert json.loads(out)["answers"][0]["chi"] == [
        {"first": list(choice.first), "bi": [list(bi) for bi in choice.bi]} for choice in choices
    ]
    assert run("score", hand, "--chi", "九")[1] == "QQ 跑胡子：九 不能吃\n"


@pytest.mark.parametrize(
    ("arguments", "zh", "en"),
    [
        (("叁叁叁x",), "手牌：'叁叁叁x' 第 4 个字 'x' 不是牌", "'x' at character 4 of '叁叁叁x'"),
        (("一二?",), "手牌：第 3 张牌未知", "hand: unknown card at place 3"),
        (("一", "--meld", "碰 九", "--meld", "碰"), "第 2 组 '碰'：只写一种牌", "meld 2 '碰': name one kind"),
        (("一", "--meld", "开 九"), "第 1 组 '开 九'：应写 碰/偎", "meld 1 '开 九': write"),
        (("一", "--meld", "吃 一二四"), "第 1 组 '吃 一二四'：这三张不成顺", "are not three cards"),
        (("一一一一", "--win", "一"), "一有 5 张，一种牌只有四张", "5 copies of 一"),
        (("一", "--win", "八九"), "--win：'八九' 是 2 张牌，应为一张", "expected one card, found 2"),
        (("一", "--chi", "z"), "--chi：'z' 第 1 个字 'z' 不是牌", "--chi: no such card 'z'"),
        (("一", "--win", "八", "--source", "偷"), "来源 偷 应为", "source 偷 is not one of own_draw"),
        (("一", "--ruleset", "nowhere"), "nowhere", "known: qq, hu15"),
        (("一", "--option", "base_points=4"), "选项 base_points 不能是 4；可取 1, 2, 3, 5, 10", "allowed: 1, 2, 3"),
        (("一", "--option", "nothing=4"), "没有选项 nothing；可用的有 min_huxi", "unknown option nothing"),
        (("一", "--option", "zimo"), "应写成 名=值", "is not name=value"),
        (("一", "--option", "dihu=any"), "qq: dihu = any needs win_discard", "qq: dihu = any needs win_discard"),
    ],
)
def test_wrong_input_is_named(arguments: tuple[str, ...], zh: str, en: str) -> None:
    for lang, said in (("zh", zh), ("en", en)):
        code, out, err = run("score", *arguments, lang=lang)
        assert (code, out) == (2, "")
        assert err.startswith("phz score: ")
        assert said in err


def test_texts_for_errors_leave_others_alone() -> None:
    assert error_text("another text", "zh") == "another text"
    assert owned("一一一一二", ["碰 九", "提 八", "吃 一二三"]) == (15, 21)
    assert owned("x", []) == (0, 0)


def test_options_change_the_answer(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('ruleset = "hu15"\n[options]\nbase_points = 2\nhuxi_123 = [3, 6]\n', encoding="utf-8")
    _, out, _ = run("score", HAND, *MELDS, "--win", "八", "--options", str(file))
    assert out.startswith("十五胡：自摸八胡")
    assert "得 16 分" in out
    _, out, _ = run("score", HAND, *MELDS, "--win", "八", "--options", str(file), "--option", "base_points=5")
    assert "得 40 分" in out
    code, _, err = run("score", HAND, "--options", str(file), "--ruleset", "qq")
    assert code == 2
    assert "选项文件是 hu15 的，不是 qq 的" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("base_points = 4", "base_points cannot be 4; allowed: 1, 2, 3, 5, 10"),
        ("base_points = 2.0", "base_points cannot be 2.0; allowed"),
        ("base_points = true", "base_points cannot be true; allowed"),
        ("ban = 1", "ban cannot be 1; allowed: false, true"),
        ("zimo = ['none']", "zimo cannot be none; allowed: plus_one"),
        ("huxi_peng = 3", "huxi_peng cannot be 3; allowed: 2 or 4 numbers"),
        ("huxi_123 = [3, 4]", "huxi_123 cannot be 3,4; allowed"),
        ("xing = ['x']", "xing cannot be x; allowed: shang, zhong, xia"),
        ("letters = 5", "letters cannot be 5; allowed: CODE=A"),
        ("[base_points]\nx = 1", "base_points cannot be"),
        ("base_pionts = 4", "unknown option base_pionts; known: min_huxi"),
        ("ruleset = 'mahjong'", "unknown ruleset mahjong; known: qq"),
        ("ruleset = 3", "unknown ruleset 3; known: qq"),
        ("rules = 'qq'\n[options]\nban = true", "cannot read rules; there are only ruleset and the table [options]"),
        ("options = 3", "cannot read options"),
        ("ruleset = 'qq'\n[options]\ndihu_forced = true", "dihu_forced = true needs dihu = any"),
        ("ban = ", "no TOML"),
    ],
)
def test_options_files_are_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    for command in (("score", "一"), ("rulesets", "show", "qq"), ("audit", str(tmp_path)), ("fit", str(tmp_path))):
        code, _, err = run(*command, "--options", str(file), lang="en")
        assert code == 2
        assert f"{file}: " in err
        assert said in err


def test_options_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"nothing\.toml"):
        read_options(tmp_path / "nothing.toml")
    (tmp_path / "gbk.toml").write_bytes("ruleset = '跑'".encode("gbk"))
    with pytest.raises(RulesetError, match=r"gbk\.toml.*no TOML"):
        read_options(tmp_path / "gbk.toml")


def test_options_round_trip(tmp_path: Path) -> None:
    """Every option of every ruleset, written to a file and to a command line, is read as it was."""
    for ruleset in RULESETS.values():
        lines = [f'ruleset = "{ruleset.name}"', "[options]"]
        for option in OPTIONS:
            value = getattr(ruleset, option)
            written = json.dumps(list(value)) if isinstance(value, tuple) else json.dumps(value)
            lines.append(f"{option} = {written}")
            if value != ():
                assert parse_option(f"{option}={value_text(value)}") == (option, value)
        file = tmp_path / f"{ruleset.name}.toml"
        file.write_text("\n".join(lines), encoding="utf-8")
        choice = read_options(file)
        assert choice.ruleset == ruleset.name
        assert resolve(ruleset.name, choice.options) == ruleset
    assert parse_option("xing=") == ("xing", ())
    assert parse_option("xing = shang, xia") == ("xing", ("shang", "xia"))


def test_a_record_keeps_its_own_options() -> None:
    record = Record(
        ruleset="qq",
        players=("甲", "乙", "丙"),
        dealer=0,
        hands=(None, None, None),
        liang=None,
        wall=None,
        moves=(),
        options={"base_points": 5},
    )
    assert completed(record, Choice(None, {"base_points": 1, "zimo": "none"})).options == {
        "base_points": 5,
        "zimo": "none",
    }
    assert completed(record, Choice("qq", {"zimo": "none"})).options == {"base_points": 5, "zimo": "none"}
    assert completed(record, Choice("hu15", {"zimo": "none"})) is record
    assert completed(record, Choice()) is record


def test_every_option_has_a_meaning() -> None:
    assert list(MEANINGS) == list(OPTIONS)
    for zh, en in MEANINGS.values():
        assert zh
        assert not zh.isascii()
        assert en
        assert len(en) < 70


def test_rulesets_list_and_show() -> None:
    code, out, _ = run("rulesets")
    assert code == 0
    assert out.splitlines() == [f"{ruleset.name}: {ruleset.zh}" for ruleset in RULESETS.values()]
    code, out, _ = run("rulesets", "show", "guilin")
    assert code == 0
    assert len(out.splitlines()) == 1 + len(OPTIONS)
    assert "zi_step = 5  每多几胡加一等（子）  [1|3|5|10] (规则 13.22)" in out
    assert "fan_hong = 2  红胡（10–12 张红）的番  [0–20] (规则 13.40)" in out
    code, out, _ = run("rulesets", "show", "guilin", "--json")
    rows = json.loads(out)["options"]
    assert [row["option"] for row in rows] == list(OPTIONS)
    for row in rows:
        option = row["option"]
        assert row["allowed"] == list(allowed(option))
        assert (row["clause"], row["zh"], row["en"]) == (clause_of(option), *MEANINGS[option])
        assert not row["changed"]
    assert run("rulesets", "show", "nowhere", lang="en")[2].startswith("phz rulesets: unknown ruleset 'nowhere'")


def test_rulesets_differences(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("zi_step = 3", encoding="utf-8")
    code, out, _ = run(
        "rulesets", "show", "guilin", "--options", str(file), "--option", "base_points=2", "--diff", "qq", lang="en"
    )
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "Guilin zipai / QQ paohuzi"
    shown = {line.split(" = ")[0] for line in lines[1:]}
    house = resolve("guilin", {"zi_step": 3, "base_points": 2})
    assert shown == {option for option in OPTIONS if getattr(house, option) != getattr(RULESETS["qq"], option)}
    assert "base_points = 2 / 3 *  points of a unit  [1|2|3|5|10] (rules 13.27)" in lines
    assert "min_huxi = 10 / 15  least 胡息 of a win  [0|6|9|10|15|18|21] (rules 13.1)" in lines
    assert run("rulesets", "show", "guilin", "--diff", "nowhere")[0] == 2
