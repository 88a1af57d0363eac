"""Limits of what is read, and the codes with which a record is refused. No rule of play here."""

from __future__ import annotations

SNIFF_BYTES = 64 * 1024
MAX_LINE = 1_000_000
"""Bytes of one ``.jsonl`` line or of one ``.phz`` round."""
MAX_DEPTH = 64
MAX_EVENTS = 2_000
MAX_OFFERS = 20_000
MAX_TEXT = 256
"""Characters of a name, an id, an option or a tag."""
MAX_NOTE = 4_000
MAX_ITEMS = 200
"""Options, tags, 番 names or groups of one record; cards of one list."""
MAX_PARTITION = 200
"""Bytes of a platform name once percent-encoded: it becomes the name of a directory."""
INT32 = 2**31 - 1

MAX_UPLOAD = 20 * 2**20
"""Bytes of an uploaded file as it comes."""
MAX_UNPACKED = 200 * 2**20
"""Bytes of an uploaded file unpacked, all members of an archive together."""
MAX_RATIO = 100
"""Unpacked bytes for each packed one, once ``RATIO_FROM`` bytes are unpacked."""
RATIO_FROM = 2**20
MAX_MEMBERS = 1_000
"""Members of an archive, its folders included."""
MAX_DIRECTORY = 8 * 2**20
"""Bytes of a ZIP's table of contents."""
MAX_WINDOW = 8 * 2**20
"""Bytes that a Zstandard frame may make its reader keep; what RFC 8878 asks every reader to be able to keep."""

REJECTS: dict[str, tuple[str, str]] = {
    "UNKNOWN_CARD": ("没有这张牌", "no such card"),
    "FIFTH_COPY": ("同一种牌超过四张", "a fifth copy of a card"),
    "DEAL_SIZE": ("发牌张数不对", "wrong size of the deal"),
    "BAD_SEAT": ("座位不对", "wrong seat"),
    "BAD_MOVE": ("动作写法不对", "unreadable event"),
    "UNKNOWN_RULESET": ("未知的规则", "unknown ruleset"),
    "BAD_OPTION": ("未知或不合的规则选项", "unknown or unfit option"),
    "BAD_FIELD": ("字段不对", "wrong field"),
    "TRUNCATED": ("记录不完整，文件被截断", "the file stops in the middle of a record"),
    "EMPTY": ("没有任何对局", "no round in the file"),
    "WRONG_FORMAT": ("不是可读的牌谱格式", "not a format that can be read"),
    "NOT_UTF8": ("不是 UTF-8 文本", "not UTF-8 text"),
    "SYNTAX": ("语法错误", "syntax error"),
    "LIMIT": ("超出上限", "beyond a limit"),
    "UNREADABLE": ("文件打不开", "the file cannot be opened"),
    "ARCHIVE": ("压缩包不能用", "an archive that cannot be used"),
    "DEBUG_DECK": ("测试用牌，不是真实对局", "a test deck, not a real deal"),
}
"""Reject code → what it says in Chinese and in English."""


def reject_title(code: str, lang: str, otherwise: str) -> str:
    """What a reject code says in ``zh`` or ``en``; ``otherwise`` for one that is not known."""
    return REJECTS[code][lang != "zh"] if code in REJECTS else otherwise


_BETWEEN = " ／ "


def both(zh: str, en: str) -> str:
    """One text that carries both languages; ``in_lang`` takes one out."""
    return f"{zh}{_BETWEEN}{en}"


def in_lang(text: str, lang: str) -> str:
    """The ``zh`` or ``en`` half of a text made by ``both``; any other text as it is."""
    parts = text.split(_BETWEEN)
    if len(parts) != 2:
        return text
    return parts[0] if lang == "zh" else parts[1]


def halves(text: str) -> tuple[str, str]:
    """The Chinese and the English half of a text made by ``both``."""
    return in_lang(text, "zh"), in_lang(text, "en")


class Fault(ValueError):  # noqa: N818 - the word for what it is, raised or not
    """Why a record cannot be taken as it is: a code of ``REJECTS``, the reason, and the place inside the record.

    ``path`` is e.g. ``("moves", 3)`` or ``("result", "groups", 0)``.
    """

    def __init__(self, code: str, zh: str, en: str, *path: str | int) -> None:
        self.code = code
        self.path = path
        where = place(path)
        self.reason = both(f"{where}: {zh}", f"{where}: {en}") if where else both(zh, en)
        super().__init__(self.reason)


class StoreError(Exception):
    """The store cannot be used as it is; the message says where, why, and what to do, in both languages.

    It stands here so that whoever catches it need not load the store's libraries.
    """


def place(path: tuple[str | int, ...]) -> str:
    """``("moves", 3)`` as ``moves[3]``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
