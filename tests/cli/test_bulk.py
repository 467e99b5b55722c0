"""`arctag bulk` where Ray is not installed; tests/ray has the others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

WITHOUT = "import sys; sys.modules['ray'] = None; from arctag.cli import main; main(sys.argv[1:])"


def test_bulk_without_ray_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Go!")
    command = [sys.executable, "-c", WITHOUT, "bulk", str(tmp_path / "a.txt"), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    needed = "arctag: Parsing with Ray needs packages that are not installed: pip install 'arctag[ray]'\n"
    assert (done.returncode, done.stderr) == (2, needed)
    assert not (tmp_path / "out").exists()
