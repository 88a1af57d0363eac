"""Options that the platform offered, against what the rules allow (rules 12.33)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from ingest.cards import UNKNOWN
from ingest.codes import Action
from ingest.record import Offer, Record
from replay.engine import Engine, chi_choices, seat_slot
from replay.findings import Finding, event_text, make
from replay.kernels import layout
from replay.kernels.hands import GROUPS
from replay.kernels.window import dihu_seat, event_code
from replay.seating import Seating

Option = tuple[int, tuple[tuple[int, ...], ...]]
"""An action and, for 吃, its groups: first the one with the eaten card, then the 比, each ascending."""

_OPTIONAL = (Action.HU, Action.PENG, Action.CHI)


def by_event(record: Record) -> dict[int, list[Offer]]:
    """Offers by the event that they follow."""
    grouped: dict[int, list[Offer]] = defaultdict(list)
    for offer in record.offers or ():
        grouped[offer.seq].append(offer)
    return grouped


def _groups(offer: Offer) -> tuple[tuple[int, ...], ...]:
    if offer.action != Action.CHI:
        return ()
    first = tuple(sorted((offer.card, *offer.cards[:2])))
    rest = offer.cards[2:]
    bi = sorted(tuple(sorted(rest[i : i + 3])) for i in range(0, len(rest), 3))
    return (first, *bi)


def offered(offers: Iterable[Offer], seat: int) -> set[Option]:
    """The optional actions offered to a seat; forced ones are notices, not options."""
    return {(offer.action, _groups(offer)) for offer in offers if offer.seat == seat and offer.action in _OPTIONAL}


def placed(given: set[Option], due: set[Option]) -> set[Option]:
    """``given`` with every choice whose first 比 the source does not tell replaced by the legal ones that fit it."""
    whole = {option for option in given if not any(UNKNOWN in group for group in option[1])}
    for option in given - whole:
        known = {group for group in option[1] if UNKNOWN not in group}
        fitting = {o for o in due if o[0] == option[0] and len(o[1]) == len(option[1]) and known <= set(o[1])}
        whole |= {o for o in fitting if o[1][0] == next(g for g in option[1] if UNKNOWN not in g)} or {option}
    return whole


def allowed(machine: Engine, seat: int) -> set[Option]:
    """The optional actions that the rules give the seat with the card now open."""
    card = int(machine.state[layout.OPEN])
    rights = seat_slot(machine, seat, layout.RIGHTS)
    found: set[Option] = set()
    if rights & layout.R_HU and dihu_seat(machine.state) < 0:  # 地胡 wins by itself, nobody is asked
        found.add((Action.HU, ()))
    if rights & layout.R_PENG:
        found.add((Action.PENG, ()))
    if rights & layout.R_CHI:
        for choice in chi_choices(machine, seat, card):
            groups = [tuple(sorted(GROUPS[group])) for group in choice if group >= 0]
            found.add((Action.CHI, (groups[0], *sorted(groups[1:]))))
    return found


def _text(options: set[Option], seat: int, card: int, seating: Seating) -> str:
    counts = sorted(Counter(action for action, _ in options).items())
    named = ((event_text(event_code(action, card, seat), seating.person), n) for action, n in counts)
    return ", ".join(text + (f" ×{n}" if n > 1 else "") for text, n in named)


def compare(machine: Engine, seating: Seating, offers: list[Offer], seq: int) -> tuple[list[Finding], int]:
    """Findings for the window that event ``seq`` opened, and how many seat-windows were compared."""
    found: list[Finding] = []
    compared = 0
    card = int(machine.state[layout.OPEN])
    if machine.state[layout.PHASE] not in (layout.SHOWN, layout.HIDDEN) or card < 0:
        return found, compared
    if any(
        seat_slot(machine, seat, layout.RIGHTS) & layout.R_PAO for seat in range(int(machine.state[layout.N_SEATS]))
    ):
        return found, compared  # a forced 跑 is carried out at once, nobody is asked (rules 12.12)
    for seat in seating.record.visible or ():
        if not seat_slot(machine, seat, layout.KNOWN):
            continue
        compared += 1
        due = allowed(machine, seat)
        given = placed(offered(offers, seat), due)
        missing = due - given
        if seat_slot(machine, seat, layout.MAYBE) >> card & 1:  # it may have passed before it was pre-empted
            missing = {option for option in missing if option[0] != Action.CHI}
        if missing:
            found.append(make("OPTION_NOT_OFFERED", seq, seating.person(seat), _text(missing, seat, card, seating), ""))
        if given - due:
            found.append(
                make("OPTION_NOT_LEGAL", seq, seating.person(seat), "", _text(given - due, seat, card, seating))
            )
    return found, compared
