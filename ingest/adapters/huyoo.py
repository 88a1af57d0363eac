"""The binary replay of the Huyoo clients. See docs/formats.md."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import BinaryIO, NamedTuple

from ingest.adapters import huyoo_codes as codes
from ingest.adapters.byte_window import Window
from ingest.adapters.huyoo_round import HANDLERS, Told, beside, record_of
from ingest.adapters.huyoo_write import write
from ingest.adapters.registry import Adapter, Params, Reject
from ingest.cards import KINDS
from ingest.encoding import raw_hash
from ingest.encodings import ENCODINGS
from ingest.limits import Fault, both
from ingest.record import Provenance, Record

PARAMS = {"long": "4", "size": "payload", "asked": "nobody", "liang": "last", "ruleset": "hu15"}
CHOICES = {
    "long": ("4", "8"),
    "size": ("payload", "message"),
    "asked": ("nobody", "resume"),
    "liang": ("last", "none"),
}
_PENDING = 64
_SNIFFED = 200
"""Messages before the deal that are looked at to tell the format."""
_HEX = frozenset(b"0123456789abcdefABCDEF")
_CARDS = frozenset((0, codes.WILD_CARD, *map(ENCODINGS["nibble"].encode, range(KINDS))))


class Message(NamedTuple):
    """One message, or why none could be read at that place: then ``payload`` is the first byte there."""

    at: int
    identifier: int
    main: int
    sub: int
    payload: bytes
    fault: Fault | None = None


def read(stream: BinaryIO, name: str, params: Params) -> Iterator[Record | Reject]:
    """The rounds of a file: of a body, or of answers of the server one after the other."""
    window = Window(stream)
    if not window.peek(1):
        yield Reject("EMPTY", both("文件里没有对局", "there is no round in the file"))
    elif not is_answer(window.peek(codes.CHUNK.size)):
        yield from _rounds(window, name, params, {})
    else:
        while window.peek(1):
            try:
                yield from _rounds(*_answer(window, name, params))
            except Fault as fault:
                yield Reject(fault.code, fault.reason, 0, None, window.at)
                return


def is_answer(head: bytes) -> bool:
    """Whether an answer begins here: its 32 hex digits stand where a body has other bytes."""
    if len(head) < codes.CHUNK.size:
        return False
    _, total, place, size, md5 = codes.CHUNK.unpack_from(head)
    return place == 0 and 0 < size <= total and _HEX.issuperset(md5[:32])


def _answer(window: Window, name: str, params: Params) -> tuple[Window, str, Params, Mapping[str, str]]:
    """The next answer: its body and what stands beside it. Offsets in it count from the answer's first byte."""
    begin = window.at
    body = b""
    first: tuple[int, int, bytes] | None = None
    while first is None or len(body) < first[1]:
        head = window.peek(codes.CHUNK.size)
        if len(head) < codes.CHUNK.size:
            raise Fault("TRUNCATED", "文件在一块的开头断了", "the file stops in the head of a piece")
        kind, total, place, size, md5 = codes.CHUNK.unpack(head)
        first = first or (kind, total, md5)
        if (kind, total, md5) != first or place != len(body) or not 0 < size <= total - place:
            zh, en = "各块接不上，后面的不再读", "the pieces do not follow one another; the rest is not read"
            raise Fault("BAD_FIELD", zh, en)
        if len(window.peek(codes.CHUNK.size + size)) < codes.CHUNK.size + size:
            raise Fault("TRUNCATED", "文件在一块中间断了", "the file stops inside a piece")
        body += window.take(codes.CHUNK.size + size)[codes.CHUNK.size :]
    tags = {"kind": str(first[0]), "md5": first[2].rstrip(b"\x00").decode("ascii", "backslashreplace")}
    return Window(None, body, begin), name, params, tags


def _rounds(window: Window, name: str, params: Params, answer: Mapping[str, str]) -> Iterator[Record | Reject]:
    """The rounds of one body. A deal after play begins a round; what comes between may be of either."""
    long = int(params["long"])
    current: Told | None = None
    between: list[Message] = []
    index = 0
    for message in messages(window, long, codes.HEADER.size if params["size"] == "message" else 0):
        deals = (message.main, message.sub) == (codes.GAME, codes.START)
        ended = current is not None and current.ended
        if ended and not deals and message.fault is None and len(between) < _PENDING:
            between.append(message)
            continue
        if current is not None and (ended or (deals and current.playing)):
            follow = between if deals else []
            for one in [] if deals else between:
                _take(current, one, long)
            yield _finish(current, params, answer, name, index)
            index, current, between = index + 1, None, []
            for one in follow:
                current = current or Told(one.at, asked=params["asked"])
                _take(current, one, long)
        if current is None and message.fault is not None:
            fault = message.fault
            yield Reject(fault.code, fault.reason, index, None, message.at, raw_hash(message.payload))
            index += 1
            continue
        current = current or Told(message.at, asked=params["asked"])
        _take(current, message, long)
    if current is not None:
        for one in between:
            _take(current, one, long)
        yield _finish(current, params, answer, name, index)


def messages(window: Window, long: int, counted: int) -> Iterator[Message]:
    """The messages of a body. Where none can be read, a fault; reading goes on at the next deal.

    ``counted``: how many bytes of a message's head wDataSize counts.
    """
    layouts = codes.layouts(long)
    deal = struct.pack("<HHH", layouts[codes.START].size + counted, codes.GAME, codes.START)
    while head := window.peek(codes.HEADER.size):
        at = window.at
        try:
            if len(head) < codes.HEADER.size:
                raise Fault("TRUNCATED", "文件在一条消息中间断了", "the file stops inside a message")
            identifier, told, main, sub = codes.HEADER.unpack(head)
            size = _size(told, main, sub, long, counted)
            whole = window.peek(codes.HEADER.size + size)
            missing = codes.HEADER.size + size - len(whole)
            if missing > codes.DUMMY or (missing and (main, sub) != (codes.GAME, codes.END)):
                raise Fault("TRUNCATED", "文件在一条消息中间断了", "the file stops inside a message")
        except Fault as fault:
            yield Message(at, 0, 0, 0, window.skip_to(deal, codes.BEFORE_SIZE), fault)
        else:
            window.take(len(whole))
            yield Message(at, identifier, main, sub, whole[codes.HEADER.size :] + bytes(missing))


def _size(told: int, main: int, sub: int, long: int, counted: int) -> int:
    """The size of the payload; ``Fault`` where no message begins."""
    size = told - counted
    if main not in codes.MAINS or size < 0:
        zh, en = (
            f"没有主命令 {main}，或参数 size 不对",
            f"there is no main command {main}, or the parameter size is wrong",
        )
        raise Fault("SYNTAX", zh, en)
    layouts = codes.layouts(long)
    if main != codes.GAME or sub not in layouts or size == layouts[sub].size:
        return size
    zh, en = f"命令 {sub} 的数据不是 {size} 字节", f"the payload of command {sub} is not {size} bytes long"
    for other in (4, 8):
        for more in (0, codes.HEADER.size):
            if told - more == codes.layouts(other)[sub].size:
                fit = f"long={other},size={'message' if more else 'payload'}"
                zh, en = f"{zh}；参数 {fit} 则合", f"{en}; it would be with {fit}"
    raise Fault("BAD_FIELD", zh, en, "wDataSize")


def _take(told: Told, message: Message, long: int) -> None:
    """One more message of a round; the first fault is kept."""
    told.digest.update(message.payload)
    told.playing = told.playing or message.fault is not None
    if len(told.identifiers) < _PENDING:
        told.identifiers.add(message.identifier)
    try:
        if message.fault is not None:
            raise message.fault
        if message.main != codes.GAME or message.sub in codes.BESIDE:
            beside(told, message.main, message.sub, message.payload, long)
            return
        told.playing = told.playing or message.sub != codes.START
        if message.sub in codes.WILD:
            word = codes.WILD[message.sub]
            raise Fault("BAD_MOVE", f"{word}记不下来", f"{word} cannot be carried")
        if message.sub not in HANDLERS or told.ended:
            raise Fault("BAD_MOVE", f"未知的命令 {message.sub}", f"command {message.sub} was not expected")
        HANDLERS[message.sub](told, codes.layouts(long)[message.sub].unpack(message.payload))
    except Fault as fault:
        told.refuse(fault, message.at)


def _finish(told: Told, params: Params, answer: Mapping[str, str], name: str, index: int) -> Record | Reject:
    return told.finish(index, lambda: record_of(told, params, answer, Provenance(name, index, codes.NAME)))


def sniff(head: bytes) -> bool:
    """True where messages of the known commands lead to a deal."""
    if is_answer(head):
        head = _joined(head)
    return any(_leads_to_deal(head, counted) for counted in (0, codes.HEADER.size))


def _joined(head: bytes) -> bytes:
    """The body whose pieces begin the file, as far as it is seen."""
    body, at = b"", 0
    while len(head) >= at + codes.CHUNK.size:
        size = codes.CHUNK.unpack_from(head, at)[3]
        at += codes.CHUNK.size + size
        body += head[at - size : at]
    return body


def _leads_to_deal(head: bytes, counted: int) -> bool:
    at = 0
    for _ in range(_SNIFFED):
        if len(head) < at + codes.HEADER.size:
            return False
        _, size, main, sub = codes.HEADER.unpack_from(head, at)
        at += codes.HEADER.size
        size -= counted
        if main not in codes.MAINS or size < 0 or (main == codes.GAME and sub not in codes.BESIDE | {codes.START}):
            return False
        if (main, sub) == (codes.GAME, codes.START):
            layout = next((codes.layouts(long)[sub] for long in (4, 8) if codes.layouts(long)[sub].size == size), None)
            if layout is None or len(head) < at + size:
                return False
            banker, _, _, cards, _, chair = layout.unpack_from(head, at)
            return max(banker, chair) < codes.MOST_PERSONS and _CARDS.issuperset(cards)
        at += size
    return False


ADAPTER = Adapter(
    codes.NAME, 1, "Huyoo 回放 binary replay", (".huyoo",), sniff, read, write, PARAMS, text=False, choices=CHOICES
)
