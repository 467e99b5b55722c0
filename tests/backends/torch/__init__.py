"""Tests that need torch; without it they are skipped one and all."""

import pytest

pytest.importorskip("torch", reason="the network needs torch: pip install 'arctag[train]'")
