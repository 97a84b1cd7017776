"""Results in the formats of others hold the bits of the CSV file."""

import csv
import json
import os
import subprocess
import zipfile

import fastparquet
import imageio_ffmpeg
import numpy as np
import openpyxl
import pandas
import pyarrow.parquet
import pytest
import scipy.io
from DyMat import DyMatFile

import harness

MODEL = harness.ROOT / "resources" / "models" / "incline.toml"

# A mass that nothing acts on.
POINT = """
name = "point"
[experiment]
stop_time = 140.0
communication_step = 1e-3
[solver]
step = 1e-3
[points]
mass = [0.0, 0.0]
[masses]
mass = { point = "mass", mass = 1.0 }
[initial.points.mass]
vx = 2.0
[interface]
outputs = ["points.mass.x"]
"""


@pytest.fixture(scope="module")
def rows():
    """Columns of the CSV file by name."""
    with written("csv").open(newline="") as file:
        header, *lines = csv.reader(file)
    values = np.array(lines, dtype=float)
    return {name: values[:, k].copy() for k, name in enumerate(header)}


@pytest.fixture(scope="module")
def about():
    """Unit and description of each output, from the FMU."""
    description = harness.fmpy.read_model_description(harness.pack(MODEL))
    return {v.name: (v.unit or "", v.description) for v in description.modelVariables}


def written(ending):
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    path = harness.FOLDER / f"rows.{ending}"
    harness.coulisse("run", MODEL, "-o", path)
    return path


def test_arrays_of_numpy(rows, about):
    path = written("npz")
    with np.load(path) as arrays:
        assert list(arrays["__names__"]) == list(rows)
        assert set(arrays.files) == {"__names__", "__units__", *rows}
        for name, unit in zip(arrays["__names__"], arrays["__units__"]):
            assert arrays[name].tobytes() == rows[name].tobytes(), name
            assert unit == ("s" if name == "time" else about[name][0]), name
    first = path.read_bytes()
    assert written("npz").read_bytes() == first
    assert zipfile.ZipFile(path).testzip() is None


def test_workbook(rows, about):
    path = written("xlsx")
    names, units, *lines = openpyxl.load_workbook(path, read_only=True).active.values
    assert list(names) == list(rows)
    assert [unit or "" for unit in units] == ["s" if name == "time" else about[name][0] for name in names]
    assert np.array(lines, dtype=float).tobytes() == np.array(list(rows.values())).T.tobytes()
    first = path.read_bytes()
    assert written("xlsx").read_bytes() == first


def test_headings_with_units(rows, about):
    path = harness.FOLDER / "units.csv"
    harness.coulisse("run", MODEL, "--units", "-o", path)
    units = {"time": "s", **{name: unit for name, (unit, _) in about.items()}}
    expected = [f"{name} [{units[name]}]" if units[name] else name for name in rows]
    with path.open(newline="") as file:
        assert next(csv.reader(file)) == expected


def test_motion_as_mp4():
    path, ffmpeg = harness.FOLDER / "motion.mp4", imageio_ffmpeg.get_ffmpeg_exe()
    folder = harness.FOLDER / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "ffmpeg"
    link.unlink(missing_ok=True)
    link.symlink_to(ffmpeg)
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    command = [str(harness.COMMAND), "run", MODEL, "--stop", "1", "--mp4", path]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(path)
    assert (frames, seconds) == (101, pytest.approx(101 / 25, abs=0.01))


def test_trajectories_of_openmodelica_and_dymola(rows, about):
    path = written("mat")
    raw = scipy.io.loadmat(path, chars_as_strings=False)
    # OpenModelica compares these letters as they are.
    letters = "".join(raw["Aclass"].flatten(order="F"))
    assert letters == "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   "
    names = ["".join(column) for column in raw["name"].T]
    assert names == list(rows)
    table = raw["data_2"]
    for k, name in enumerate(names):
        assert table[k].tobytes() == rows[name].tobytes(), name
    assert list(raw["dataInfo"][:, 0]) == [0, 1, 0, -1] and list(raw["dataInfo"][:, 1]) == [2, 2, 0, -1]
    assert raw["data_1"].tolist() == [[rows["time"][0], rows["time"][-1]]]

    reader = DyMatFile(str(path))
    outputs = [name for name in rows if name != "time"]
    assert sorted(reader.names()) == sorted(outputs)
    for name in outputs:
        unit, text = about[name]
        assert reader.description(name) == (f"{text} [{unit}]" if unit else text)
        assert np.array_equal(reader.data(name), rows[name])
        assert np.array_equal(reader.abscissa(name, valuesOnly=True), rows["time"])


def test_parquet_in_two_readers(rows, about):
    path = written("parquet")
    for frame in (pandas.read_parquet(path, engine="pyarrow"), fastparquet.ParquetFile(path).to_pandas()):
        assert list(frame) == list(rows)
        for name in rows:
            assert frame[name].to_numpy().tobytes() == rows[name].tobytes(), name
    units = json.loads(pyarrow.parquet.read_schema(path).metadata[b"units"])
    assert units == {name: "s" if name == "time" else about[name][0] for name in rows}
    first = path.read_bytes()
    assert written("parquet").read_bytes() == first


def test_parquet_of_more_rows_than_a_page_holds(tmp_path):
    """140 001 rows: two pages a column."""
    path = tmp_path / "long.parquet"
    model = tmp_path / "point.toml"
    model.write_text(POINT)
    harness.coulisse("run", model, "-o", path)
    table = pyarrow.parquet.read_table(path)
    time, place = (table[name].to_numpy() for name in ("time", "points.mass.x"))
    assert len(time) == 140_001 and np.all(np.diff(time) > 0.0)
    assert np.allclose(place, 2.0 * time, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("ending", ["csv", "npz", "mat", "parquet"])
def test_a_run_that_ends_early_keeps_its_rows_in_a_whole_file(ending):
    """A mass falls along a guide of 1 m, and is gone after 0.45 s."""
    path = harness.FOLDER / f"early.{ending}"
    with pytest.raises(RuntimeError, match="the rows up to"):
        harness.coulisse("run", harness.ROOT / "tests/abi/leaves_its_path.toml", "--stop", 2, "--step", 0.01, "-o", path)
    times = {
        "csv": lambda: np.loadtxt(path, delimiter=",", skiprows=1)[:, 0],
        "npz": lambda: np.load(path)["time"],
        "parquet": lambda: pandas.read_parquet(path)["time"].to_numpy(),
        "mat": lambda: scipy.io.loadmat(path)["data_2"][0],
    }[ending]()
    assert 0.4 < times[-1] < 0.46 and len(times) > 40
