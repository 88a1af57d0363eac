"""Event streams of a 桂林字牌 server: one push a line, a new round at each deal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ingest.adapters.fields import Fields, Where, bad, extra_keys, integer, moment, need, tag_text
from ingest.adapters.guilin_codes import COPY_MS, DEAL, MAX_PUSHES
from ingest.adapters.guilin_record import push_of, record_of, told_by
from ingest.adapters.guilin_result import wall_of
from ingest.adapters.lines import RoundLines
from ingest.limits import Fault
from ingest.record import Provenance, Record

FIELDS = frozenset({"ts", "route", "to", "msg"})
HEADER = frozenset({"source", "first_line", "pseudonymised"})
LABELS = ("P0", "P1", "P2")


class StreamRound(RoundLines[Fields]):
    """The pushes of one round while they come in."""

    most = MAX_PUSHES


def opens_another(line: Fields, current: StreamRound) -> bool:
    """Whether this push deals a new round: a second copy of the current round's own deal does not."""
    if line.get("route") != DEAL:
        return False
    first = current.told[0][1] if current.told else {}
    if line.get("msg") != first.get("msg"):
        return True
    try:
        return abs(_ms(moment(line.get("ts"), ()) - moment(first.get("ts"), ()))) > COPY_MS
    except Fault:
        return True


def stream_round(current: StreamRound, header: Fields, source: Provenance) -> Record:
    """The round of those lines; raises ``Fault`` where one is not as expected."""
    if current.fault is not None:
        raise current.fault
    start = current.told[0][1]
    if start.get("route") != DEAL:
        raise bad(("line", current.line), f"{DEAL} 之前的推送", f"pushes before any {DEAL}")
    players, how = _seen_order([push for _, push in current.told])
    seats = {player: number for number, player in enumerate(players)}
    times = []
    for number, line in current.told:
        times.append(moment(need(line, "ts", ("line", number)), ("line", number, "ts")))
    # Not the first: two log files' clocks may differ by a few milliseconds.
    begin = min(times)
    pushes, extra = [], []
    for (number, line), at in zip(current.told, times, strict=True):
        where: Where = ("line", number)
        extra += extra_keys(line, FIELDS, "line.")
        pushes.append(push_of(line, seats, integer(_ms(at - begin), (*where, "ts")), where))
    told = told_by(pushes, seats)
    return record_of(
        told,
        players,
        hands=(None, None, None),
        wall=wall_of(told, ()),
        options={},
        round_no=None,
        started_at=begin.isoformat(timespec="milliseconds"),
        tags={"seat_order": how} | {key: tag_text(header[key]) for key in sorted(header)},
        extra=extra,
        source=source,
    )


def _ms(passed: timedelta) -> int:
    return passed // timedelta(milliseconds=1)


def _seen_order(lines: Sequence[Fields]) -> tuple[tuple[str, ...], str]:
    """The players in turn order from the first label on, and how that is known: ``seen`` in the play or ``assumed``.

    A card that nobody takes passes the turn to the next seat, and another's card is 吃 for the next seat alone.
    """
    labels = {label for line in lines for label in _labels(line)}
    if labels <= set(LABELS):
        labels = set(LABELS)
    if len(labels) != 3:
        raise bad((), f"应有三个座位，却见 {len(labels)} 个", f"expected three seats, saw {len(labels)}")
    votes = {(a, b) for a, b in _followers(lines) if a != b and {a, b} <= labels}
    first, second, third = sorted(labels)
    circles = [(first, second, third), (first, third, second)]
    fits = [c for c in circles if all((c.index(b) - c.index(a)) % 3 == 1 for a, b in votes)]
    if not fits:
        raise bad((), "座位次序前后矛盾", "the play contradicts itself about the order of the seats")
    return fits[0], "seen" if len(fits) == 1 else "assumed"


def _labels(line: Fields) -> list[str]:
    msg, to = line.get("msg"), line.get("to")
    named = [*to] if isinstance(to, list) else []
    if isinstance(msg, dict):
        named.append(msg.get("uid"))
    return [label for label in named if isinstance(label, str)]


def _followers(lines: Sequence[Fields]) -> list[tuple[str, str]]:
    """Pairs of seats of which the second must sit after the first, or is the same seat."""
    found: list[tuple[str, str]] = []
    owner = passed = ""
    for line in lines:
        msg, to, route = line.get("msg"), line.get("to"), line.get("route")
        if isinstance(msg, list):
            asks = any(isinstance(option, dict) and option.get("type") == 4 for option in msg)
            if owner and asks and isinstance(to, list):
                found += [(owner, label) for label in to if isinstance(label, str)]
            continue
        uid = msg.get("uid") if isinstance(msg, dict) else None
        if route == "onNoneAct":
            owner, passed = "", owner
        elif isinstance(uid, str) and isinstance(msg, dict) and route not in ("onCurrPlayer", "onShowCard"):
            if route == "onCurrAutoCard" and passed:
                found.append((passed, uid))
            elif owner and msg.get("type") == 4:
                found.append((owner, uid))
            owner, passed = (uid if route in ("onPostCard", "onCurrAutoCard") else ""), ""
    return found
