"""Planar mechanisms with flexible members, sliding joints and friction, as FMUs.

    import coulisse

    model = coulisse.Model("block.toml")
    model.set("loads.push.fx", 11.0)
    result = model.simulate(stop=1.5)
    print(result["points.block.x"][-1], result.units["points.block.x"])

A model is packed into an FMU by the command `coulisse` and driven through its C interface, so numbers
are those of `coulisse run`, to the last bit. All quantities are in SI units: m, kg, s, N, N.m, J, Pa, rad.
"""

from ._bundled import models
from ._command import check, pack
from ._errors import CommandError, CoulisseError, Discarded, Finding, ModelError
from ._fit import Excitation, Fit
from ._friction import friction
from ._linear import StateSpace
from ._measurement import FrequencyResponse, FrictionCurve, Loop, Measurement, Parameter, Trajectory
from ._model import Model, State
from ._result import Result, Table
from ._sweep import Run, sweep
from ._variables import Variable

__all__ = [
    "CommandError",
    "CoulisseError",
    "Discarded",
    "Excitation",
    "Finding",
    "Fit",
    "FrequencyResponse",
    "FrictionCurve",
    "Loop",
    "Measurement",
    "Model",
    "ModelError",
    "Parameter",
    "Result",
    "Run",
    "State",
    "StateSpace",
    "Table",
    "Trajectory",
    "Variable",
    "check",
    "friction",
    "models",
    "pack",
    "sweep",
]
