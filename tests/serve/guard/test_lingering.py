"""Answers that came before the request was through."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from arctag.serve.guard.lingering import LingeringTransport


def lingering(sending: bool, **behaviour: Any) -> tuple[LingeringTransport, Mock, Mock]:
    inner, loop = Mock(asyncio.Transport), Mock(asyncio.AbstractEventLoop)
    inner.configure_mock(**behaviour)
    return LingeringTransport(inner, loop, lambda: sending, 9.0), inner, loop


def test_lingering_closes_at_once_when_the_client_is_done() -> None:
    transport, inner, _ = lingering(sending=False)
    transport.close()
    inner.close.assert_called_once()
    inner.write_eof.assert_not_called()


def test_lingering_ends_the_answer_and_closes_later() -> None:
    transport, inner, loop = lingering(sending=True)
    transport.close()
    inner.write_eof.assert_called_once()
    inner.close.assert_not_called()
    assert transport.is_closing()
    loop.call_later.assert_called_once_with(9.0, inner.close)


@pytest.mark.parametrize("error", [OSError(107, "not connected"), ConnectionResetError()])
def test_lingering_a_client_that_is_gone_is_no_error(error: OSError) -> None:
    transport, inner, _ = lingering(True, **{"write_eof.side_effect": error})
    transport.close()
    inner.close.assert_called_once()
