"""The Python module with FMUs of other tools: it hands over what the standard lets them call."""

import subprocess
import zipfile

import pytest

import coulisse
from coulisse import _fmi, _fmi2

# An FMU that allocates by the host's function, as PythonFMU's do, and knows no category of messages.
SOURCE = r"""
#include <stddef.h>
typedef struct {
    void *logger; void *(*allocate)(size_t, size_t); void (*release)(void *); void *finished; void *environment;
} Callbacks;
static Callbacks host;
void *fmi2Instantiate(const char *n, int t, const char *g, const char *r, const Callbacks *c, int v, int l)
    { host = *c; return host.allocate(1, 8); }
void fmi2FreeInstance(void *c) { host.release(c); }
int fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *names) { return 3; }
int fmi2GetReal(void *c, const unsigned *r, size_t n, double *values)
    { for (size_t i = 0; i < n; i++) values[i] = 7.0; return 0; }
"""
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="VERSION" modelName="other" guid="{1}">
  <CoSimulation modelIdentifier="other"/>
  <ModelVariables>
    <ScalarVariable name="y" valueReference="0" causality="output" variability="continuous" initial="exact"><Real start="7"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure>
</fmiModelDescription>
"""


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Makes the FMU with this version in its description."""
    folder = tmp_path_factory.mktemp("other")
    written = {"Instantiate", "FreeInstance", "SetDebugLogging", "GetReal"}
    stubs = "".join(f"int fmi2{name}(void *c) {{ return 0; }}\n" for name in _fmi2.Instance2.FUNCTIONS if name not in written)
    (folder / "other.c").write_text(SOURCE + stubs)
    library = folder / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "other.c"], check=True)

    def of(version):
        path = folder / f"other_{version}.fmu"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("modelDescription.xml", DESCRIPTION.replace("VERSION", version))
            archive.write(library, f"binaries/{_fmi._folders()[1]}/other.so")
        return path

    return of


def test_an_fmu_that_allocates_by_the_host_and_has_no_log_categories_runs(other):
    with coulisse.Model(other("2.0")) as model:
        assert model.simulate(stop=0.01)["y"][-1] == 7.0


def test_an_fmu_of_another_version_is_refused_with_the_version_that_is_known(other):
    with pytest.raises(coulisse.ModelError, match="FMI 2.0"):
        coulisse.Model(other("4.0"))
