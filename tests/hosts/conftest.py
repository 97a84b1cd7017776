"""The examples as a reader has them: their folder and the module to import from, the command on the path."""

import fcntl
import os
import shutil
import sys
import tempfile

import pytest

import harness

sys.path.insert(0, str(harness.ROOT / "examples"))
sys.path.insert(0, str(harness.ROOT / "tools" / "python"))
# And whatever the tests start: scripts, kernels of notebooks, workers.
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ["COULISSE"] = str(harness.COMMAND)
os.environ["PATH"] = f"{harness.COMMAND.parent}{os.pathsep}{os.environ['PATH']}"

# Held by whoever starts processes that run tests.
IN_USE = open(harness.TARGET / "hosts.lock", "w")

# Files that take longest, longest first: the others fill what is left of the time of each process.
LONG = ["test_component.py", "test_wheel.py", "test_arm.py", "test_ctypes.py", "test_coupling_hosts.py", "test_problems.py", "test_derivatives.py"]


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


def cleared():
    """Removes what tests have written, unless another session runs them."""
    try:
        fcntl.flock(IN_USE, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(harness.TARGET / "hosts", ignore_errors=True)
    except BlockingIOError:
        pass
    fcntl.flock(IN_USE, fcntl.LOCK_SH)


def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):
        # Nothing of an earlier session is taken for one of this.
        cleared()
    harness.FOLDER.mkdir(parents=True, exist_ok=True)


def pytest_sessionfinish(session, exitstatus):
    """FMUs and rows stay where something has failed."""
    if exitstatus == 0 and not hasattr(session.config, "workerinput"):
        cleared()


def library_for(platform):
    if not harness.ALL:
        pytest.skip("full tier: builds a release of the library for another platform, which takes minutes")
    library = harness.portable_library(platform)
    if library is None:
        pytest.skip(f"Rust's standard library for {platform} cannot be had")
    return library


@pytest.fixture(scope="session")
def portable():
    """The library for other machines with Linux."""
    return library_for("linux64")


@pytest.fixture(scope="session")
def libraries(request):
    """What pages pack: in the full tier the library for other machines with Linux, in the fast one that of this build."""
    if harness.ALL:
        request.getfixturevalue("portable")


@pytest.fixture(scope="session")
def windows():
    """That for Windows."""
    return library_for("win64")


@pytest.fixture(scope="session")
def arm():
    """That for Linux on ARM."""
    return library_for("aarch64-linux")


@pytest.fixture(scope="session")
def every_library():
    """Those for all platforms, by their names."""
    return {platform: library_for(platform) for platform in harness.PLATFORMS}


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path_factory):
    """What hosts unpack and leave in a test goes when it ends: tens of megabytes each time."""
    # The folders that pytest gives lie outside of it.
    tmp_path_factory.getbasetemp()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield
