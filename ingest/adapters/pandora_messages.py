"""The protobuf messages of pandora: one table, from which their classes are made when the program runs."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory, unknown_fields

from ingest.limits import Fault

HEAD = struct.Struct("<II")
"""Before each body: bytes that follow this number, message id."""
LENGTH = 4
"""Bytes of the first of the two."""

START, TURN, DRAW, REVEAL, DISCARD_WISH, DISCARD, ACTION_WISH, ACTION, SETTLE, LIUJU = range(7001, 7011)
HINT = 7012
"""Reserved for hints to one player; counted."""
OURS = range(7000, 8000)

# Fields are numbered from 1 in this order. "?": present or not, "*": repeated.
MESSAGES: dict[int, tuple[str, str]] = {
    START: (
        "GameStart",
        (
            "round_id:int64 room_id:int64 template_id:int32 banker_seat:int32 self_hand:int32* wall_remain:int32 "
            "self_seat:int32? base_score:int32 cfg_snapshot:string"
        ),
    ),
    TURN: ("Turn", "seat_id:int32? sub:string timeout_s:int32 wall_remain:int32 self_hand:int32* can_hu:bool"),
    DRAW: ("Draw", "seat_id:int32 tile:int32"),
    REVEAL: ("Reveal", "seat_id:int32? tile:int32"),
    DISCARD_WISH: ("DiscardWish", "tile:int32"),
    DISCARD: ("Discard", "seat_id:int32? tile:int32"),
    ACTION_WISH: ("ActionWish", "action:int32 chi_hand_tiles:int32*"),
    ACTION: ("Action", "seat_id:int32 action:int32 tile:int32 tiles:int32* from_seat:int32? meld_kind:int32"),
    SETTLE: (
        "Settle",
        (
            "round_id:int64 winner_seat:int32 hu_tile:int32 is_draw_win:bool hu_xi:int32 tun:int32 fan:int32 "
            "ming_tang_mask:int32 base_score:int32 entries:Entry*"
        ),
    ),
    LIUJU: ("LiuJu", "banker_seat:int32"),
}
ENTRY = ("Entry", "uid:int64 seat_id:int32 delta_gold:int64")
_PACKAGE = "pandora"


def _described(file: descriptor_pb2.FileDescriptorProto, name: str, fields: str) -> None:
    described = file.message_type.add(name=name)
    for number, text in enumerate(fields.split(), 1):
        label, kind = text.split(":")
        made = described.field.add(name=label, number=number)
        made.label = made.LABEL_REPEATED if kind.endswith("*") else made.LABEL_OPTIONAL
        if kind.endswith("?"):
            made.proto3_optional = True
            made.oneof_index = len(described.oneof_decl)
            described.oneof_decl.add(name=f"_{label}")
        kind = kind.rstrip("*?")
        if kind == ENTRY[0]:
            made.type, made.type_name = made.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"
        else:
            made.type = getattr(made, f"TYPE_{kind.upper()}")


@cache
def classes() -> dict[int, type[message.Message]]:
    """Message id → class."""
    file = descriptor_pb2.FileDescriptorProto(name="pandora_phz.proto", package=_PACKAGE, syntax="proto3")
    for name, fields in (ENTRY, *MESSAGES.values()):
        _described(file, name, fields)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        number: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
        for number, (name, _) in MESSAGES.items()
    }


def parse(number: int, body: bytes) -> Any:
    """The message of that id; ``Fault`` where the bytes are none."""
    made = classes()[number]()
    try:
        made.ParseFromString(body)
    except message.DecodeError as error:
        name = MESSAGES[number][0]
        raise Fault("SYNTAX", f"{number} 不是 {name}", f"{number} is no {name}: {error}") from error
    return made


def make(number: int, **fields: Any) -> bytes:
    """The bytes of a message of that id."""
    made: Any = classes()[number](**fields)
    data: bytes = made.SerializeToString(deterministic=True)
    return data


def strangers(number: int, made: Any) -> Iterator[str]:
    """The fields of a message that the table does not have, as ``id.number``."""
    yield from (f"{number}.{field.field_number}" for field in unknown_fields.UnknownFieldSet(made))
    for entry in made.entries if number == SETTLE else ():
        yield from (f"{number}.entries.{field.field_number}" for field in unknown_fields.UnknownFieldSet(entry))
