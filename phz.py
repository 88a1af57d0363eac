"""The command line ``phz``: one typer app that composes the layers' commands."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from ingest.cli import default_store

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="跑胡子 / 字牌：导入、复盘、审计、统计。Ingest, replay, audit, study.",
)
rulesets_app = typer.Typer(add_completion=False, help="规则和选项。Rulesets and their options.")
app.add_typer(rulesets_app, name="rulesets")
quarantine_app = typer.Typer(no_args_is_help=True, add_completion=False, help="退回的记录。Refused records.")
app.add_typer(quarantine_app, name="quarantine")

Json = Annotated[bool, typer.Option("--json", help="机器可读 / for machines")]
Store = Annotated[str | None, typer.Option("--store", help="牌谱库 / store folder [$PHZ_STORE, data/store]")]
Lang = Annotated[str | None, typer.Option("--lang", help="zh | en")]
Format = Annotated[
    str | None, typer.Option("--format", metavar="NAME[:KEY=VALUE,…]", help="格式 / format; 不给则按内容辨认")
]
Rulesets = Annotated[
    list[str] | None, typer.Option("--ruleset", help="规则名，可多个；all 为全部 / one or more rulesets, or all")
]
Given = Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="规则选项 / an option of the rules")]
OptionsFile = Annotated[str | None, typer.Option("--options", metavar="FILE", help="选项文件 TOML / a file of options")]

AliasesFile = Annotated[
    str | None, typer.Option("--aliases", metavar="FILE", help="谁有哪些账号 TOML / the accounts of each person")
]
SaltFile = Annotated[
    str | None,
    typer.Option("--anonymise", metavar="SALTFILE", help="玩家换成假名；没有盐文件则新建 / pseudonyms for players"),
]


class Effort(StrEnum):
    """How hard ``grade`` looks at a decision (``replay.judging.EFFORTS``)."""

    quick = "quick"
    full = "full"
    deep = "deep"


def _lang(lang: str | None) -> str:
    if lang in ("zh", "en"):
        return lang
    if lang is not None:
        raise typer.BadParameter("zh | en", param_hint="--lang")
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "en" if locale.startswith("en") else "zh"


@app.command()
def demo(
    serve: Annotated[bool, typer.Option(help="完成后打开网页 / serve the dashboard afterwards")] = True,
    store: Store = None,
    rounds: Annotated[int, typer.Option(min=0, help="另外生成的局数 / generated rounds")] = 3000,
    seed: Annotated[int, typer.Option(help="随机种子 / seed")] = 1,
    port: Annotated[int, typer.Option(help="端口 / port")] = 8501,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """样例 → 牌谱库 → 复盘 → 摘要 → 网页。Sample records, store, replay, summary, dashboard."""
    from replay.demo import run

    place = store or default_store()
    code = run(place, rounds, seed, json=json, lang=_lang(lang))
    if code == 0 and serve:
        code = _serve(place, port)
    raise typer.Exit(code)


@app.command()
def simulate(
    out: Annotated[
        str, typer.Option("--out", metavar="FILE|STORE", help="写到文件，或导入牌谱库 / a file, or a store")
    ],
    players: Annotated[str, typer.Option("--players", metavar="A,B,C[,D]", help="各座的选手 / who sits at each place")],
    ruleset: Annotated[str | None, typer.Option("--ruleset", help="规则名 / ruleset")] = None,
    rounds: Annotated[int, typer.Option("--rounds", help="局数 / rounds")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="随机种子 / seed")] = 1,
    per_session: Annotated[int, typer.Option("--per-session", help="每场几局 / rounds of a session")] = 20,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="进程数，不影响结果 / processes")] = None,
    format: Format = None,  # noqa: A002
    option: Given = None,
    options: OptionsFile = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """参考选手打整场牌。Whole sessions played by the reference players."""
    from replay.cli_simulate import simulate as run

    code = run(
        out,
        players,
        ruleset,
        rounds,
        seed,
        per_session=per_session,
        jobs=jobs,
        format=format,
        options=option or (),
        options_file=options,
        json=json,
        lang=_lang(lang),
    )
    raise typer.Exit(code)


@app.command()
def ingest(
    paths: Annotated[list[str], typer.Argument(help="文件或目录 / files or folders")],
    store: Store = None,
    format: Format = None,  # noqa: A002
    watch: Annotated[bool, typer.Option("--watch", help="守着目录，来了就导入 / watch the folders")] = False,
    interval: Annotated[float, typer.Option(min=0.1, help="守着时看的间隔（秒）/ seconds between two looks")] = 5,
    aliases: AliasesFile = None,
    anonymise: SaltFile = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """导入牌谱。Import recorded games."""
    from ingest.cli import ingest as run
    from replay.accept import accept

    looks = interval if watch else None
    raise typer.Exit(run(paths, store, format, json, _lang(lang), accept, looks, aliases, anonymise))


@quarantine_app.command("list")
def quarantine_list(
    code: Annotated[str | None, typer.Option("--code", help="只看这个代码 / this code only")] = None,
    file: Annotated[str | None, typer.Option("--file", help="文件名里的一段 / a part of the file's name")] = None,
    page: Annotated[int, typer.Option(min=1, help="第几页 / page")] = 1,
    per_page: Annotated[int, typer.Option(min=1, help="每页几条 / records a page")] = 50,
    store: Store = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """列出退回的记录。List the refused records."""
    from ingest.cli_quarantine import list_refused as run

    raise typer.Exit(run(store, code, file, page, per_page, json, _lang(lang)))


@quarantine_app.command("show")
def quarantine_show(
    wanted: Annotated[str, typer.Argument(metavar="ID|FILE:RECORD", help="编号，或文件:第几局 / id or FILE:N")],
    store: Store = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """一条退回的记录：已知的一切和原文。All that is known of one, and how it stands in its file."""
    from ingest.cli_quarantine import show_refused as run

    raise typer.Exit(run(wanted, store, json, _lang(lang)))


@quarantine_app.command("retry")
def quarantine_retry(
    files: Annotated[list[str] | None, typer.Argument(help="文件；不给则全部 / files, or all")] = None,
    store: Store = None,
    format: Format = None,  # noqa: A002
    aliases: AliasesFile = None,
    anonymise: SaltFile = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """把有退回记录的文件再导入一次。Import the files with refused records again."""
    from ingest.cli_quarantine import retry_refused as run
    from replay.accept import accept

    raise typer.Exit(run(files or (), store, format, json, _lang(lang), accept, aliases, anonymise))


@app.command()
def replay(store: Store = None, json: Json = False, lang: Lang = None) -> None:
    """复盘牌谱库中的每一局。Replay every round of the store."""
    from replay.cli import replay as run

    raise typer.Exit(run(store or default_store(), json, _lang(lang)))


@app.command()
def audit(
    paths: Annotated[list[str], typer.Argument(help="文件或目录 / files or folders")],
    format: Format = None,  # noqa: A002
    option: Given = None,
    options: OptionsFile = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """审计文件，不入库；0 无误或无法判定，1 有问题，2 有读不懂的。Audit files without a store."""
    from replay.cli import audit as run

    raise typer.Exit(run(paths, format, json, _lang(lang), option or (), options))


@app.command()
def show(
    wanted: Annotated[str, typer.Argument(metavar="ROUND", help="局号（可只写开头）或 文件[:第几局] / id or FILE[:N]")],
    store: Store = None,
    html: Annotated[str | None, typer.Option("--html", help="写成单个网页 / write a page that opens offline")] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """逐步打印一局，或写成一个可离线打开的网页。Print a round event by event, or write it as one page."""
    from replay.cli import show as run

    place = store or default_store()
    page = None
    if html is not None:
        from dashboards.viewer import round_html

        page = (html, lambda record, lang: round_html(record, place, lang))
    raise typer.Exit(run(wanted, place, json, _lang(lang), page))


@app.command()
def grade(
    wanted: Annotated[
        str,
        typer.Argument(
            metavar="[WHAT]",
            help="文件[:第几局]、局号、场、房间或玩家；不给则全库 / FILE[:N], id, session, room, player",
        ),
    ] = "",
    store: Store = None,
    effort: Annotated[Effort, typer.Option("--effort", help="quick 快 | full 细 | deep 更细")] = Effort.full,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="线程数 / threads")] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """评每一次选择：各种打法值多少，亏了多少，为什么。What each choice was worth, what it cost, and why."""
    from analytics.cli_grade import grade as run

    raise typer.Exit(run(wanted, store or default_store(), effort.value, jobs, json, _lang(lang)))


@app.command()
def score(
    hand: Annotated[str, typer.Argument(help="手牌 / concealed cards")],
    meld: Annotated[list[str] | None, typer.Option("--meld", help="例 '碰 九' / a group on the table")] = None,
    win: Annotated[str | None, typer.Option("--win", help="胡的牌；不给则列出听牌 / winning card")] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", help="own_draw 自摸 | other_draw 他摸 | discard 点炮 | liang 亮张"),
    ] = None,
    ruleset: Rulesets = None,
    option: Given = None,
    options: OptionsFile = None,
    chi: Annotated[str | None, typer.Option("--chi", help="怎样吃这张 / how this card may be taken by 吃")] = None,
    dealer: Annotated[bool, typer.Option("--dealer", help="庄家 / the dealer's hand")] = False,
    last: Annotated[bool, typer.Option("--last", "--last-card", help="海底 / the last wall card")] = False,
    tianhu: Annotated[bool, typer.Option("--tianhu", help="天胡 / a win on the dealt cards")] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """算一手牌：值多少，听什么，怎么吃。What a hand is worth, what it waits for, how it takes a card."""
    from replay.cli_score import score as run

    code = run(
        hand,
        meld or (),
        win,
        source,
        ruleset or (),
        options=option or (),
        options_file=options,
        chi=chi,
        dealer=dealer,
        last_card=last,
        tianhu=tianhu,
        json=json,
        lang=_lang(lang),
    )
    raise typer.Exit(code)


@app.command()
def convert(
    source: Annotated[str, typer.Argument(help="来源文件 / source file")],
    target: Annotated[str, typer.Argument(help="目标文件 / target file")],
    to: Annotated[str | None, typer.Option("--to", help="目标格式 / target format")] = None,
    format: Format = None,  # noqa: A002
    aliases: AliasesFile = None,
    anonymise: SaltFile = None,
    lang: Lang = None,
) -> None:
    """转换格式。Convert between formats."""
    from ingest.cli import convert as run

    raise typer.Exit(run(source, target, to, format, _lang(lang), aliases, anonymise))


@app.command()
def fit(
    paths: Annotated[list[str], typer.Argument(help="文件或目录 / files or folders")],
    format: Format = None,  # noqa: A002
    option: Given = None,
    options: OptionsFile = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """哪套规则、哪些选项最能解释这些牌谱。Which ruleset and options explain these records best."""
    from replay.cli_fit import run

    raise typer.Exit(run(paths, format, option or (), options, json, _lang(lang)))


@rulesets_app.callback(invoke_without_command=True)
def rulesets(context: typer.Context, json: Json = False, lang: Lang = None) -> None:
    """列出规则。List the rulesets."""
    from replay.cli_rulesets import rulesets as run

    if context.invoked_subcommand is None:
        raise typer.Exit(run(json, _lang(lang)))


@rulesets_app.command("show")
def rulesets_show(
    wanted: Annotated[str, typer.Argument(metavar="NAME", help="规则名 / ruleset")],
    option: Given = None,
    options: OptionsFile = None,
    diff: Annotated[str | None, typer.Option("--diff", metavar="OTHER", help="只列不同的 / only what differs")] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """某规则的全部选项、可取的值和意思。Every option of a ruleset: value, allowed values, meaning."""
    from replay.cli_rulesets import show as run

    code = run(wanted, options=option or (), options_file=options, other=diff, json=json, lang=_lang(lang))
    raise typer.Exit(code)


@app.command()
def compact(store: Store = None, json: Json = False, lang: Lang = None) -> None:
    """整理牌谱库：合并小文件，删除七天前的旧文件。Merge small files of the store, delete old ones."""
    from ingest.cli_store import compact as run

    raise typer.Exit(run(store, json, _lang(lang)))


@app.command()
def dashboard(store: Store = None, port: Annotated[int, typer.Option(help="端口 / port")] = 8501) -> None:
    """打开网页。Serve the dashboard."""
    raise typer.Exit(_serve(store or default_store(), port))


def _serve(store: str, port: int) -> int:
    import subprocess

    from dashboards.serve import command

    try:
        return subprocess.run(command(store, port), check=False).returncode  # noqa: S603 - our own command
    except KeyboardInterrupt:
        return 0


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
