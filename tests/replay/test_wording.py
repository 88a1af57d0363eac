"""Every text that replay stores for people has its Chinese."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from ingest.reader import read_path
from ingest.record import Record
from replay.replayer import replay_round
from replay.session import check_session
from replay.session import sessions as sessions_of
from replay.transcript import transcript
from replay.wording import TEXTS, localised

RARE = {
    "3 further findings are not listed",
    "from 1",
    "points all 0 (荒庄)",
    "8 九 in the groups",
    "wall of 19",
    "score: the hand of seat 1 is unknown",
    "dealer: earlier rounds are missing",
    "dealer: how the round before ended is not known",
    "dealer: who opened the room is not known",
    "dealer 1 or 2",
}
"""Texts that no sample has."""


@cache
def transcripts(samples: Path, lang: str) -> dict[str, list[str]]:
    """Sample name → the lines of its transcript."""
    told = {}
    for path in sorted(samples.glob("*.phz")):
        for record in read_path(path):
            assert isinstance(record, Record)
            told[record.tags["sample"]] = list(transcript(record, replay_round(record), lang))
    return told


@cache
def stored_texts(samples: Path) -> set[str]:
    texts = set(RARE)
    for path in sorted(samples.glob("*.phz")):
        records = [record for record in read_path(path) if isinstance(record, Record)]
        replays = [replay_round(record) for record in records]
        for replay in replays:
            texts.update(replay.undecidable)
            texts.update(text for f in replay.findings for text in (f.expected, f.actual))
        for group in sessions_of(records):
            report = check_session([(records[i], replays[i]) for i in group])
            texts.update(reason for reasons in report.undecidable for reason in reasons)
            texts.update(text for found in report.findings for f in found for text in (f.expected, f.actual))
    return texts


def test_no_english_is_left_in_chinese(samples: Path) -> None:
    texts = stored_texts(samples)
    assert len(texts) > 50
    english = [localised(text, "zh") for text in texts if re.search("[A-Za-z]{2}", localised(text, "zh"))]
    assert not english


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in TEXTS])
def test_every_phrase_is_really_stored(pattern: str, samples: Path) -> None:
    assert any(re.fullmatch(pattern, text) for text in stored_texts(samples)), pattern


def test_numbers_and_their_place_holders_are_carried_over() -> None:
    assert localised("record stops after event 31", "zh") == "记录在事件 31 之后中断"
    assert localised("record stops after event #", "zh") == "记录在事件 # 之后中断"
    assert localised("record stops after event 31", "en") == "record stops after event 31"
    assert localised("1 胡 七", "zh") == "1 胡 七"


def test_each_text_has_one_wording() -> None:
    """The first pattern that fits decides; no other may fit the same text."""
    for text in RARE | {
        "dealer 1",
        "seat 2 left: the rules do not say what that costs",
        "wall is unknown",
        "points [1, 2]",
    }:
        fitting = [pattern for pattern, _ in TEXTS if re.fullmatch(pattern, text)]
        assert len(fitting) == 1, (text, fitting)


@pytest.mark.parametrize(
    ("sample", "zh", "en"),
    [
        ("bisai-letter-c", "  罚 C: 甲 (#0)", "  penalty C: 甲 (#0)"),
        ("bisai-letter-c", "  得分 甲 -17, 乙 -5, 丙 +7, 丁 +15", "  points 甲 -17, 乙 -5, 丙 +7, 丁 +15"),
        ("bisai-letter-c", "2 丙: 不上场", "2 丙: does not play"),
        ("bisai-void", "胡牌作废", "the win is void"),
        ("bisai-void", "  罚 B: 乙 (#1)", "  penalty B: 乙 (#1)"),
        ("bisai-huang", "荒庄", "drawn (荒庄)"),
        ("bisai-huang", "  得分 甲 -2, 乙 +0, 丙 +2, 丁 +0", "  points 甲 -2, 乙 +0, 丙 +2, 丁 +0"),
        ("tao-pao", "逃跑，不算荒庄", "a player left (逃跑)"),
        ("tao-pao", "  得分 甲 -27, 乙 +0, 丙 +0", "  points 甲 -27, 乙 +0, 丙 +0"),
        ("general-ti", "  提 叁叁叁叁", "  提 叁叁叁叁"),
        ("luzhou-two", "  得分 甲 -2, 乙 +2", "  points 甲 -2, 乙 +2"),
    ],
)
def test_what_a_transcript_says(sample: str, zh: str, en: str, samples: Path) -> None:
    assert zh in transcripts(samples, "zh")[sample]
    assert en in transcripts(samples, "en")[sample]


def test_a_transcript_names_what_the_ruleset_has(samples: Path) -> None:
    """No 亮张 where none is shown, no 胡息 where none is counted."""
    told = transcripts(samples, "zh")
    assert any(line.startswith("庄家末张 ") for line in told["luzhou-four"])
    assert any(line.startswith("亮张 ") for line in told["bisai-15"])
    assert not any("胡息" in line for line in told["general-zimo"])
    assert any(line.startswith("  胡息 ") for line in told["luzhou-four"])
