"""Documents, images and other encodings are refused with what to do; odd text is not."""

from __future__ import annotations

import io
import random
import tarfile
import zipfile

import pytest

from arctag.errors import InputError
from arctag.formats.not_text import check_text

TEXT = "Sie sagte: »Grüße aus Köln.« Привет! 你好, world — café.\n"


def _zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("word/document.xml", TEXT * 50)
    return out.getvalue()


def _tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        inside = tarfile.TarInfo("a.txt")
        inside.size = len(TEXT.encode() * 900)
        file.addfile(inside, io.BytesIO(TEXT.encode() * 900))
    return out.getvalue()[:65536]


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (_zip(), "an office document"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF document"),
        (b"{\\rtf1\\ansi Hello}", "an RTF document"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "an image"),
        (b"\xff\xd8\xff\xe0" + bytes(100), "an image"),
        (b"\xfd7zXZ\0\0\4" + bytes(100), "unpack it first"),
        (_tar(), "a tar archive"),
        (TEXT.encode("utf-16"), r"found UTF-16; .* iconv -f UTF-16 -t UTF-8"),
        ("Hello there, world.".encode("utf-16-le"), "UTF-16LE"),
        ("Hello there, world.".encode("utf-16-be"), "UTF-16BE"),
        (TEXT.encode("utf-32"), "UTF-32"),
        (random.Random(1).randbytes(5000), "found binary data"),
        (b"\x7fELF\2\1\1" + bytes(100), "found binary data"),
        ("Привет, как дела сегодня?".encode("koi8-r"), r"another encoding; .* iconv"),
        ("你好，世界，今天天气很好".encode("gb18030"), r"another encoding; .* iconv"),
    ],
)  # fmt: skip
def test_not_text_is_refused_with_what_to_do(start: bytes, message: str) -> None:
    with pytest.raises(InputError, match=f"^in.txt: found .*{message}|^in.txt: {message}"):
        check_text("in.txt", start)


@pytest.mark.parametrize(
    "start",
    [
        b"", TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), "你好，世界".encode(), b"a\0b",
        b"\x1b[1mbold\x1b[0m\n" * 50,
        "Le café est à côté de l'hôtel où il a été.".encode("latin-1"), b"a\tb\r\n\f\v" * 100, b"PK is short", b"BZh",
        TEXT.encode()[:-3] + b"\xe2\x80", b"\x00" * 8, b"GIF files are images", "한국어 문장입니다.".encode(),
    ],
)  # fmt: skip
def test_not_text_leaves_text_alone(start: bytes) -> None:
    check_text("in.txt", start)
