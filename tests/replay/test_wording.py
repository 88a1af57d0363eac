"""Every text that replay stores for people has its Chinese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.reader import read_path
from ingest.record import Record
from replay.replayer import replay_round
from replay.wording import TEXTS, localised

RARE = {"3 further findings are not listed", "from 1", "points all 0 (荒庄)", "8 九 in the groups", "wall of 19"}
"""Texts of findings that no sample has."""


def stored_texts(samples: Path) -> set[str]:
    texts = set(RARE)
    for path in sorted(samples.glob("*.phz")):
        for record in read_path(path):
            assert isinstance(record, Record)
            replay = replay_round(record)
            texts.update(replay.undecidable)
            texts.update(text for f in replay.findings for text in (f.expected, f.actual))
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
