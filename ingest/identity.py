"""Who the players are: accounts of one person, and pseudonyms for persons. See docs/identity.md.

Everything here is a function of its input; a pseudonym depends on the person and the salt alone.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ingest.adapters.registry import Found, Reject
from ingest.encoding import BOM, EncodingError, decode
from ingest.limits import MAX_NOTE, MAX_TEXT, Fault, halves
from ingest.notation import dotted_line
from ingest.parts import check_text
from ingest.record import Provenance, Record, Sheet
from ingest.validate import check_found

MAX_ALIASES = 10_000_000
"""Bytes of a file of aliases."""
SALT_BYTES = 32
SALT_SIZES = range(16, 65)
SECTION = "person"

_ACCOUNT_TAG = re.compile(r"account_[0-9]+", re.ASCII)
_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_WORD = "[A-Za-z0-9]"

Told = TypeVar("Told", bound=Record | Sheet)


@dataclass(frozen=True)
class Aliases:
    """(platform, account) → person; the platform is "" for an account that is the person's on every platform."""

    persons: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @cached_property
    def accounts(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Person → every (platform, account) of that person."""
        found: dict[str, list[tuple[str, str]]] = {}
        for account, person in self.persons.items():
            found.setdefault(person, []).append(account)
        return found


def load_aliases(path: str | os.PathLike[str]) -> Aliases:
    """The aliases of a TOML file. Raises ``OSError``, and ``Fault`` with file and line for what is wrong in it."""
    with open(path, "rb") as stream:
        raw = stream.read(MAX_ALIASES + 1)
    return parse_aliases(raw, os.fspath(path))


def parse_aliases(raw: bytes, name: str) -> Aliases:
    """As ``load_aliases``, from the bytes of the file called ``name``."""
    if len(raw) > MAX_ALIASES:
        raise _fault("LIMIT", f"超过 {MAX_ALIASES} 字节", f"more than {MAX_ALIASES} bytes", name)
    try:
        text = decode(raw.removeprefix(BOM))
    except EncodingError as error:
        line = 1 + raw.count(b"\n", 0, error.at)
        raise _fault("NOT_UTF8", *halves(error.reason), name, line) from None
    found: dict[tuple[str, str], str] = {}
    for person, accounts in _tables(text, name):
        for account in _accounts(person, accounts, text, name):
            platform, colon, rest = account.partition(":")
            key = (platform, rest) if colon else ("", account)
            owner = found.setdefault(key, person)
            if owner != person:
                zh = f"账号 {account!r:.60} 既属于 {owner!r:.60}，又属于 {person!r:.60}"
                en = f"the account {account!r:.60} is that of {owner!r:.60} and of {person!r:.60}"
                raise _fault("BAD_FIELD", zh, en, name, _line_of(text, account, last=True))
    _check_overlap(found, text, name)
    return Aliases(found)


def _tables(text: str, name: str) -> list[tuple[str, Any]]:
    """Persons with what stands behind them, of the section and of the top."""
    dotted = dotted_line(text)
    if dotted is not None:
        raise _fault("LIMIT", "点太多", "too many dots", name, dotted)
    try:
        top = tomllib.loads(text)
    except RecursionError:
        raise _fault("LIMIT", "嵌套太深", "nested too deep", name) from None
    except ValueError as error:
        place = _LINE.search(str(error))
        at = int(place[1]) if place else 1 + text.rstrip("\n").count("\n")
        raise _fault("SYNTAX", f"TOML 语法错误：{error}", f"TOML syntax: {error}", name, at) from None
    section = top.pop(SECTION, {}) if isinstance(top.get(SECTION), dict) else {}
    for person in section:
        if person in top:
            zh, en = f"{person!r:.60} 写了两次", f"{person!r:.60} stands twice"
            raise _fault("BAD_FIELD", zh, en, name, _line_of(text, person, last=True))
    return [*top.items(), *section.items()]


def _accounts(person: str, accounts: Any, text: str, name: str) -> list[str]:
    try:
        check_text(person, "person")
        for account in accounts if isinstance(accounts, list) else ():
            if isinstance(account, str):
                check_text(account, "account")
    except Fault as fault:
        raise _fault(fault.code, *halves(fault.reason), name, _line_of(text, person)) from None
    if not person or not isinstance(accounts, list) or not all(isinstance(one, str) and one for one in accounts):
        zh = f'应写作 "人" = ["账号", "平台:账号"]，却是 {person!r:.60} = {accounts!r:.60}'
        en = f'expected "person" = ["account", "platform:account"], found {person!r:.60} = {accounts!r:.60}'
        raise _fault("BAD_FIELD", zh, en, name, _line_of(text, person))
    return accounts


def _check_overlap(found: Mapping[tuple[str, str], str], text: str, name: str) -> None:
    """An account of all platforms is no other person's on one of them, and a person's name no other's account."""
    persons = frozenset(found.values())
    for (platform, account), person in found.items():
        for owner in (found.get(("", account)), account if account in persons else None):
            if owner not in (None, person):
                zh = f"账号 {account!r:.60} 既属于 {owner!r:.60}，又属于 {person!r:.60}"
                en = f"the account {account!r:.60} is that of {owner!r:.60} and of {person!r:.60}"
                written = f"{platform}:{account}" if platform else account
                raise _fault("BAD_FIELD", zh, en, name, _line_of(text, written, last=True))


def _line_of(text: str, piece: str, last: bool = False) -> int:
    """The first or last line on which a name stands in quotes or as a key; 1 when that cannot be told."""
    plain = re.escape(piece)
    sign = re.compile(rf"""["']:?{plain}["']|^\s*{plain}\s*=""", re.MULTILINE)
    at = [match.end() for match in sign.finditer(text)]
    return 1 + text.count("\n", 0, at[-1 if last else 0]) if at else 1


def _fault(code: str, zh: str, en: str, name: str, line: int = 1) -> Fault:
    return Fault(code, zh, en, f"{name}:{line}")


def person_of(aliases: Aliases, platform: str, account: str) -> str:
    """The person behind an account of a platform; the account itself where no alias names it."""
    return aliases.persons.get((platform, account)) or aliases.persons.get(("", account), account)


def with_persons(found: Told, aliases: Aliases) -> Told:
    """Accounts replaced by their persons. The account of each seat so changed is kept in the tag ``account_<seat>``."""
    players = found.players
    persons = tuple(person_of(aliases, found.platform, account) for account in players)
    if persons == players:
        return found
    accounts = {
        f"account_{seat}": account
        for seat, (account, person) in enumerate(zip(players, persons, strict=True))
        if account != person
    }
    return msgspec.structs.replace(found, players=persons, tags=accounts | found.tags)


def pseudonym(person: str, salt: bytes) -> str:
    """16 hex digits that stand for a person; "" for nobody."""
    return hashlib.blake2b(person.encode(), digest_size=8, key=salt).hexdigest() if person else ""


def anonymise(found: Told, salt: bytes, aliases: Aliases | None = None) -> Told:
    """Players replaced by pseudonyms, the same for the same person, wherever their names stand in texts.

    Texts are room, session, tags and note; there, a name that begins or ends with a Latin letter or a digit counts only
    where no other one stands beside it. The tags ``account_<seat>`` are left out. A text that grows beyond its limit
    is cut, and ends in an ellipsis.
    """
    known = aliases or Aliases()
    persons = [person_of(known, found.platform, account) for account in found.players]
    shown = {person: pseudonym(person, salt) for person in persons}
    names = {account: shown[person] for account, person in zip(found.players, persons, strict=True)} | shown
    for person in persons:
        for platform, account in known.accounts.get(person, ()):
            if platform in ("", found.platform):
                names[account] = shown[person]
    said = _replacer(names)
    tags: dict[str, str] = {}
    for key, text in found.tags.items():
        if not _ACCOUNT_TAG.fullmatch(key):
            named = _within(said(key), MAX_TEXT)
            tags[named] = _within(f"{tags[named]} {said(text)}" if named in tags else said(text), MAX_TEXT)
    source = found.source
    note = _within(said(source.note), MAX_NOTE)
    return msgspec.structs.replace(
        found,
        players=tuple(shown[person] for person in persons),
        room=_within(said(found.room), MAX_TEXT),
        session=_within(said(found.session), MAX_TEXT),
        tags=tags,
        source=Provenance(source.file, source.index, source.format, note, source.line),
    )


def _replacer(names: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces each name that stands in a text; of two that begin at one place, the longer."""
    wanted = sorted(filter(None, names), key=len, reverse=True)
    if not wanted:
        return lambda text: text
    pattern = re.compile("|".join(map(_alone, wanted)))
    return lambda text: pattern.sub(lambda match: names[match[0]], text)


def _alone(name: str) -> str:
    before = f"(?<!{_WORD})" if re.match(_WORD, name[0]) else ""
    after = f"(?!{_WORD})" if re.match(_WORD, name[-1]) else ""
    return before + re.escape(name) + after


def _within(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def read_salt(path: str | os.PathLike[str]) -> bytes:
    """The salt in a file, which is made with random bytes for its owner alone where it is missing.

    Raises ``OSError``, and ``Fault`` for a file of another size than 16 to 64 bytes.
    """
    place = Path(path)
    try:
        salt = _salt_in(place)
    except FileNotFoundError:
        _make_salt(place)
        salt = _salt_in(place)
    if len(salt) not in SALT_SIZES:
        zh, en = "盐应是 16 至 64 字节的文件", "a salt is a file of 16 to 64 bytes"
        raise Fault("BAD_FIELD", zh, en, os.fspath(path))
    return salt


def _salt_in(place: Path) -> bytes:
    with place.open("rb") as stream:
        return stream.read(SALT_SIZES.stop)


def _make_salt(place: Path) -> None:
    # Whole before it has its name: two programs that begin at once use one salt.
    part = place.with_name(f".{place.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(secrets.token_bytes(SALT_BYTES))
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(part, place)
        except FileExistsError:
            return
    finally:
        part.unlink()


def identity(
    aliases_path: str | os.PathLike[str] | None = None, salt_path: str | os.PathLike[str] | None = None
) -> Callable[[Found], Found]:
    """What to do with everything that is read: aliases, pseudonyms, both, or nothing.

    A record that no longer fits the limits of one becomes a ``Reject``. Raises ``OSError`` and ``Fault`` for files that
    cannot be used.
    """
    aliases = load_aliases(aliases_path) if aliases_path is not None else None
    salt = read_salt(salt_path) if salt_path is not None else None

    def change(found: Found) -> Found:
        if isinstance(found, Reject):
            return found
        changed: Record | Sheet = found
        if salt is not None:
            changed = anonymise(found, salt, aliases)
        elif aliases is not None:
            changed = with_persons(found, aliases)
        return changed if changed is found else check_found(changed) or changed

    return change
