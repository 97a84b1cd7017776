"""The libraries that `tools/portable-library` builds."""

import re
import subprocess

import numpy as np

import harness

# glibc and its parts, which before 2.34 (2021) were files of their own.
OF_GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}
ALLOWED = OF_GLIBC | {"libgcc_s.so.1"}


def objdump(option, library):
    return subprocess.run(["objdump", option, library], check=True, text=True, capture_output=True).stdout


def test_it_runs_with_glibc_2_17(portable):
    versions = set(re.findall(r"GLIBC_([\d.]+)", objdump("-T", portable)))
    newest = max(tuple(map(int, version.split("."))) for version in versions)
    print("newest symbol: glibc", ".".join(map(str, newest)))
    assert newest <= (2, 17)


def test_it_needs_nothing_but_the_c_library(portable):
    needed = set(re.findall(r"NEEDED\s+(\S+)", objdump("-p", portable)))
    print("needs", *sorted(needed))
    assert "libc.so.6" in needed
    assert needed <= ALLOWED


def exports(library):
    """Names of what a library of either system exports."""
    if library.suffix == ".dll":
        table = re.search(r"\[Ordinal/Name Pointer\] Table\n(.*?)\n\n", objdump("-p", library), re.S)[1]
        return {line.split()[-1] for line in table.splitlines() if re.match(r"\s*\[ *\d+\]", line)}
    lines = [line for line in objdump("-T", library).splitlines() if " g " in line and "*UND*" not in line]
    return {line.split()[-1] for line in lines}


def test_it_exports_the_functions_of_fmi_and_nothing_else(portable):
    names = exports(portable)
    assert {"fmi2Instantiate", "fmi2DoStep", "fmi2GetFMUstate", "fmi2NewDiscreteStates"} <= names
    assert all(name.startswith("fmi2") for name in names), names


def test_that_for_windows_exports_the_same(portable, windows):
    assert exports(windows) == exports(portable)


def test_that_for_windows_needs_nothing_but_windows(windows):
    needed = {name.lower().removesuffix(".dll") for name in re.findall(r"DLL Name: (\S+)", objdump("-p", windows))}
    print("needs", *sorted(needed))
    # The names of api-ms-win are those of the system itself: the C library of Windows 10, and what threads wait on.
    own = {name for name in needed if name.startswith(("api-ms-win-crt-", "api-ms-win-core-synch-"))}
    assert "kernel32" in needed and own
    assert needed - own <= {"kernel32", "ntdll", "bcryptprimitives", "userenv", "ws2_32"}


def test_its_fmu_gives_the_bits_of_run(portable):
    model = harness.ROOT / "resources" / "models" / "quick_return.toml"
    fmu = harness.FOLDER / "quick_return_portable.fmu"
    harness.coulisse("pack", model, "-o", fmu, "--library", portable)
    csv = harness.FOLDER / "quick_return_portable.csv"
    harness.coulisse("run", model, "-o", csv)
    expected = harness.rows(csv)
    result = harness.simulate(fmu)
    for column in result.dtype.names:
        assert np.array_equal(np.asarray(result[column], float), expected[column]), column
