"""The examples as a reader has them: their folder and the module to import from, the command on the path."""

import os
import sys

import harness

sys.path.insert(0, str(harness.ROOT / "examples"))
sys.path.insert(0, str(harness.ROOT / "tools" / "python"))
# And whatever the tests start: scripts, kernels of notebooks, workers.
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ["COULISSE"] = str(harness.COMMAND)
os.environ["PATH"] = f"{harness.COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
