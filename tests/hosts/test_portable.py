"""The libraries that `tools/portable-library` builds."""

import re
from pathlib import Path

import fmpy
import lief
import numpy as np
import pytest

import harness

#: The library for each processor.
PROCESSOR = {
    "linux64": lief.ELF.ARCH.X86_64,
    "aarch64-linux": lief.ELF.ARCH.AARCH64,
    "win64": lief.PE.Header.MACHINE_TYPES.AMD64,
    "aarch64-windows": lief.PE.Header.MACHINE_TYPES.ARM64,
    "darwin64": lief.MachO.Header.CPU_TYPE.X86_64,
    "aarch64-darwin": lief.MachO.Header.CPU_TYPE.ARM64,
}
LINUX, WINDOWS, MACOS = (
    [platform for platform in harness.PLATFORMS if system in platform] for system in ("linux", "win", "darwin")
)
WINDOWS = [platform for platform in WINDOWS if platform not in MACOS]
# glibc and its parts, which before 2.34 (2021) were files of their own.
OF_GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
#: Largest FMU of a bundled model with all libraries, bytes.
LARGEST = 26e6


def processor(library):
    header = library.header
    return getattr(header, "machine_type", None) or getattr(header, "machine", None) or header.cpu_type


def exports(library):
    """Names of what a library of any system exports, as C has them."""
    if isinstance(library, lief.PE.Binary):
        return {entry.name for entry in library.get_export().entries}
    names = {symbol.name for symbol in library.exported_symbols}
    return {name.removeprefix("_") for name in names} if isinstance(library, lief.MachO.Binary) else names


def needed(library):
    """The libraries that a library asks its system for."""
    if isinstance(library, lief.PE.Binary):
        return {imported.name.lower().removesuffix(".dll") for imported in library.imports}
    if isinstance(library, lief.MachO.Binary):
        return named(library, lief.MachO.LoadCommand.TYPE.LOAD_DYLIB)
    return set(library.libraries)


def named(library, kind):
    """Names in the load commands of one kind."""
    return {command.name for command in library.commands if command.command == kind}


@pytest.fixture(scope="module")
def read(every_library):
    return {platform: lief.parse(str(path)) for platform, path in every_library.items()}


def test_each_is_for_its_processor_and_exports_the_functions_of_fmi_and_nothing_else(read):
    headers = Path(fmpy.__file__).parent / "c-code"
    functions = {name for header in ("fmi2Functions.h", "fmi3Functions.h")
                 for name in re.findall(r"FullName\((fmi\w+)\)", (headers / header).read_text())}
    assert {"fmi2DoStep", "fmi3DoStep", "fmi3GetFloat64"} <= functions
    for platform, library in read.items():
        assert processor(library) == PROCESSOR[platform], platform
        assert exports(library) == functions, platform


@pytest.mark.parametrize("platform", LINUX)
def test_on_linux_glibc_2_17_will_do_and_nothing_but_it(read, platform):
    versions = [symbol.symbol_version.symbol_version_auxiliary for symbol in read[platform].imported_symbols if symbol.symbol_version]
    versions = {version.name for version in versions if version}
    newest = max(tuple(map(int, version.split("_")[1].split("."))) for version in versions if version.startswith("GLIBC_"))
    print("newest symbol: glibc", newest, "needs", *needed(read[platform]))
    assert (2, 0) < newest <= (2, 17)
    assert "libc.so.6" in needed(read[platform]) <= OF_GLIBC


@pytest.mark.parametrize("platform", WINDOWS)
def test_on_windows_nothing_but_windows_is_needed(read, platform):
    libraries = needed(read[platform])
    print("needs", *sorted(libraries))
    # The names of api-ms-win are those of the system itself: the C library of Windows 10, and what threads wait on.
    own = {name for name in libraries if name.startswith(("api-ms-win-crt-", "api-ms-win-core-synch-"))}
    assert "kernel32" in libraries and own
    assert libraries - own <= {"kernel32", "ntdll", "bcryptprimitives", "userenv", "ws2_32"}


@pytest.mark.parametrize("platform", MACOS)
def test_on_macos_the_system_alone_is_needed_and_an_old_one_will_do(read, platform):
    library = read[platform]
    assert needed(library) == {"/usr/lib/libSystem.B.dylib"}
    oldest = library.build_version.minos if library.has_build_version else library.version_min.version
    assert list(oldest)[:2] <= ([11, 0] if platform == "aarch64-darwin" else [10, 12])
    # On ARM macOS loads nothing without a signature, be it of nobody.
    assert platform != "aarch64-darwin" or library.has_code_signature
    assert named(library, lief.MachO.LoadCommand.TYPE.ID_DYLIB) == {"@rpath/libcoulisse.dylib"}


def test_an_fmu_holds_all_of_them_and_those_that_are_asked_for(every_library, tmp_path):
    fmu = tmp_path / "quick_return.fmu"
    said = harness.coulisse("pack", "quick_return", "-o", fmu)
    assert all(platform in said for platform in harness.PLATFORMS), said
    assert said.count("not run") == 3, said
    assert inside(fmu) == set(harness.PLATFORMS) - {"aarch64-darwin"}
    print(f"{fmu.stat().st_size / 1e6:.1f} MB")
    assert fmu.stat().st_size <= LARGEST
    assert harness.coulisse("check", fmu).startswith("ok")
    # Hosts of FMI 2.0 look into one folder of macOS.
    universal = lief.MachO.parse(fmpy.extract(str(fmu)) + "/binaries/darwin64/quick_return.dylib")
    assert [part.header.cpu_type for part in universal] == [PROCESSOR["darwin64"], PROCESSOR["aarch64-darwin"]]
    assert all({"fmi2DoStep", "fmi3DoStep"} <= exports(part) for part in universal)

    harness.coulisse("pack", "quick_return", "-o", fmu, "--platforms", "linux64,win64")
    assert inside(fmu) == {"linux64", "win64"}

    harness.coulisse("pack", "quick_return", "-o", fmu, "--fmi", "3")
    assert inside(fmu) == {f"{processor}-{system}" for processor in ("x86_64", "aarch64") for system in ("linux", "windows", "darwin")}
    assert fmu.stat().st_size <= LARGEST
    assert harness.coulisse("check", fmu).startswith("ok")


def inside(fmu):
    """Folders of libraries in an FMU."""
    return {path.name for path in (Path(fmpy.extract(str(fmu))) / "binaries").iterdir()}


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
