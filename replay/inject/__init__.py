"""Faults on purpose: for every finding a way to plant it into a legal round, to measure that it is found there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ingest.record import Record
from replay.engine import Engine
from replay.inject import cards, claims, dead, forced, pushes, results, session, taking, turns, wins
from replay.inject.walk import Planted, Round, walk
from replay.simulate import Stream
from replay.violations import VIOLATIONS


class Injector(NamedTuple):
    """How to plant one code. ``place``: the fault in a round stepped through, or None where it has no place."""

    code: str
    clause: str
    place: Callable[[Round, Stream], Planted | None]

    def plant(self, record: Record, stream: Stream, machine: Engine | None = None) -> Planted | None:
        """The legal round with this fault and no other; None where it offers no place for it.

        ``record``: whole, settled, all its cards known. ``machine``: an engine of its ruleset to work with.
        """
        return self.place(walk(record, machine), stream)


_PLACES: dict[str, Callable[[Round, Stream], Planted | None]] = {
    "ZOU_PAO": forced.zou_pao,
    "SHI_TI": forced.shi_ti,
    "SHI_WEI": forced.shi_wei,
    "PENG_DECLINED": forced.peng_declined,
    "TIANHU1_MISSED": forced.tianhu1_missed,
    "LOST_BY_REFUSED_HU": forced.lost_by_refused_hu,
    "CHOUWEI_HIDDEN": forced.chouwei_hidden,
    "CHOUWEI_SPURIOUS": forced.chouwei_spurious,
    "WRONG_REVEAL": forced.wrong_reveal,
    "SHAO_BI": claims.shao_bi,
    "CHOU_CHI": claims.chou_chi,
    "CHOU_PENG": claims.chou_peng,
    "GE_SHAN": claims.ge_shan,
    "CHAI_KAN": claims.chai_kan,
    "CHAI_TI": claims.chai_ti,
    "DEAD_CLAIM": dead.dead_claim,
    "WRONG_PRIORITY": taking.wrong_priority,
    "CLOSED_CLAIM": taking.closed_claim,
    "DOUBLE_CLAIM": taking.double_claim,
    "MELD_INVALID": taking.meld_invalid,
    "MELD_KIND": taking.meld_kind,
    "HU_SOURCE": wins.hu_source,
    "HU_BANNED": wins.hu_banned,
    "PO_TI": wins.po_ti,
    "PO_WEI": wins.po_wei,
    "ZHA_HU_SHAPE": wins.zha_hu_shape,
    "ZHA_HU_XI": wins.zha_hu_xi,
    "CHOU_HU": wins.chou_hu,
    "BAKUAI_DISCARD": turns.bakuai_discard,
    "MISSING_DISCARD": turns.missing_discard,
    "LIANG_SKIPPED": turns.liang_skipped,
    "WRONG_TURN": turns.wrong_turn,
    "DOUBLE_DRAW": turns.double_draw,
    "DRAW_ORDER": turns.draw_order,
    "BAD_PASS": turns.bad_pass,
    "EVENT_AFTER_END": turns.event_after_end,
    "FALSE_HUANG": turns.false_huang,
    "MISSED_HUANG": turns.missed_huang,
    "MISSING_EVENT": turns.missing_event,
    "XING_ACTED": turns.xing_acted,
    "CARD_NOT_IN_HAND": cards.card_not_in_hand,
    "FIFTH_COPY": cards.fifth_copy,
    "WALL_MISMATCH": cards.wall_mismatch,
    "LIANG_MISMATCH": cards.liang_mismatch,
    "HAND_COUNT": cards.hand_count,
    "WRONG_RESULT": results.wrong_result,
    "FINAL_HAND": results.final_hand,
    "WRONG_XI": results.wrong_xi,
    "UNDERCLAIM": results.underclaim,
    "WRONG_FAN": results.wrong_fan,
    "WRONG_SCORE": results.wrong_score,
    "NOT_ZERO_SUM": results.not_zero_sum,
    "PENALTY_MISAPPLIED": results.penalty_misapplied,
    "WRONG_DEALER": session.wrong_dealer,
    "WRONG_TOTAL": session.wrong_total,
    "OPTION_NOT_OFFERED": pushes.option_not_offered,
    "OPTION_NOT_LEGAL": pushes.option_not_legal,
    "WINDOW_CUT": pushes.window_cut,
}
INJECTORS = {code: Injector(code, VIOLATIONS[code].clause, place) for code, place in _PLACES.items()}
"""Code → injector."""

__all__ = ["INJECTORS", "Injector", "Planted", "Round", "walk"]
