"""What the check of an uploaded file came to, on the page. Nothing of it is shown but as plain text."""

from __future__ import annotations

from typing import Any

import polars as pl
import streamlit as st

from analytics.rounds import known_rounds
from dashboards import parts
from dashboards.i18n import Translate
from dashboards.source import marts
from dashboards.wording import SEVERITIES, UNNAMED, VERDICTS, finding, named, round_link
from ingest.limits import REJECTS, StoreError, in_lang, reject_title
from replay.check_upload import Answer, Judged
from replay.wording import localised

JUDGED = ("clean", "violations", "undecidable")


def counts(tr: Translate, answer: Answer) -> None:
    """How much the file holds and what came of it."""
    numbers = {
        "读到": answer.seen,
        "收下": answer.accepted,
        "没收下": answer.refused,
        "有问题的牌局": answer.with_findings,
    }
    for column, (label, number) in zip(st.columns(len(numbers)), numbers.items(), strict=True):
        column.metric(tr(label), f"{number:,}", border=True)
    if answer.formats:
        st.text(tr("格式：{formats}", formats=", ".join(f"{name} {n:,}" for name, n in answer.formats.items())))
    audited = sum(answer.verdicts.values())
    if audited:
        said = ", ".join(f"{tr(VERDICTS[name])} {answer.verdicts.get(name, 0):,}" for name in JUDGED)
        st.text(tr("审计了 {n} 局：{said}", n=f"{audited:,}", said=said))
    rounds = answer.accepted - answer.sheets
    if audited < rounds:
        left = f"{rounds - audited:,}"
        st.info(tr("还有 {n} 局只读了，没有审计：时间用完了。全部审计请用命令行：", n=left))
        st.code("phz audit", language="shell")
    if answer.sheets:
        st.text(tr("其中 {n} 张是积分表，没有牌局可审计。", n=f"{answer.sheets:,}"))
    if answer.unknown_fields:
        fields = ", ".join(f"{name} {n:,}" for name, n in answer.unknown_fields.items())
        st.text(tr("未知字段：{fields}", fields=fields))


def refused(tr: Translate, lang: str, answer: Answer) -> None:
    """The records that were not accepted."""
    if not answer.rejects:
        return
    st.subheader(tr("没收下的记录"), anchor=False)
    st.caption(", ".join(f"{code} {n:,}" for code, n in answer.codes.items() if code in REJECTS))
    rows = [
        {
            "member": one.member,
            "record": one.index + 1,
            "line": one.line,
            "code": one.code,
            "name": reject_title(one.code, lang, UNNAMED),
            "reason": in_lang(one.reason, lang),
        }
        for one in answer.rejects
    ]
    columns = {
        "member": st.column_config.TextColumn(tr("文件")),
        "record": st.column_config.NumberColumn(tr("第几条")),
        "line": st.column_config.NumberColumn(tr("行")),
        "code": st.column_config.TextColumn(tr("代码")),
        "name": st.column_config.TextColumn(tr("名称")),
        "reason": st.column_config.TextColumn(tr("原因"), width="large"),
    }
    shown(tr, rows, columns, "upload_refused", answer.refused)
    if answer.refused == 1:
        st.text(in_lang(answer.rejects[0].reason, lang))  # whole: a cell shows its beginning


def judged(tr: Translate, lang: str, answer: Answer) -> None:
    """The findings, round by round; those of rounds that the store has lead to the event."""
    if not answer.rounds:
        if answer.verdicts and not answer.with_findings:
            st.success(tr("审计过的牌局没有发现问题。"), icon=":material/check_circle:")
        return
    st.subheader(tr("问题"), anchor=False)
    stored = in_store({one.round_id for one in answer.rounds})
    rows = [row for one in answer.rounds for row in _findings(tr, lang, one, one.round_id in stored)]
    columns = {
        "open": st.column_config.LinkColumn(tr("打开"), display_text=tr("看这一步"), width="small"),
        "member": st.column_config.TextColumn(tr("文件")),
        "record": st.column_config.NumberColumn(tr("第几条")),
        "step": st.column_config.NumberColumn(tr("步")),
        "name": st.column_config.TextColumn(tr("名称")),
        "code": st.column_config.TextColumn(tr("代码")),
        "severity": st.column_config.TextColumn(tr("轻重")),
        "player": st.column_config.TextColumn(tr("归于")),
        "expected": st.column_config.TextColumn(tr("应为"), width="medium"),
        "actual": st.column_config.TextColumn(tr("实为"), width="medium"),
        "clause": st.column_config.TextColumn(tr("条款")),
    }
    if not stored:
        del columns["open"]
    shown(tr, rows, columns, "upload_findings", sum(answer.finding_codes.values()))


def _findings(tr: Translate, lang: str, one: Judged, stored: bool) -> list[dict[str, Any]]:
    return [
        {
            "open": round_link(one.round_id, found.seq, lang) if stored else None,
            "member": one.member,
            "record": one.index + 1,
            "step": found.seq + 1,
            "name": finding(found.code, lang),
            "code": found.code,
            "severity": named(tr, SEVERITIES, found.severity),
            "player": one.players[found.seat] if 0 <= found.seat < len(one.players) else UNNAMED,
            "expected": localised(found.expected, lang),
            "actual": localised(found.actual, lang),
            "clause": found.clause,
        }
        for found in one.told
    ]


def in_store(round_ids: set[str]) -> set[str]:
    """Those of the rounds that the store has; none where there is no store to read."""
    try:
        return known_rounds(marts(), round_ids)
    except StoreError:
        return set()


def shown(tr: Translate, rows: list[dict[str, Any]], columns: dict[str, Any], key: str, total: int) -> None:
    """A table of text, and how much of it there is; which file of an archive only where there are several."""
    said = tr("共 {n} 条", n=f"{total:,}")
    st.caption(said if len(rows) == total else f"{said} · {tr('列出前 {n} 条', n=f'{len(rows):,}')}")
    if len({row["member"] for row in rows}) == 1:
        del columns["member"]
    parts.table(pl.DataFrame(rows, infer_schema_length=None), columns, key)
