"""The import ledger, the records that were not accepted, contradictions between sources, and score sheets."""

from __future__ import annotations

from functools import partial

import polars as pl
import streamlit as st

from analytics.rounds import imports, ledger, quarantine, refusals
from dashboards import parts
from dashboards.accounts import PER_PAGE, contradictions, score_sheets
from dashboards.filters import choice, set_choice
from dashboards.wording import counted
from ingest.limits import in_lang, reject_title


def main() -> None:
    """The page."""
    about = "每个文件读到的条数 = 新收 + 已有 + 隔离；没收下的记录逐条说明原因。"
    page = parts.begin("导入与隔离", about, (), without_rounds=True)
    tr, book = page.tr, ledger(page.marts)
    if not book["files"]:
        parts.nothing(tr)
    labels = {"files": "文件数", "seen": "读到", "accepted": "新收", "already_known": "已有", "quarantined": "隔离"}
    for column, (name, label) in zip(st.columns(len(labels)), labels.items(), strict=True):
        column.metric(tr(label), f"{book[name]:,}", border=True)
    if not book["adds_up"]:
        st.error(tr("有文件的条数对不上。"))
    code = by_code(page)
    files(page, code)
    rejected(page, code)
    contradictions(page)
    score_sheets(page)
    parts.end(page, [])


def by_code(page: parts.Page) -> str | None:
    """Why records were refused, and the code that was chosen of them."""
    tr, found = page.tr, refusals(page.marts)
    if found.is_empty():
        return None
    st.subheader(tr("隔离的原因"), anchor=False)
    names = [reject_title(code, page.lang, "") for code in found["code"]]
    columns = {
        "code": parts.column(page, "代码"),
        "name": parts.column(page, "名称", width="large"),
        "n": parts.numbers(page, "条数"),
        "files": parts.numbers(page, "文件数"),
    }
    shown = found.with_columns(name=pl.Series(names, dtype=pl.String))
    picked = parts.table(shown, columns, "refusals", select=True)
    set_choice("reject", found["code"][picked] if picked is not None and picked < found.height else None)
    return choice("reject", tr("只看这个原因"), found["code"].to_list(), tr)


def files(page: parts.Page, code: str | None) -> None:
    """The files of the ledger, newest first, a page at a time; those in which the code occurs."""
    st.subheader(page.tr("文件"), anchor=False)
    total, chosen = parts.paged(partial(imports, page.marts, code=code), PER_PAGE)
    rows = chosen("f")
    st.caption(page.tr("共 {n} 个文件", n=f"{total:,}"))
    columns = {
        "file": parts.column(page, "文件", width="large"),
        "format": parts.column(page, "格式"),
        "state": parts.column(page, "状态"),
        "seen": parts.numbers(page, "读到"),
        "accepted": parts.numbers(page, "新收"),
        "already_known": parts.numbers(page, "已有"),
        "quarantined": parts.numbers(page, "隔离"),
        "codes": parts.column(page, "隔离的原因", width="medium"),
        "unknown": parts.column(page, "未知字段", width="medium"),
        "imported_at": parts.column(page, "导入时间"),
    }
    unknown = pl.Series([counted(told) for told in rows["unknown_fields"]], dtype=pl.String)
    parts.table(rows.with_columns(unknown=unknown), columns, "files")


def rejected(page: parts.Page, code: str | None) -> None:
    """The quarantine, a page at a time; the records refused with the code."""
    tr = page.tr
    st.subheader(tr("隔离的记录"), anchor=False)
    total, chosen = parts.paged(partial(quarantine, page.marts, code=code), PER_PAGE)
    rows = chosen("p")
    if rows.is_empty():
        st.write(tr("没有被隔离的记录。"))
        return
    st.caption(tr("共 {n} 条", n=f"{total:,}"))
    columns = {
        "file": parts.column(page, "文件", width="large"),
        "record_index": parts.numbers(page, "第几条（从 0 起）"),
        "line": parts.numbers(page, "行"),
        "byte_offset": parts.numbers(page, "字节位置"),
        "code": parts.column(page, "代码"),
        "reason": parts.column(page, "原因", width="large"),
        "imported_at": parts.column(page, "导入时间"),
    }
    reasons = pl.Series([in_lang(reason, page.lang) for reason in rows["reason"]], dtype=pl.String)
    parts.table(rows.with_columns(reason=reasons), columns, "quarantine")


if __name__ == "__main__":
    main()
