"""Everything here needs pyarrow."""

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'arctag[arrow]'")
