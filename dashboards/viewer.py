"""The round viewer: one self-contained page or Streamlit component, fed with a whole round.

Stepping happens in the browser: no rerun, no request. ``timeline`` is what ``replay.timeline.timeline`` returns; names
and texts in it are untrusted and reach the page as data only (JSON, then text nodes), never as markup.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files
from typing import Any

from ingest.record import Record

SCRIPTS = (
    "dom", "text", "cards", "arrange", "model", "table", "panels", "score", "decisions", "ledger", "address", "viewer",
)  # fmt: skip
STYLES = ("viewer", "table", "cards", "panels", "review")

_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; background: light-dark(#f5f2ea, #14171a); }}
#phz {{ max-width: 1700px; margin: 0 auto; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); }}
.phz {{ display: grid; grid-template: auto 1fr / minmax(0, 1fr); }}
{css}</style>
</head>
<body>
<div id="phz"></div>
<script type="application/json" id="phz-data">{data}</script>
<script>
"use strict";
(() => {{
{js}
const given = JSON.parse(document.getElementById("phz-data").textContent);
const wanted = () => {{
  const event = /[?#&]event=(-?\\d{{1,6}})(?:&|$)/;
  const found = event.exec(location.hash) || event.exec(location.search);
  return found ? Number(found[1]) : null;
}};
const options = {{ lang: given.lang, event: wanted() ?? given.event, standalone: true }};
const view = mountViewer(document.getElementById("phz"), given.timeline, options, given);
addEventListener("hashchange", () => view.open(wanted()));
}})();
</script>
</body>
</html>
"""

# Nothing but what is written in the page itself may be loaded or contacted.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

# Streamlit calls the exported function on every rerun: the view lives on, so a rerun does not lose the reader's place.
_EMBED = """
export default function (component) {{
  "use strict";
  {js}
  const {{ parentElement, data }} = component;
  const host = parentElement.querySelector(".phz-host");
  const options = {{ lang: data.lang, event: data.event, standalone: false }};
  const text = data.timeline + data.review;
  if (host.view && host.text === text) host.view.update(options);
  else {{
    host.view?.destroy();
    host.text = text;
    host.view = mountViewer(host, JSON.parse(data.timeline), options, JSON.parse(data.review));
  }}
  return () => {{ host.view?.destroy(); host.view = null; }};
}}
"""


@functools.cache
def _asset(names: tuple[str, ...], ending: str) -> str:
    folder = files("dashboards") / "component"
    return "\n".join((folder / f"{name}.{ending}").read_text(encoding="utf-8") for name in names)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def viewer_html(
    timeline: Mapping[str, Any], lang: str = "zh", event: int | None = None, review: Mapping[str, Any] | None = None
) -> str:
    """The whole round as one HTML document that opens from disk and needs no network.

    ``lang`` is ``zh`` or ``en`` (the page has a switch); ``event`` is the ``seq`` to open at, ``None`` for the deal.
    A ``#event=<seq>`` or ``?event=<seq>`` in the page's address wins over ``event``. ``review``: what was judged of the
    round (``analytics.review.review``).
    """
    given = _json({"timeline": timeline, "lang": lang, "event": event, **(review or {})})
    title = " · ".join(["跑胡子", str(timeline["ruleset"]), *map(str, timeline["players"])])
    return _PAGE.format(
        lang="en" if lang == "en" else "zh-CN",
        policy=_POLICY,
        title=escape(title),
        css=_asset(STYLES, "css"),
        js=_asset(SCRIPTS, "js"),
        data=given.replace("<", "\\u003c"),  # no "</script>" or "<!--" can end the element
    )


def round_html(record: Record, store: str, lang: str = "zh") -> str:
    """``viewer_html`` of a record, with what the store has judged of it, if anything."""
    from analytics.review import identity, stored_review
    from ingest.store import open_store
    from replay.timeline import timeline

    place = open_store(store)
    return viewer_html(timeline(record), lang, review=stored_review(place, record, identity(place)))


@functools.cache
def _component() -> Callable[..., Any]:
    import streamlit as st  # here, so that exporting a file does not load Streamlit

    return st.components.v2.component(
        "phz_viewer",
        html='<div class="phz-host"></div>',
        css=_asset(STYLES, "css"),
        js=_EMBED.format(js=_asset(SCRIPTS, "js")),
    )


def show(
    timeline: Mapping[str, Any], lang: str = "zh", event: int | None = None, review: Mapping[str, Any] | None = None
) -> None:
    """Embed the viewer in the current Streamlit page, opened at the event whose ``seq`` is ``event``.

    The browser's address follows each step (``?round=<round_id>&event=<seq>``, other parameters kept) without a rerun.
    ``review``: as for ``viewer_html``.
    """
    given = {"timeline": _json(timeline), "review": _json(review or {}), "lang": lang, "event": event}
    _component()(key=f"phz-viewer-{timeline['round_id']}", data=given)
