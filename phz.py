"""The command line ``phz``: one typer app that composes the layers' commands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ingest.cli import default_store

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="跑胡子 / 字牌：导入、复盘、审计、统计。Ingest, replay, audit, study.",
)

Json = Annotated[bool, typer.Option("--json", help="机器可读 / for machines")]
Store = Annotated[str | None, typer.Option("--store", help="牌谱库 / store folder [$PHZ_STORE, data/store]")]
Lang = Annotated[str | None, typer.Option("--lang", help="zh | en")]
Format = Annotated[str | None, typer.Option("--format", help="phz | jsonl | guilin")]
Ruleset = Annotated[str, typer.Option("--ruleset", help="qq | hu15 | guilin")]


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

    place = store or os.environ.get("PHZ_STORE") or "data/store"
    code = run(place, rounds, seed, json=json, lang=_lang(lang))
    if code == 0 and serve:
        code = _serve(place, port)
    raise typer.Exit(code)


@app.command()
def ingest(
    paths: Annotated[list[str], typer.Argument(help="文件或目录 / files or folders")],
    store: Store = None,
    format: Format = None,  # noqa: A002
    json: Json = False,
    lang: Lang = None,
) -> None:
    """导入牌谱。Import recorded games."""
    from ingest.cli import ingest as run
    from replay.accept import accept

    raise typer.Exit(run(paths, store, format, json, _lang(lang), accept))


@app.command()
def replay(store: Store = None, json: Json = False, lang: Lang = None) -> None:
    """复盘牌谱库中的每一局。Replay every round of the store."""
    from replay.cli import replay as run

    raise typer.Exit(run(store or default_store(), json, _lang(lang)))


@app.command()
def audit(
    paths: Annotated[list[str], typer.Argument(help="文件或目录 / files or folders")],
    format: Format = None,  # noqa: A002
    json: Json = False,
    lang: Lang = None,
) -> None:
    """审计文件，不入库；0 无误或无法判定，1 有问题，2 有读不懂的。Audit files without a store."""
    from replay.cli import audit as run

    raise typer.Exit(run(paths, format, json, _lang(lang)))


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

    page = None
    if html is not None:
        from dashboards.viewer import viewer_html

        page = (html, viewer_html)
    raise typer.Exit(run(wanted, store or default_store(), json, _lang(lang), page))


@app.command()
def score(
    hand: Annotated[str, typer.Argument(help="手牌 / concealed cards")],
    meld: Annotated[list[str] | None, typer.Option("--meld", help="例 '碰 九' / a group on the table")] = None,
    win: Annotated[str | None, typer.Option("--win", help="胡的牌 / winning card; without it: what wins")] = None,
    source: Annotated[str | None, typer.Option("--source", help="own_draw | other_draw | discard | liang")] = None,
    ruleset: Ruleset = "qq",
    dealer: Annotated[bool, typer.Option("--dealer", help="庄家 / the dealer's hand")] = False,
    last_card: Annotated[bool, typer.Option("--last-card", help="海底 / the last wall card")] = False,
    tianhu: Annotated[bool, typer.Option("--tianhu", help="天胡 / a win on the dealt cards")] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """算胡息和得分；不给胡的牌则列出听牌。Value of a hand, or what it waits for."""
    from replay.cli import score as run

    code = run(
        hand,
        meld or [],
        win,
        source,
        ruleset,
        dealer=dealer,
        last_card=last_card,
        tianhu=tianhu,
        json=json,
        lang=_lang(lang),
    )
    raise typer.Exit(code)


@app.command()
def convert(
    source: Annotated[str, typer.Argument(help="来源文件 / source file")],
    target: Annotated[str, typer.Argument(help="目标文件 / target file")],
    to: Annotated[str | None, typer.Option("--to", help="phz | jsonl")] = None,
    lang: Lang = None,
) -> None:
    """转换格式。Convert between formats."""
    from ingest.cli import convert as run

    raise typer.Exit(run(source, target, to, _lang(lang)))


@app.command()
def rulesets(
    wanted: Annotated[str | None, typer.Argument(metavar="[NAME]", help="规则名 / ruleset")] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """列出规则，或某规则的全部选项。List the rulesets, or one's options."""
    from replay.cli import rulesets as run

    raise typer.Exit(run(wanted, json, _lang(lang)))


@app.command()
def dashboard(store: Store = None, port: Annotated[int, typer.Option(help="端口 / port")] = 8501) -> None:
    """打开网页。Serve the dashboard."""
    raise typer.Exit(_serve(store or default_store(), port))


def _serve(store: str, port: int) -> int:
    import subprocess

    from dashboards.serve import command

    try:
        return subprocess.run(command(Path(store), port), check=False).returncode  # noqa: S603 - our own command
    except KeyboardInterrupt:
        return 0


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
