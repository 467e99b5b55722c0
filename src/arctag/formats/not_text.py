"""What is no text: documents, images, archives and other encodings, which would be parsed into nonsense."""

from __future__ import annotations

import re

from arctag.errors import InputError

_DOCUMENT = "save the document as plain text (UTF-8) and parse that"
_PACKED = "unpack it first; of packed files only gzip is read as it is"
_SIGNATURES = (
    (re.compile(rb"PK\x03\x04"), "a zip archive or an office document (.docx, .odt, .epub)", _DOCUMENT),
    (re.compile(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an office document (.doc)", _DOCUMENT),
    (re.compile(rb"\{\\rtf[0-9]"), "an RTF document", _DOCUMENT),
    (re.compile(rb"%PDF-[0-9]"), "a PDF document", "extract its text first, with pdftotext for example"),
    (re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP", re.DOTALL), "an image", "give a file of text"),
    (re.compile(rb".{257}ustar", re.DOTALL), "a tar archive", _PACKED),
    (re.compile(rb"\xfd7zXZ\0|BZh[1-9]1AY&SY|\x28\xb5\x2f\xfd|7z\xbc\xaf\x27\x1c"), "a packed file", _PACKED),
)
_UTF32 = re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff")
_UTF16 = re.compile(rb"\xff\xfe|\xfe\xff")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # not tab, line ends, or what colours a terminal
_ESCAPED = re.compile("[\udc80-\udcff]")
_FEW = 8  # stray bytes that even a short text may have
_SHARE = 0.1  # of all bytes; a text in Latin-1 has fewer


def check_text(name: str, start: bytes) -> None:
    """`InputError`, with what to do, if a file that begins so is no text in UTF-8."""
    for pattern, what, advice in _SIGNATURES:
        if pattern.match(start):
            raise InputError(f"{name}: found {what}; expected text in UTF-8: {advice}")
    if (encoding := _wide(start)) is not None:
        raise InputError(f"{name}: found {encoding}; expected UTF-8: convert it with iconv -f {encoding} -t UTF-8")
    if _many(len(_CONTROL.findall(start)), start):
        raise InputError(f"{name}: found binary data; expected text in UTF-8")
    if _many(len(_ESCAPED.findall(start.decode("utf-8", "surrogateescape"))), start):
        raise InputError(
            f"{name}: found text in another encoding; expected UTF-8: convert it with iconv -f ENCODING -t UTF-8"
        )


def _wide(start: bytes) -> str | None:
    """The encoding of two or four bytes a letter that a file is in, by its mark or by where its zeros stand."""
    if _UTF32.match(start):
        return "UTF-32"
    if _UTF16.match(start):
        return "UTF-16"
    zeros = (start[::2].count(0), start[1::2].count(0))
    if max(zeros) > len(start) // 6 and min(zeros) <= len(start) // 100 and max(zeros) > 1:
        return "UTF-16BE" if zeros[0] > zeros[1] else "UTF-16LE"
    return None


def _many(count: int, start: bytes) -> bool:
    return count > _FEW and count > _SHARE * len(start)
