"""One round, event by event: ``?round=<id>&event=<seq>``."""

from __future__ import annotations

import re

import streamlit as st

from analytics.rounds import read_record, round_list
from dashboards import parts, source, viewer
from replay.timeline import timeline

ROUND_ID = re.compile(r"[0-9a-f]{32}")
EVENT = re.compile(r"-?[0-9]{1,5}")


def main() -> None:
    """The page."""
    page = parts.begin("牌局复盘", "一步一步看：← → 换步，按 ? 看全部按键。", ())
    wanted, event = st.query_params.get("round", ""), st.query_params.get("event", "")
    tr = page.tr
    if not wanted:
        newest = round_list(page.marts, limit=1)["round_id"][0]
        st.info(tr("还没有选牌局。"))
        page.link("views/rounds.py", tr("去牌局列表里选一局"), ":material/list_alt:")
        page.link("views/round.py", tr("打开最新的一局"), ":material/play_circle:", round=newest)
        return
    record = read_record(page.marts, wanted) if ROUND_ID.fullmatch(wanted) else None
    if record is None:
        st.error(tr("仓库里没有这一局："))
        st.code(wanted[:64], language=None)
        page.link("views/rounds.py", tr("去牌局列表里选一局"), ":material/list_alt:")
        return
    at = int(event) if EVENT.fullmatch(event) else None
    viewer.show(timeline(record), page.lang, at, source.review(record))


if __name__ == "__main__":
    main()
