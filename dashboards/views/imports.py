"""The import ledger and the records that were not accepted."""

from __future__ import annotations

import streamlit as st

from analytics.rounds import imports, ledger, quarantine
from dashboards import parts
from dashboards.filters import page_of

FILES = 200
PER_PAGE = 50


def main() -> None:
    """The page."""
    page = parts.begin("导入与隔离", "每个文件读到的条数 = 新收 + 已有 + 隔离；没收下的记录逐条说明原因。", ())
    tr, book = page.tr, ledger(page.marts)
    labels = {
        "files": tr("文件数"),
        "seen": tr("读到"),
        "accepted": tr("新收"),
        "already_known": tr("已有"),
        "quarantined": tr("隔离"),
    }
    for column, (name, label) in zip(st.columns(len(labels)), labels.items(), strict=True):
        column.metric(label, f"{book[name]:,}", border=True)
    if not book["adds_up"]:
        st.error(tr("有文件的条数对不上。"))
    files(page)
    rejected(page)
    parts.end(page, [])


def files(page: parts.Page) -> None:
    """The newest files of the ledger."""
    st.subheader(page.tr("文件"), anchor=False)
    columns = {
        "file": parts.column(page, "文件", width="large"),
        "format": parts.column(page, "格式"),
        "state": parts.column(page, "状态"),
        "seen": parts.numbers(page, "读到"),
        "accepted": parts.numbers(page, "新收"),
        "already_known": parts.numbers(page, "已有"),
        "quarantined": parts.numbers(page, "隔离"),
        "imported_at": parts.column(page, "导入时间"),
    }
    parts.table(imports(page.marts, limit=FILES), columns, "files")


def rejected(page: parts.Page) -> None:
    """The quarantine, a page at a time."""
    tr = page.tr
    st.subheader(tr("隔离的记录"), anchor=False)
    total = parts.total(quarantine(page.marts, limit=1))
    rows = quarantine(page.marts, limit=PER_PAGE, offset=page_of("p", total, PER_PAGE))
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
    parts.table(rows, columns, "quarantine")


if __name__ == "__main__":
    main()
