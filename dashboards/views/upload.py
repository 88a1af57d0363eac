"""A file from the reader's own machine, checked without being imported. Works without a store."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboards import upload_answer, uploads
from dashboards.filters import language
from dashboards.i18n import Translate, translator
from dashboards.uploads import PROBLEMS, Problem, Quota
from ingest import limits
from replay.check_upload import Answer

MB = limits.MAX_UPLOAD // 2**20
NAME_SHOWN = 100


def main() -> None:
    """The page."""
    lang = language()
    tr = translator(lang)
    st.title(tr("检查文件"), anchor=False)
    st.caption(
        tr("上传一个牌谱文件：读出多少局，哪些没有收下、为什么，每局有什么问题。文件只在检查时读，不存进牌谱库。")
    )
    given = st.file_uploader(
        tr("牌谱文件，最多 {mb} MB，也可以是压缩的", mb=MB), uploads.allowed(), max_upload_size=MB, key="upload_file"
    )
    form = st.selectbox(
        tr("格式"), uploads.formats(), index=None, placeholder=tr("按内容辨认"), key="upload_format", width=320
    )
    if given is None:
        return
    state = st.session_state
    wanted = (given.file_id, form)
    if state.get("upload_checked") != wanted:
        with st.spinner(tr("正在检查…")):
            outcome = checked(given, form)
        if isinstance(outcome, Problem) and outcome.why in ("often", "busy"):
            problem(tr, outcome)
            st.button(tr("再试一次"))
            return
        state["upload_checked"], state["upload_outcome"] = wanted, outcome
    outcome = state["upload_outcome"]
    if isinstance(outcome, Problem):
        problem(tr, outcome)
        return
    st.text(tr("文件：{name}", name=given.name[:NAME_SHOWN]))
    upload_answer.counts(tr, outcome)
    keep(tr, given, outcome)
    upload_answer.refused(tr, lang, outcome)
    upload_answer.judged(tr, lang, outcome)


def checked(given: UploadedFile, form: str | None) -> Answer | Problem:
    """Check the file, if this session may have another one checked."""
    extension = uploads.extension_of(given.name)
    if extension is None:
        return Problem("type")
    if given.size > limits.MAX_UPLOAD:
        return Problem("size")
    quota: Quota = st.session_state.setdefault("upload_quota", Quota())
    seconds = quota.wait(given.size, time.monotonic())
    return Problem("often", seconds) if seconds else uploads.check(given.getvalue(), extension, form)


def problem(tr: Translate, what: Problem) -> None:
    """Why nothing was checked."""
    st.error(tr(PROBLEMS[what.why], mb=MB, seconds=what.seconds), icon=":material/block:")


def keep(tr: Translate, given: UploadedFile, answer: Answer) -> None:
    """The way into the inbox, if there is one and something in the file can be imported."""
    folder = uploads.inbox()
    extension = uploads.extension_of(given.name)
    if folder is None or extension is None or not answer.accepted:
        return
    state = st.session_state
    if state.get("upload_kept") == given.file_id:
        st.success(tr("已放进收件箱，等候导入。"), icon=":material/inbox:")
    elif st.button(tr("放进收件箱，等候导入"), icon=":material/inbox:"):
        try:
            uploads.put_into(folder, given.getvalue(), extension)
        except OSError:
            st.error(tr("放不进收件箱。"))
            return
        state["upload_kept"] = given.file_id
        st.rerun()


if __name__ == "__main__":
    main()
