"""The two ways in which HTML forms and UDPipe's clients send their fields."""

from __future__ import annotations

from email.message import Message
from email.parser import HeaderParser
from urllib.parse import parse_qsl

from arctag.errors import InputError

_MAX_FIELDS = 100


def form_fields(content_type: str, body: bytes) -> dict[str, str]:
    """The fields of a form; of those with the same name the last one counts."""
    header = Message()
    header["content-type"] = content_type
    kind = header.get_content_type()
    if kind == "application/x-www-form-urlencoded":
        return url_fields(body)
    if kind == "multipart/form-data":
        return _multipart_fields(body, header.get_param("boundary"))
    raise InputError(
        f"unsupported content type {content_type!r:.80}: send application/x-www-form-urlencoded or multipart/form-data"
    )


def url_fields(data: bytes) -> dict[str, str]:
    """The fields of a query, or of a form encoded like one."""
    try:
        pairs = parse_qsl(data.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
    except UnicodeDecodeError as error:
        raise InputError("a field is not UTF-8") from error
    except ValueError as error:
        raise InputError(f"the fields cannot be read ({error})") from error
    return dict(pairs)


def _multipart_fields(body: bytes, boundary: object) -> dict[str, str]:
    """The fields of a multipart body; an uploaded file counts as its text."""
    if not isinstance(boundary, str) or not boundary:
        raise InputError("the form has no boundary")
    mark = b"\r\n--" + boundary.encode("utf-8", "replace")
    _, *parts = (b"\r\n" + body).split(mark, _MAX_FIELDS + 1)
    if not parts or not parts.pop().startswith(b"--"):
        raise InputError(f"the form is incomplete, or has more than {_MAX_FIELDS} fields")
    fields = {}
    for part in parts:
        head, empty_line, content = part.partition(b"\r\n\r\n")
        name = _name(head)
        if not empty_line or name is None:
            raise InputError("a part of the form has no name")
        try:
            fields[name] = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError("a field is not UTF-8") from error
    return fields


def _name(head: bytes) -> str | None:
    headers = HeaderParser().parsestr(head.decode("utf-8", "replace").lstrip("\r\n"))
    name = headers.get_param("name", header="content-disposition")
    return name if isinstance(name, str) else None
