"""The experiment scripts. They import their harness from their own folder, and so do these tests."""

import sys

from tests.places import ROOT

SCRIPTS = ROOT / "experiments"
if str(SCRIPTS) not in sys.path:
    sys.path.insert(0, str(SCRIPTS))
