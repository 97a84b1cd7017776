"""Packed FMUs driven through ctypes, as a host would and as a host should not."""

import ctypes
import math
import random
from concurrent.futures import ThreadPoolExecutor
from ctypes import byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

import pytest

import harness
from fmi2 import DISCARD, ERROR, FUNCTIONS, LAST_SUCCESSFUL_TIME, OK, TERMINATED, Instance, Unit

ODD = [math.nan, math.inf, -math.inf]
STEPS = 10


@pytest.fixture(scope="module")
def units():
    own = [harness.ROOT / "tests" / "abi" / f"{name}.toml" for name in ("belt", "leaves_its_path")]
    return {model.stem: Unit(harness.pack(model)) for model in [*harness.SHOWN, *own]}


NAMES = [model.stem for model in harness.SHOWN] + ["belt"]


def one(reference):
    return (c_uint * 1)(reference)


def errors(instance):
    return sum(status == ERROR for status, _, _ in instance.messages)


def refused(instance, status, part=""):
    """The last call was refused with one message that names the function and says `part`."""
    assert status == ERROR
    assert instance.messages[-1][0] == ERROR
    assert instance.messages[-1][2].startswith("fmi2")
    assert part in instance.messages[-1][2]


def zero(kind):
    """NULL, 0 or 0.0 for an argument of this type."""
    return 0.0 if kind is c_double else 0 if kind in (c_int, c_size_t) else None


def test_every_function_refuses_null_for_the_instance(units):
    library = units["belt"].library
    library.fmi2FreeInstance(None)
    for name, arguments in FUNCTIONS.items():
        function = getattr(library, f"fmi2{name}")
        assert function(None, *map(zero, arguments)) == ERROR, name


def test_null_for_every_pointer_is_survived_in_every_state(units):
    """With 0 and with 7 for every number, so that NULL stands for nothing and for 7 values."""
    unit = units["belt"]
    instance = Instance(unit)
    leave = {"Terminate", "Reset", "EnterInitializationMode", "ExitInitializationMode", "SetupExperiment"}

    def all_functions():
        for name, kinds in FUNCTIONS.items():
            for number in (0, 7):
                if name not in leave:
                    before = len(instance.messages)
                    arguments = [number if kind in (c_int, c_size_t) else zero(kind) for kind in kinds]
                    status = getattr(instance, name)(*arguments)
                    assert status in (OK, DISCARD, ERROR), name
                    assert len(instance.messages) == before + (status != OK), name

    all_functions()
    assert instance.EnterInitializationMode() == OK
    all_functions()
    assert instance.ExitInitializationMode() == OK
    all_functions()
    assert instance.run(0, 3, unit.references("Real"))
    assert instance.Terminate() == OK
    all_functions()
    instance.free()


@pytest.mark.parametrize("name", NAMES)
def test_wrong_references_and_types_are_refused_and_change_nothing(units, name):
    unit = units[name]
    instance = Instance(unit)
    instance.initialize()
    outputs = unit.references("Real", "output")
    before = instance.read(outputs)
    real, whole, text = (c_double * 1)(1.0), (c_int * 1)(), (c_char_p * 1)(b"x")
    places = {"Real": real, "Integer": whole, "Boolean": whole, "String": text}
    for variable in unit.variables:
        reference = one(int(variable["valueReference"]))
        # Enumerations are read by the functions for Integer.
        own = {"Enumeration": "Integer"}.get(variable["type"], variable["type"])
        for kind, place in places.items():
            status = getattr(instance, f"Get{kind}")(reference, 1, place)
            if kind == own:
                assert status == OK, variable
            else:
                refused(instance, status, variable["name"])
                refused(instance, getattr(instance, f"Set{kind}")(reference, 1, place), variable["name"])
        if variable.get("causality") != "input" and variable.get("variability") != "tunable":
            refused(instance, instance.SetReal(reference, 1, real))
    for reference in (len(unit.variables), 2**32 - 1):
        for kind, place in places.items():
            refused(instance, getattr(instance, f"Get{kind}")(one(reference), 1, place), str(reference))
            refused(instance, getattr(instance, f"Set{kind}")(one(reference), 1, place), str(reference))
    size = c_size_t(-1).value
    refused(instance, instance.GetReal(one(outputs[0]), size, real))
    refused(instance, instance.SetReal(one(outputs[0]), size, real))
    assert instance.read(outputs) == before
    assert instance.run(0, 2, outputs)
    instance.free()


@pytest.mark.parametrize("name", NAMES)
def test_values_and_times_that_are_not_finite_are_refused_and_change_nothing(units, name):
    unit = units[name]
    straight, instance = Instance(unit), Instance(unit)
    for odd in ODD:
        refused(instance, instance.SetupExperiment(0, 0.0, odd, 0, 0.0))
        if odd != math.inf:  # which is no stop time
            refused(instance, instance.SetupExperiment(0, 0.0, 0.0, 1, odd))
    straight.initialize()
    instance.initialize()
    outputs = unit.references("Real", "output")
    for odd in ODD:
        for reference in unit.references("Real", "input"):
            refused(instance, instance.SetReal(one(reference), 1, byref(c_double(odd))), "finite")
            order = (c_int * 1)(1)
            status = instance.SetRealInputDerivatives(one(reference), 1, order, byref(c_double(odd)))
            refused(instance, status, "finite")
        refused(instance, instance.DoStep(0.0, odd, 1))
        refused(instance, instance.DoStep(odd, unit.step, 1))
    for length in (0.0, -unit.step, 1e300):
        refused(instance, instance.DoStep(0.0, length, 1))
    assert instance.run(0, STEPS, outputs) == straight.run(0, STEPS, outputs)
    instance.free()
    straight.free()


@pytest.mark.parametrize("name", NAMES)
def test_a_state_goes_on_with_the_same_bits_in_another_instance(units, name):
    unit = units[name]
    outputs = unit.references("Real", "output")
    first, second = Instance(unit), Instance(unit)
    first.initialize()
    first.run(0, STEPS, outputs)
    state, copy, size = c_void_p(), c_void_p(), c_size_t()
    assert first.GetFMUstate(byref(state)) == OK
    expected = first.run(STEPS, 2 * STEPS, outputs)
    assert first.SerializedFMUstateSize(state, byref(size)) == OK
    data = ctypes.create_string_buffer(size.value)
    assert first.SerializeFMUstate(state, data, size) == OK
    assert first.SetFMUstate(state) == OK
    assert first.run(STEPS, 2 * STEPS, outputs) == expected
    assert second.DeSerializeFMUstate(data, size, byref(copy)) == OK
    assert second.FreeFMUstate(byref(state)) == OK and not state
    first.free()
    assert second.SetFMUstate(copy) == OK
    assert second.run(STEPS, 2 * STEPS, outputs) == expected
    for place in (0, 30, size.value // 2, size.value - 1):
        altered = ctypes.create_string_buffer(data.raw, size.value)
        altered[place] = bytes([altered.raw[place] ^ 1])
        refused(second, second.DeSerializeFMUstate(altered, size, byref(state)))
        assert not state
    assert second.FreeFMUstate(byref(copy)) == OK
    second.free()


@pytest.mark.parametrize("name", NAMES)
def test_interleaved_instances_and_eight_threads_give_the_bits_of_one(units, name):
    unit = units[name]
    outputs = unit.references("Real", "output")

    def alone(_=None):
        instance = Instance(unit)
        instance.initialize()
        rows = instance.run(0, STEPS, outputs)
        instance.free()
        return rows

    expected = alone()
    instances = [Instance(unit) for _ in range(3)]
    for instance in instances:
        instance.initialize()
    for i in range(STEPS):
        for instance in reversed(instances):
            assert instance.run(i, i + 1, outputs) == [expected[i]]
    for instance in instances:
        instance.free()
    with ThreadPoolExecutor(8) as threads:
        assert all(rows == expected for rows in threads.map(alone, range(8)))


def test_a_discarded_step_is_answered_so_that_a_host_need_not_loop(units):
    unit = units["leaves_its_path"]
    instance = Instance(unit)
    instance.initialize()
    now = 0.0
    while (status := instance.DoStep(now, unit.step, 1)) == OK:
        now += unit.step
    assert status == DISCARD
    ended, last = c_int(), c_double()
    assert instance.GetBooleanStatus(TERMINATED, byref(ended)) == OK and ended.value == 1
    assert instance.GetRealStatus(LAST_SUCCESSFUL_TIME, byref(last)) == OK
    assert now <= last.value < now + unit.step
    refused(instance, instance.DoStep(last, unit.step, 1), "last successful time")
    assert instance.Terminate() == OK
    instance.free()


@pytest.mark.parametrize("name", [*NAMES, "leaves_its_path"])
def test_any_order_of_calls_is_survived_and_every_refusal_is_logged(units, name):
    unit = units[name]
    draw = random.Random(name)
    instance = Instance(unit)
    states = [c_void_p() for _ in range(3)]
    numbers = [0.0, 1.0, -1.0, 1e-300, 1e300, *ODD]
    steps, now = 0, c_double()
    for _ in range(5000):
        reference, x, k = one(draw.randrange(len(unit.variables) + 1)), (c_double * 1)(), (c_int * 1)()
        state = draw.choice(states)
        x[0] = draw.choice(numbers)
        length = unit.step if draw.random() < 0.8 else x[0] * unit.step
        likely = lambda share: draw.random() < share
        step = lambda: instance.DoStep(now, length, 1)
        call = draw.choice(
            [
                lambda: instance.SetupExperiment(0, 0.0, 0.0, likely(0.2), draw.choice(numbers)),
                lambda: instance.EnterInitializationMode(),
                lambda: instance.ExitInitializationMode(),
                lambda: instance.Terminate() if likely(0.1) else OK,
                lambda: instance.Reset() if likely(0.2) else OK,
                lambda: instance.GetReal(reference, 1, x),
                lambda: instance.GetInteger(reference, 1, k),
                lambda: instance.GetBoolean(reference, 1, k),
                lambda: instance.SetReal(reference, 1, x) if likely(0.2) else OK,
                lambda: instance.SetRealInputDerivatives(reference, 1, (c_int * 1)(draw.randrange(4)), x),
                lambda: instance.GetRealOutputDerivatives(reference, 1, (c_int * 1)(draw.randrange(4)), x),
                lambda: instance.GetDirectionalDerivative(reference, 1, reference, 1, x, x),
                lambda: instance.GetFMUstate(byref(state)),
                lambda: instance.SetFMUstate(state),
                lambda: instance.FreeFMUstate(byref(state)),
                lambda: instance.GetRealStatus(LAST_SUCCESSFUL_TIME, byref(now)),
                lambda: instance.CancelStep(),
                *[step] * 5,
            ]
        )
        before = errors(instance)
        status = call()
        assert status in (OK, DISCARD, ERROR)
        assert errors(instance) == before + (status == ERROR)
        assert "defect" not in (instance.messages or [("", "", "")])[-1][2]
        steps += call is step and status == OK
    assert steps > 10
    for state in states:
        assert instance.FreeFMUstate(byref(state)) == OK
    instance.free()
