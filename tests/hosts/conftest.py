"""The examples as a reader has them: their folder and the module to import from, the command on the path."""

import os
import sys

import harness

sys.path.insert(0, str(harness.ROOT / "examples"))
sys.path.insert(0, str(harness.ROOT / "tools" / "python"))
os.environ["COULISSE"] = str(harness.COMMAND)
os.environ["PATH"] = f"{harness.COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
