"""What a pandora client received: frames of protobuf messages. See docs/formats.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from ingest.adapters import pandora_messages as pb
from ingest.adapters.byte_window import Window
from ingest.adapters.pandora_messages import HEAD, LENGTH
from ingest.adapters.pandora_round import HANDLERS, NAME, QUAD, Told, record_of
from ingest.adapters.pandora_write import write
from ingest.adapters.registry import Adapter, Params, Reject
from ingest.adapters.told import count
from ingest.cards import KINDS
from ingest.codes import Action
from ingest.encoding import raw_hash
from ingest.limits import Fault, both
from ingest.record import Provenance, Record

PARAMS = {"seat": "0", "ruleset": "hu15"}
CHOICES = {"seat": ("0", "1", "2")}
MOST_FRAME = 1_000_000
_DEAL = pb.START.to_bytes(4, "little")
_MOST_DEAL = 4096
_SNIFFED = 200
_MOST_ID = 100_000


class Frame(NamedTuple):
    """One message, or why none could be read at that place: then ``body`` is the first byte there."""

    at: int
    number: int
    body: bytes
    fault: Fault | None = None


def frames(stream: BinaryIO) -> Iterator[Frame]:
    """The frames of the file. Where none can be read, a fault; reading goes on at the next deal."""
    window = Window(stream)
    while head := window.peek(HEAD.size):
        at = window.at
        try:
            if len(head) < HEAD.size:
                raise Fault("TRUNCATED", "文件在一帧中间断了", "the file stops inside a frame")
            length, number = HEAD.unpack(head)
            if not LENGTH <= length <= MOST_FRAME:
                raise Fault("SYNTAX", f"没有 {length} 字节的帧", f"there is no frame of {length} bytes")
            whole = window.peek(LENGTH + length)
            if len(whole) < LENGTH + length:
                raise Fault("TRUNCATED", "文件在一帧中间断了", "the file stops inside a frame")
        except Fault as fault:
            yield Frame(at, 0, window.skip_to(_DEAL, LENGTH, _is_head_of_deal), fault)
        else:
            window.take(len(whole))
            yield Frame(at, number, whole[HEAD.size :])


def _is_head_of_deal(head: bytes) -> bool:
    return LENGTH <= int.from_bytes(head, "little") <= _MOST_DEAL


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """The rounds of a file. One begins with its deal, or with the quads laid in the deal, which are told before it."""
    current: Told | None = None
    beside: Counter[str] = Counter()
    index = 0
    for frame in frames(stream):
        made, fault = _parsed(frame)
        if fault is None and made is None and current is None:
            count(beside, str(frame.number))  # of the session, before any round
            continue
        if current is not None and _another(current, frame, made, fault):
            yield _finish(current, params, name, index)
            index, current = index + 1, None
        if current is None and frame.fault is not None:
            yield Reject(frame.fault.code, frame.fault.reason, index, None, frame.at, raw_hash(frame.body))
            index += 1
            continue
        if current is None:
            current, beside = Told(frame.at, others=beside), Counter()
        _take(current, frame, made, fault)
    if current is not None:
        yield _finish(current, params, name, index)
    elif index == 0:
        yield Reject("EMPTY", both("文件里没有对局", "there is no round in the file"))


def _parsed(frame: Frame) -> tuple[Any, Fault | None]:
    """The message of a frame, or why there is none; neither for a message that is not of the play."""
    if frame.fault is not None:
        return None, frame.fault
    if frame.number not in pb.MESSAGES:
        if frame.number in pb.OURS and frame.number != pb.HINT:
            zh, en = f"未知的消息 {frame.number}", f"unknown message {frame.number}"
            return None, Fault("BAD_MOVE", zh, en)
        return None, None
    try:
        return pb.parse(frame.number, frame.body), None
    except Fault as fault:
        return None, fault


def _another(told: Told, frame: Frame, made: Any, fault: Fault | None) -> bool:
    """Whether a frame is the first of another round."""
    if made is None:
        return told.ended and fault is not None
    if frame.number == pb.START:
        return told.start is not None and (told.ended or made.round_id != told.start.round_id)
    return told.ended or (told.start is not None and _dealt_quad(told, frame, made))


def _dealt_quad(told: Told, frame: Frame, made: Any) -> bool:
    """Whether four cards were laid that nobody has just drawn the last of: that is done in the deal only."""
    if frame.number != pb.ACTION or made.action != QUAD or told.snapshot is not None or told.stopped:
        return False
    last = told.moves[-1] if told.moves else None
    return last is None or (last.seat, last.action) != (made.seat_id, Action.DRAW)


def _take(told: Told, frame: Frame, made: Any, fault: Fault | None) -> None:
    """One more frame of a round; the first fault is kept."""
    told.digest.update(frame.body)
    try:
        if fault is not None:
            raise fault
        if made is None:
            count(told.others, str(frame.number))
            return
        count(told.extras, *pb.strangers(frame.number, made))
        if told.stopped:
            told.others["unread"] += 1
        elif told.start is None and frame.number == pb.ACTION and made.action == QUAD:
            told.lay(made)
        elif told.start is None and frame.number != pb.START:
            raise Fault("BAD_MOVE", "发牌之前的消息", "a message before the deal")
        else:
            HANDLERS[frame.number](told, made)
    except Fault as error:
        told.refuse(error, frame.at)


def _finish(told: Told, params: Params, name: str, index: int) -> Record | Reject:
    return told.finish(index, lambda: record_of(told, params, Provenance(name, index, NAME)))


def sniff(head: bytes) -> bool:
    """True where frames lead to a deal."""
    at = 0
    for _ in range(_SNIFFED):
        if len(head) < at + HEAD.size:
            return False
        length, number = HEAD.unpack_from(head, at)
        if not LENGTH <= length <= MOST_FRAME or number >= _MOST_ID:
            return False
        if number == pb.START:
            return _is_deal(head[at + HEAD.size : at + LENGTH + length])
        at += LENGTH + length
    return False


def _is_deal(body: bytes) -> bool:
    try:
        made = pb.parse(pb.START, body)
    except Fault:
        return False
    return bool(made.self_hand) and all(0 <= value < KINDS for value in made.self_hand)


ADAPTER = Adapter(NAME, 1, "pandora protobuf", (".pandora",), sniff, read, write, PARAMS, text=False, choices=CHOICES)
