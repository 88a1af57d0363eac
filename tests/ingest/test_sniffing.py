"""What is said of a file whose format is not clear."""

from __future__ import annotations

import io

import pytest

from ingest.adapters import adapters
from ingest.adapters.registry import Adapter, Reject
from ingest.limits import Fault, in_lang
from ingest.reader import read_stream
from ingest.sniffing import SHOWN, beginning, find_adapter, safe


def nothing(*_: object):
    return iter(())


def fake(name: str, mark: bytes, *extensions: str, text: bool = True) -> Adapter:
    return Adapter(name, 1, name, extensions, lambda head: mark in head, nothing, text=text)


@pytest.fixture
def three(monkeypatch):
    found = (fake("one", b"a", ".x"), fake("two", b"b", ".x", ".y"), fake("raw", b"\0r", ".r", text=False))
    monkeypatch.setattr("ingest.sniffing.adapters", lambda: found)


def refused(head: bytes, extension: str) -> Fault:
    with pytest.raises(Fault) as told:
        find_adapter(head, extension)
    return told.value


def test_one_that_fits_is_taken_whatever_the_extension(three):
    assert [find_adapter(head, ".q").name for head in (b"a", b"b", b"\0r")] == ["one", "two", "raw"]


def test_several_that_fit_are_listed_with_what_spoke_for_each(three):
    fault = refused(b"ab", ".y")
    assert fault.code == "WRONG_FORMAT"
    said = in_lang(fault.reason, "en")
    assert "one (content); two (content and extension .y)" in said
    assert "--format" in said
    assert "one（内容）；two（内容和扩展名 .y）" in in_lang(fault.reason, "zh")


def test_the_extension_decides_only_where_no_content_does(three):
    assert find_adapter(b"?", ".y").name == "two"
    fault = refused(b"?", ".x")
    said = in_lang(fault.reason, "en")
    assert "tried one, two, raw" in said
    assert "the extension .x is that of one, two" in said
    assert 'begins "?"' in said


def test_text_formats_are_not_asked_about_binary_files(three):
    fault = refused(b"ab\x01\0\0", ".x")
    assert (fault.code, "binary" in fault.reason) == ("WRONG_FORMAT", True)


def test_none_that_fits_tells_what_was_tried_and_what_the_file_looks_like():
    (reject,) = read_stream(io.BytesIO("今天打了一局牌".encode()), "a.txt")
    assert isinstance(reject, Reject)
    for lang in ("zh", "en"):
        said = in_lang(reject.reason, lang)
        assert all(adapter.name in said for adapter in adapters())
        assert "今天打了一局牌" in said


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\u202eb", "\x00", "\u2028", "a\r\nb", "\u200b", "\t"])
def test_what_is_shown_is_safe(text):
    assert safe(text).isprintable()
    assert len(safe(text)) > len(text)
    assert safe(text) in beginning(text.encode())


def test_what_is_shown_keeps_the_languages_apart():
    fault = refused("一 ／ two".encode(), "")
    assert "tried" in in_lang(fault.reason, "en")
    assert "试过" not in in_lang(fault.reason, "en")


def test_how_much_is_shown():
    assert beginning(b"x" * SHOWN) == '"' + "x" * SHOWN + '"'
    assert beginning(b"x" * (SHOWN + 1)) == '"' + "x" * SHOWN + '…"'
    assert beginning("牌".encode() * (SHOWN + 1)) == '"' + "牌" * SHOWN + '…"'
    assert beginning(b"\xef\xbb\xbf\xb0\xa1") == '"\\xb0\\xa1"'
    assert len(beginning(b"\xff" * 70_000)) <= SHOWN + 3
