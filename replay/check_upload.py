"""``python -m replay.check_upload``: one uploaded file on stdin, what it holds and what was found in it on stdout.

Runs as a process of its own, because what it reads was sent by anybody: with little memory, little time, no store and
nothing of the caller's environment. Its answer is ``Answer`` as JSON; who reads it must check that it is one.
"""

from __future__ import annotations

import argparse
import io
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import msgspec

from ingest import limits
from ingest.adapters.registry import Reject, placed
from ingest.limits import both
from ingest.reader import read_member
from ingest.record import Record, Sheet
from ingest.reports import FileReport
from ingest.unpack import members_of
from replay.accept import accept
from replay.engine import Engine, engine
from replay.replayer import Replay, replay_round, rules_of, with_findings
from replay.ruleset import Ruleset
from replay.session import session_findings

MEMORY = 2**30
CPU_SECONDS = 60
AUDIT_SECONDS = 20
"""Seconds after which rounds are only counted: the rest of ``CPU_SECONDS`` is for reading and for the answer."""
MAX_RECORDS = 100_000
MAX_REJECTS = 200
MAX_ROUNDS = 200
"""Rounds with findings that the answer tells of."""
MAX_FINDINGS = 20
"""Findings of one round that the answer tells."""
MAX_FIELDS = 200
MAX_ANSWER = 8 * 2**20
"""Bytes of the answer."""
OUT_OF_MEMORY = 3
"""Exit code."""
_OPEN_FILES = 16

Count = Annotated[int, msgspec.Meta(ge=0)]
Text = Annotated[str, msgspec.Meta(max_length=1_000)]
Word = Annotated[str, msgspec.Meta(max_length=limits.MAX_TEXT)]


class Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record that is not accepted; ``index`` counts from 0, ``line`` from 1."""

    member: Word
    index: Count
    line: Count | None
    code: Word
    reason: Text


class Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding; fields as in ``replay.findings.Finding``."""

    seq: int
    code: Word
    seat: int
    severity: int
    clause: Word
    expected: Text
    actual: Text


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round with findings; ``told`` are the first ``MAX_FINDINGS`` of ``n_findings``."""

    member: Word
    index: Count
    line: Count | None
    round_id: Word
    ruleset: Word
    players: Annotated[tuple[Word, ...], msgspec.Meta(max_length=4)]
    n_findings: Count
    told: Annotated[tuple[Found, ...], msgspec.Meta(max_length=MAX_FINDINGS)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds: ``seen`` = ``accepted`` + ``refused``; ``sheets`` of the accepted are score sheets.

    ``verdicts`` counts the rounds that were audited; ``rejects`` and ``rounds`` are the first ones, ``codes`` counts
    all of the refused and ``finding_codes`` all findings.
    """

    seen: Count
    accepted: Count
    refused: Count
    sheets: Count
    formats: Annotated[dict[Word, Count], msgspec.Meta(max_length=100)]
    codes: Annotated[dict[Word, Count], msgspec.Meta(max_length=100)]
    unknown_fields: Annotated[dict[Word, Count], msgspec.Meta(max_length=MAX_FIELDS)]
    verdicts: Annotated[dict[Word, Count], msgspec.Meta(max_length=3)]
    finding_codes: Annotated[dict[Word, Count], msgspec.Meta(max_length=200)]
    with_findings: Count
    rejects: Annotated[tuple[Refused, ...], msgspec.Meta(max_length=MAX_REJECTS)]
    rounds: Annotated[tuple[Judged, ...], msgspec.Meta(max_length=MAX_ROUNDS)]


def check(raw: bytes, name: str, format: str | None = None, seconds: float = AUDIT_SECONDS) -> Answer:  # noqa: A002
    """Read and audit an uploaded file; ``name`` is one of ours, with the extension of the file.

    Rounds are audited until ``seconds`` of CPU time are used.
    """
    end = time.process_time() + seconds
    tally = _Tally()
    engines: dict[Ruleset, Engine] = {}
    for member, found in _found(raw, name, format):
        if tally.report.seen == MAX_RECORDS:
            zh, en = f"一个文件超过 {MAX_RECORDS} 条记录", f"more than {MAX_RECORDS} records in one file"
            tally.refuse(member, Reject("LIMIT", both(zh, en), MAX_RECORDS))
            break
        reject = found if isinstance(found, Reject) else accept(found) if isinstance(found, Record) else None
        if reject is not None:
            if not isinstance(found, Reject):
                reject = placed(reject, found.source)
            tally.refuse(member, reject)
            continue
        assert not isinstance(found, Reject)
        tally.take(found)
        if isinstance(found, Record) and time.process_time() < end:
            rules = rules_of(found)
            if rules not in engines:
                engines[rules] = engine(rules)
            replay = replace(replay_round(found, engines[rules]), decisions=())
            tally.audited.append((member, found, replay))
    return tally.answer()


def _found(raw: bytes, name: str, format: str | None) -> Iterator[tuple[str, Record | Sheet | Reject]]:  # noqa: A002
    if len(raw) > limits.MAX_UPLOAD:
        most = limits.MAX_UPLOAD
        yield name, Reject("LIMIT", both(f"文件超过 {most} 字节", f"a file of more than {most} bytes"))
        return
    for member in members_of(name, lambda: io.BytesIO(raw), limits.MAX_UNPACKED):
        for found in read_member(member, format, text_only=True):
            yield member.name, found


class _Tally:
    """What is counted while the file is read."""

    def __init__(self) -> None:
        self.sheets = 0
        self.formats: Counter[str] = Counter()
        self.report = FileReport("")
        self.rejects: list[Refused] = []
        self.audited: list[tuple[str, Record, Replay]] = []

    def refuse(self, member: str, reject: Reject) -> None:
        self.report.refuse(reject)
        if len(self.rejects) < MAX_REJECTS:
            self.rejects.append(Refused(member, reject.index, reject.line, reject.code, reject.reason[:1_000]))

    def take(self, found: Record | Sheet) -> None:
        self.report.seen += 1
        self.sheets += isinstance(found, Sheet)
        self.formats[found.source.format] += 1
        if len(self.report.unknown_fields) < MAX_FIELDS:
            self.report.note_unknown(found.tags, found.source.format)

    def answer(self) -> Answer:
        joint = session_findings([record for _, record, _ in self.audited], [replay for *_, replay in self.audited])
        verdicts: Counter[str] = Counter()
        codes: Counter[str] = Counter()
        rounds: list[Judged] = []
        faulty = 0
        for (member, record, alone), more in zip(self.audited, joint, strict=True):
            replay = with_findings(alone, more)
            verdicts[replay.verdict] += 1
            codes.update(finding.code for finding in replay.findings)
            faulty += bool(replay.findings)
            if replay.findings and len(rounds) < MAX_ROUNDS:
                rounds.append(_judged(member, record, replay))
        report = self.report
        return Answer(
            seen=report.seen,
            accepted=report.seen - report.quarantined,
            refused=report.quarantined,
            sheets=self.sheets,
            formats=dict(self.formats),
            codes=dict(Counter(report.codes).most_common()),
            unknown_fields=dict(list(report.unknown_fields.items())[:MAX_FIELDS]),
            verdicts=dict(verdicts),
            finding_codes=dict(codes.most_common()),
            with_findings=faulty,
            rejects=tuple(self.rejects),
            rounds=tuple(rounds),
        )


def _judged(member: str, record: Record, replay: Replay) -> Judged:
    told = tuple(
        Found(f.seq, f.code, f.seat, f.severity, f.clause, f.expected[:1_000], f.actual[:1_000])
        for f in replay.findings[:MAX_FINDINGS]
    )
    source = record.source
    return Judged(
        member,
        source.index,
        source.line or None,
        replay.round_id,
        replay.ruleset,
        record.players,
        len(replay.findings),
        told,
    )


def _limit(what: int, most: int, hard: int | None = None) -> None:
    """Lower a limit of this process; one that is lower already stays."""
    there = resource.getrlimit(what)[1]
    bound = hard or most
    bound = bound if there == resource.RLIM_INFINITY else min(bound, there)
    resource.setrlimit(what, (min(most, bound), bound))


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; 0 with an answer, ``OUT_OF_MEMORY``, or killed by the system when its time is over."""
    parser = argparse.ArgumentParser(prog="python -m replay.check_upload")
    parser.add_argument("name")
    parser.add_argument("--format")
    parser.add_argument("--memory", type=int, default=MEMORY)
    parser.add_argument("--cpu", type=int, default=CPU_SECONDS)
    given = parser.parse_args(arguments)
    _limit(resource.RLIMIT_AS, given.memory)
    _limit(resource.RLIMIT_CPU, given.cpu, given.cpu + 5)  # first SIGXCPU, which tells why
    _limit(resource.RLIMIT_FSIZE, MAX_ANSWER)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_NPROC, 0)
    _limit(resource.RLIMIT_CORE, 0)
    try:
        raw = sys.stdin.buffer.read(limits.MAX_UPLOAD + 1)
        answer = check(raw, given.name, given.format, min(AUDIT_SECONDS, given.cpu * AUDIT_SECONDS / CPU_SECONDS))
        sys.stdout.buffer.write(msgspec.json.encode(answer))
        sys.stdout.flush()
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
