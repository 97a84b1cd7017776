"""The functions of FMI 2.0 through ctypes, written from the standard: nothing of it comes from a host."""

import ctypes
import tempfile
import zipfile
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from xml.etree import ElementTree

OK, WARNING, DISCARD, ERROR, FATAL, PENDING = range(6)
DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED = range(4)
CO_SIMULATION = 1

# A variadic function in C; the library sends its text as the format, without further arguments.
Logger = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [
        ("logger", Logger),
        ("allocate_memory", c_void_p),
        ("free_memory", c_void_p),
        ("step_finished", c_void_p),
        ("environment", c_void_p),
    ]


REFERENCES = [POINTER(c_uint), c_size_t]
#: Arguments of every function after the component.
FUNCTIONS = {
    "SetDebugLogging": [c_int, c_size_t, POINTER(c_char_p)],
    "SetupExperiment": [c_int, c_double, c_double, c_int, c_double],
    "EnterInitializationMode": [],
    "ExitInitializationMode": [],
    "Terminate": [],
    "Reset": [],
    "GetReal": [*REFERENCES, POINTER(c_double)],
    "GetInteger": [*REFERENCES, POINTER(c_int)],
    "GetBoolean": [*REFERENCES, POINTER(c_int)],
    "GetString": [*REFERENCES, POINTER(c_char_p)],
    "SetReal": [*REFERENCES, POINTER(c_double)],
    "SetInteger": [*REFERENCES, POINTER(c_int)],
    "SetBoolean": [*REFERENCES, POINTER(c_int)],
    "SetString": [*REFERENCES, POINTER(c_char_p)],
    "GetFMUstate": [POINTER(c_void_p)],
    "SetFMUstate": [c_void_p],
    "FreeFMUstate": [POINTER(c_void_p)],
    "SerializedFMUstateSize": [c_void_p, POINTER(c_size_t)],
    "SerializeFMUstate": [c_void_p, c_char_p, c_size_t],
    "DeSerializeFMUstate": [c_char_p, c_size_t, POINTER(c_void_p)],
    "GetDirectionalDerivative": [*REFERENCES, *REFERENCES, POINTER(c_double), POINTER(c_double)],
    "SetRealInputDerivatives": [*REFERENCES, POINTER(c_int), POINTER(c_double)],
    "GetRealOutputDerivatives": [*REFERENCES, POINTER(c_int), POINTER(c_double)],
    "DoStep": [c_double, c_double, c_int],
    "CancelStep": [],
    "GetStatus": [c_int, POINTER(c_int)],
    "GetRealStatus": [c_int, POINTER(c_double)],
    "GetIntegerStatus": [c_int, POINTER(c_int)],
    "GetBooleanStatus": [c_int, POINTER(c_int)],
    "GetStringStatus": [c_int, POINTER(c_char_p)],
    "EnterEventMode": [],
    "NewDiscreteStates": [c_void_p],
    "EnterContinuousTimeMode": [],
    "CompletedIntegratorStep": [c_int, POINTER(c_int), POINTER(c_int)],
    "SetTime": [c_double],
    "SetContinuousStates": [POINTER(c_double), c_size_t],
    "GetDerivatives": [POINTER(c_double), c_size_t],
    "GetEventIndicators": [POINTER(c_double), c_size_t],
    "GetContinuousStates": [POINTER(c_double), c_size_t],
    "GetNominalsOfContinuousStates": [POINTER(c_double), c_size_t],
}


class Unit:
    """An unpacked FMU with its library and its variables."""

    def __init__(self, fmu):
        # Goes with the unit.
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        with zipfile.ZipFile(fmu) as archive:
            archive.extractall(self.folder)
        description = ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.guid = description.get("guid")
        experiment = description.find("DefaultExperiment")
        self.stop, self.step = (float(experiment.get(key)) for key in ("stopTime", "stepSize"))
        name = description.find("CoSimulation").get("modelIdentifier")
        self.library = ctypes.CDLL(str(self.folder / "binaries" / "linux64" / f"{name}.so"))
        self.library.fmi2Instantiate.restype = c_void_p
        self.library.fmi2Instantiate.argtypes = [
            c_char_p, c_int, c_char_p, c_char_p, POINTER(Callbacks), c_int, c_int
        ]
        self.library.fmi2FreeInstance.restype = None
        self.library.fmi2FreeInstance.argtypes = [c_void_p]
        for function, arguments in FUNCTIONS.items():
            getattr(self.library, f"fmi2{function}").argtypes = [c_void_p, *arguments]
        self.variables = [
            {**variable.attrib, "type": variable[0].tag} for variable in description.find("ModelVariables")
        ]

    def references(self, kind, *causalities):
        return [
            int(v["valueReference"])
            for v in self.variables
            if v["type"] == kind and (not causalities or v.get("causality") in causalities)
        ]


class Instance:
    """One instance; a call by the name of its function gives its status."""

    def __init__(self, unit, name="ctypes", logging=False):
        self.unit = unit
        self.messages = []
        self.callbacks = Callbacks(logger=Logger(self._log))
        location = (unit.folder / "resources").as_uri()
        texts = [text.encode() for text in (name, unit.guid, location)]
        self.component = unit.library.fmi2Instantiate(
            texts[0], CO_SIMULATION, *texts[1:], byref(self.callbacks), 0, logging
        )
        assert self.component, self.messages

    def _log(self, _, name, status, category, form):
        assert name and category and b"%" not in form.replace(b"%%", b"")
        self.messages.append((status, category.decode(), form.decode().replace("%%", "%")))

    def __getattr__(self, function):
        return lambda *arguments: getattr(self.unit.library, f"fmi2{function}")(self.component, *arguments)

    def free(self):
        self.unit.library.fmi2FreeInstance(self.component)
        self.component = None

    def initialize(self):
        assert self.SetupExperiment(0, 0.0, 0.0, 0, 0.0) == OK
        assert self.EnterInitializationMode() == OK
        assert self.ExitInitializationMode() == OK

    def read(self, references):
        values = (c_double * len(references))()
        assert self.GetReal((c_uint * len(references))(*references), len(references), values) == OK
        return bytes(values)

    def run(self, begin, end, references):
        """Bits of the outputs after the communication steps with these numbers."""
        rows = []
        for i in range(begin, end):
            assert self.DoStep(i * self.unit.step, self.unit.step, 1) == OK, self.messages
            rows.append(self.read(references))
        return rows
