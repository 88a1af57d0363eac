"""Parts that both layouts of 桂林字牌 logs share: from their lines to pushes, from what was told to a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ingest.adapters.fields import Fields, Where, array, bad, brief, counted, need, seat, word
from ingest.adapters.guilin_codes import DEAL, OPTIONS
from ingest.adapters.guilin_pushes import Push, Told, take_all
from ingest.adapters.guilin_result import result_of
from ingest.cards import name
from ingest.record import Cards, Option, Provenance, Record

NAME = "guilin"
PLATFORM = "guilin-2017"

Options = dict[str, Option]


def push_of(line: Fields, seats: Mapping[str, int], t_ms: int, where: Where) -> Push:
    """One line of either layout as a push. The route stands beside ``msg``, inside it, or in both places."""
    body = need(line, "msg", where)
    inner = body.get("route") if isinstance(body, dict) else OPTIONS
    outer = line.get("route", inner)
    if inner is None:
        inner = outer
    if not isinstance(inner, str) or inner != outer:
        raise bad((*where, "route"), "缺少 route 或前后不一", "route is missing or given twice with different names")
    to = [seat(label, seats, (*where, "to")) for label in array(need(line, "to", where), (*where, "to"))]
    return Push(word(inner, (*where, "route")), tuple(to), t_ms, body, (*where, "msg"))


def told_by(pushes: Sequence[Push], seats: Mapping[str, int]) -> Told:
    """``take_all`` of a round that begins with its deal."""
    if not pushes or pushes[0].route != DEAL:
        where = pushes[0].where if pushes else ()
        raise bad(where, f"第一条推送不是 {DEAL}", f"the first push is not {DEAL}")
    return take_all(pushes, seats)


def record_of(
    told: Told,
    players: tuple[str, ...],
    *,
    hands: tuple[Cards | None, ...],
    wall: Cards,
    options: Options,
    round_no: int | None,
    started_at: str | None,
    tags: dict[str, str],
    extra: Sequence[str],
    source: Provenance,
) -> Record:
    """The record, with the account of its pushes and everything that has no field of its own as tags."""
    told.extra.update(extra)
    asked = told.counts["offers"] > 0
    # A log that shows private pushes shows those of every seat it names as recipient of the public ones.
    visible = sorted(set.intersection(*told.shown_to)) if asked and told.shown_to else []
    notes = {
        **{f"pushes_{kind}": str(told.counts[kind]) for kind in sorted(told.counts)},
        "pushes": str(told.counts.total()),
        "forced": brief(told.forced),
        "bi_unplaced": brief(told.drift),
        "draw_status": brief(told.odd_draws),
        "extra_fields": counted(told.extra),
        "stopped": told.stopped,
        "xing_each": brief([str(n) for n in told.hits]) if len(told.hits) > 1 else "",
        "out_side": "" if told.out_side is None else name(told.out_side),
    }
    return Record(
        ruleset=NAME,
        players=players,
        dealer=told.dealer,
        hands=hands,
        liang=told.liang,
        wall=wall,
        moves=tuple(told.moves),
        options=options,
        result=result_of(told),
        offers=tuple(told.offers) if asked else None,
        visible=tuple(visible) or None,
        platform=PLATFORM,
        round_no=round_no,
        started_at=started_at,
        complete=told.ended and not told.stopped,
        tags=tags | {key: value for key, value in notes.items() if value},
        source=source,
    )
