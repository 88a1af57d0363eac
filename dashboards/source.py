"""Which store is shown, its marts and its decisions: read once for each snapshot, shared by all sessions."""

from __future__ import annotations

import sys
from typing import Any

import streamlit as st

from analytics import decision_views
from analytics import review as reviews
from analytics.decision_views import Graded
from analytics.marts import Marts, identity, open_marts
from ingest.cli import default_store
from ingest.naming import round_id
from ingest.record import Record
from ingest.store import open_store


def store() -> str:
    """The store, a folder or a URL: ``--store=`` behind ``--`` on the command line, ``PHZ_STORE`` or ``data/store``."""
    given = [argument.removeprefix("--store=") for argument in sys.argv[1:] if argument.startswith("--store=")]
    return given[-1] if given else default_store()


def marts() -> Marts:
    """The marts of the newest snapshot; one run of a page uses one."""
    place = store()
    return _open(place, identity(place))


@st.cache_resource(max_entries=2, show_spinner=False)
def _open(place: str, at: tuple[tuple[str, int, str], ...]) -> Marts:
    return open_marts(place, {name: version for name, version, _ in at})


def review(record: Record) -> dict[str, Any]:
    """What was judged of a stored round (``analytics.review``); where nothing was, how to have it judged."""
    place = store()
    found = _review(place, reviews.identity(open_store(place)), record)
    return found if found["decisions"] else found | {"decisions": reviews.ungraded(record)}


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={Record: round_id})
def _review(place: str, at: tuple[tuple[str, int, str], ...], record: Record) -> dict[str, Any]:
    return reviews.stored_review(open_store(place), record, at)


def decisions(opened: Marts) -> Graded:
    """What was judged of the rounds of the marts."""
    return _read(opened, str(opened.store), opened.versions, reviews.identity(open_store(opened.store)))


@st.cache_resource(max_entries=2, show_spinner=False)
def _read(_opened: Marts, place: str, at: dict[str, int], graded: tuple[tuple[str, int, str], ...]) -> Graded:
    del place, at  # with the versions of what was judged they are what the cache goes by
    return decision_views.read(_opened, {name: version for name, version, _ in graded})
