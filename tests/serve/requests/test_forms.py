"""Forms as browsers, curl and UDPipe's clients send them."""

from __future__ import annotations

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import InputError
from arctag.serve.requests.forms import form_fields, url_fields

URL = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=xyz"
KINDS = (URL, PARTS, "multipart/form-data; boundary*=utf-8''%ff", "multipart/form-data; boundary=\udcff")
PIECES = (b"--xyz", b"--", b"\r\n", b"Content-Disposition: form-data", b"; name=", b'"', b"a", b"=", b"&", b"\xff")
NAMES = st.text(st.characters(categories=["Ll"]), min_size=1)


def part(name: str, value: bytes, more: str = "") -> bytes:
    return f'--xyz\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + value + b"\r\n"


def test_forms_urlencoded() -> None:
    body = b"data=a+b%0Ac%C3%A9&parser=&tagger&data=last"
    assert form_fields(f"{URL}; charset=utf-8", body) == {"data": "last", "parser": "", "tagger": ""}
    assert url_fields(b"") == {}


def test_forms_multipart() -> None:
    body = part("data", "é\r\n\r\n--x\nb ".encode()) + part("parser", b"") + b"--xyz--\r\n"
    assert form_fields(PARTS, body) == {"data": "é\r\n\r\n--x\nb ", "parser": ""}


def test_forms_multipart_with_more_headers_a_file_and_a_quoted_boundary() -> None:
    body = (
        b"ignored\r\n"
        b'--xyz\r\nContent-Type: text/plain; charset="utf-8"\r\nMIME-Version: 1.0\r\n'
        b'content-disposition: form-data; name=data; filename="a.txt"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
        b"text\r\n--xyz--\r\nignored"
    )
    assert form_fields('Multipart/Form-Data; boundary="xyz"', body) == {"data": "text"}


@pytest.mark.parametrize(
    ("kind", "body", "line"),
    [
        ("text/plain", b"a", "unsupported content type 'text/plain'"),
        ("", b"a", "unsupported content type ''"),
        (URL, b"a=%ff", "a field is not UTF-8"),
        (URL, b"\xff=a", "a field is not UTF-8"),
        (URL, b"a&" * 101, "the fields cannot be read"),
        ("multipart/form-data", b"", "the form has no boundary"),
        (PARTS, b"", "the form is incomplete"),
        (PARTS, part("data", b"a"), "the form is incomplete"),
        (PARTS, part("a", b"") * 101 + b"--xyz--", "more than 100 fields"),
        (PARTS, b"--xyz\r\n\r\na\r\n--xyz--", "a part of the form has no name"),
        (PARTS, b"--xyz\r\nContent-Disposition: form-data; name=a\r\n--xyz--", "a part of the form has no name"),
        (PARTS, part("a", b"\xff") + b"--xyz--", "a field is not UTF-8"),
    ],
)
def test_forms_damaged(kind: str, body: bytes, line: str) -> None:
    with pytest.raises(InputError, match=line):
        form_fields(kind, body)


@given(st.sampled_from(KINDS), st.one_of(st.binary(), st.lists(st.sampled_from(PIECES)).map(b"".join)))
def test_forms_any_bytes_are_read_or_refused(kind: str, body: bytes) -> None:
    try:
        fields = form_fields(kind, body)
    except InputError:
        return
    assert all(isinstance(text, str) for pair in fields.items() for text in pair)


@given(st.dictionaries(NAMES, st.text(st.characters(exclude_categories=["Cs"]))))
def test_forms_what_is_sent_comes_out(fields: dict[str, str]) -> None:
    parts = {name: (None, value) for name, value in fields.items()}
    sent = httpx.Request("POST", "http://localhost", files=parts)
    if fields:
        assert form_fields(sent.headers["content-type"], sent.read()) == fields
    assert form_fields(URL, httpx.Request("POST", "http://localhost", data=fields).read()) == fields
