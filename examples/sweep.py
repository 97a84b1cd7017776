"""Parameter study of an FMU on all cores of this machine, or on a Dask cluster.

    python sweep.py quick_return.fmu -o friction.csv \\
        --vary joints.N.friction.stribeck.kinetic_coefficient=0:0.3:7 \\
        --vary joints.N.friction.stribeck.static_coefficient=0.3,0.5

runs all combinations, --vary NAME=FIRST:LAST:COUNT or NAME=VALUE,VALUE,...; --dask spreads them
over a Dask cluster on this machine, --scheduler ADDRESS over one that runs elsewhere. A row goes into
the CSV file as soon as its run has finished; the same call again does what is still missing. A run
that the FMU refuses gets a row with the reason in `fault`.

On a cluster with a batch system each job of an array does a part, --part K/N, K from 1 to N; its table is
friction.KofN.csv. --merge N makes friction.csv of all of them.
"""

import argparse
import csv
import importlib
import itertools
import multiprocessing
import os
import tempfile
import threading
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from pathlib import Path

import numpy as np

# Runs of one point that may die with their process before the study gives up.
LIVES = 3


def span(text):
    """NAME=FIRST:LAST:COUNT or NAME=VALUE,VALUE,... as a name and its values."""
    name, _, values = text.partition("=")
    try:
        if values.count(":") == 2:
            first, last, count = values.split(":")
            return name, [float(v) for v in np.linspace(float(first), float(last), int(count))]
        return name, [float(v) for v in values.split(",")]
    except ValueError:
        message = f"{text!r}; allowed: NAME=FIRST:LAST:COUNT or NAME=VALUE,VALUE,..."
        raise argparse.ArgumentTypeError(message) from None


@lru_cache(maxsize=1)
def unpacked(fmu):
    """The FMU (its bytes: workers need not see the file), unpacked once in each process."""
    import fmpy

    with tempfile.NamedTemporaryFile(suffix=".fmu") as file:
        file.write(fmu)
        file.flush()
        folder = fmpy.extract(file.name)
    return folder, fmpy.read_model_description(folder)


def run(fmu, start_values, outputs, stop, step):
    """Smallest, largest and root mean square value of each output, and the fault if there is one."""
    import fmpy

    folder, description = unpacked(fmu)
    log = []
    try:
        result = fmpy.simulate_fmu(
            folder,
            model_description=description,
            fmi_type="CoSimulation",
            start_values=start_values,
            output=outputs,
            stop_time=stop,
            output_interval=step,
            logger=lambda *message: log.append(message),
        )
    except Exception as error:
        said = [text.decode() for *_, status, _, text in log if status > 1]
        return {"fault": " ".join(" ".join(said or [str(error)]).split())}
    figures = {"fault": ""}
    for name in outputs:
        values = np.asarray(result[name], float)
        figures[f"{name} min"] = values.min()
        figures[f"{name} max"] = values.max()
        figures[f"{name} rms"] = np.sqrt(np.mean(values**2))
    return figures


class Results:
    """The CSV file: one row for each finished run, on disk before the next one is taken."""

    def __init__(self, path, study, names, outputs):
        self.path, self.names = Path(path), names
        # What makes this study another than the next; stands in every row.
        self.study = {key: str(value) for key, value in study.items()}
        figures = [f"{name} {figure}" for name in outputs for figure in ("min", "max", "rms")]
        self.columns = [*self.study, *names, *figures, "fault"]
        self.done = set()
        if self.path.exists() and self.path.stat().st_size > 0:
            self.resume()
        self.file = open(self.path, "a", newline="")
        self.writer = csv.DictWriter(self.file, self.columns)
        if self.file.tell() == 0:
            self.writer.writeheader()

    def resume(self):
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            # A crash or a full disk cut the last row short: that run is done again.
            os.truncate(self.path, len(whole))
        with open(self.path, newline="") as file:
            rows = csv.DictReader(file)
            if whole and rows.fieldnames != self.columns:
                raise SystemExit(f"{self.path} holds another study (other columns); name another file with -o")
            for row in rows:
                for key, ours in self.study.items():
                    if row[key] != ours:
                        theirs = f"{self.path} holds results for {key} = {row[key]}, this is {ours}"
                        raise SystemExit(f"{theirs}; name another file with -o")
                self.done.add(tuple(float(row[name]) for name in self.names))

    def append(self, point, figures):
        self.writer.writerow({**self.study, **dict(zip(self.names, point)), **figures})
        self.file.flush()
        os.fsync(self.file.fileno())


def end_with_parent():
    """Workers of a study that was killed would wait for work forever."""
    parent = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def on_this_machine(tasks, processes):
    """Finished points with their results; what dies with a worker is tried again."""
    lives = {point: LIVES for point in tasks}
    # Fresh processes: a fork of one that holds threads may hang.
    context = multiprocessing.get_context("spawn")
    while lives:
        with ProcessPoolExecutor(processes, context, end_with_parent) as pool:
            futures = {pool.submit(run, *tasks[point]): point for point in lives}
            try:
                for future in as_completed(futures):
                    point = futures[future]
                    figures = future.result()
                    del lives[point]
                    yield point, figures
            except BrokenProcessPool:
                print("a worker died; its runs start again", flush=True)
                # Which of the unfinished runs killed it cannot be known: the oldest were running.
                for point in list(lives)[: processes or os.cpu_count()]:
                    lives[point] -= 1
                    if lives[point] == 0:
                        raise SystemExit(f"the run at {point} ended its process {LIVES} times") from None


def on_dask(tasks, scheduler, processes):
    """The same on a Dask cluster, which itself tries again what dies with a worker."""
    from dask.distributed import Client, KilledWorker, LocalCluster
    from dask.distributed import as_completed as finished

    cluster = scheduler or LocalCluster(n_workers=processes, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        # The workers get this script; they find `run` by the script's name, not as `__main__`.
        client.upload_file(__file__)
        run = importlib.import_module(Path(__file__).stem).run
        first = next(iter(tasks.values()))
        fmu = client.scatter(first[0], broadcast=True)
        futures = {client.submit(run, fmu, *task[1:], pure=False): point for point, task in tasks.items()}
        for future in finished(futures):
            try:
                yield futures[future], future.result()
            except (KilledWorker, CancelledError) as error:
                raise SystemExit(f"the run at {futures[future]} was lost: {error}") from None
    if not scheduler:
        cluster.close()


def part(text):
    """K/N as two whole numbers."""
    try:
        k, n = map(int, text.split("/"))
    except ValueError:
        k, n = 0, 0
    if not 1 <= k <= n:
        raise argparse.ArgumentTypeError(f"{text!r}; allowed: K/N with K from 1 to N")
    return k, n


def of_part(path, k, n):
    """The table of a part."""
    path = Path(path)
    return path.with_name(f"{path.stem}.{k}of{n}{path.suffix}")


def merge(path, n, study, names, outputs, points):
    """One table, whole or not at all, of those of all parts, in the order of the points."""
    rows, header = {}, None
    for k in range(1, n + 1):
        table = of_part(path, k, n)
        if not table.exists():
            raise SystemExit(f"{table} is not there: part {k}/{n} has not run")
        # Refuses the table of another study.
        Results(table, study, names, outputs).file.close()
        with open(table, newline="") as file:
            header, *lines = csv.reader(file)
        first = len(study)
        rows.update({tuple(map(float, line[first : first + len(names)])): line for line in lines})
    missing = [point for point in points if point not in rows]
    if missing:
        raise SystemExit(f"{len(missing)} of {len(points)} runs are missing, the first at {missing[0]}; call their parts again")
    whole = Path(f"{path}.new")
    with open(whole, "w", newline="") as file:
        csv.writer(file).writerows([header, *(rows[point] for point in points)])
    os.replace(whole, path)
    print(f"{path}: {len(points)} runs of {n} parts")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fmu", type=Path)
    parser.add_argument("--vary", type=span, action="append", required=True, metavar="NAME=VALUES")
    parser.add_argument("--outputs", nargs="+", metavar="NAME", help="all real outputs unless given")
    parser.add_argument("--stop", type=float, help="end of each run, s; the FMU's own unless given")
    parser.add_argument("--step", type=float, help="communication step, s; the FMU's own unless given")
    parser.add_argument("--processes", type=int, help="as many as cores unless given")
    parser.add_argument("--dask", action="store_true", help="a Dask cluster on this machine")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster elsewhere")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--part", type=part, metavar="K/N", help="only this part of the runs, into a table of its own")
    parts.add_argument("--merge", type=int, metavar="N", help="run nothing, make one table of those of N parts")
    parser.add_argument("-o", "--output", required=True, metavar="CSV")
    arguments = parser.parse_args()

    from fmpy import read_model_description

    description = read_model_description(arguments.fmu)
    kinds = {v.name: v.causality for v in description.modelVariables if v.type == "Real"}
    names = [name for name, _ in arguments.vary]
    outputs = arguments.outputs or [name for name, kind in kinds.items() if kind == "output"]
    for name in names + outputs:
        if name not in kinds:
            raise SystemExit(f"{name} is no real variable of {arguments.fmu}; allowed: {', '.join(kinds)}")
    default = description.defaultExperiment
    stop = arguments.stop or float(default.stopTime)
    step = arguments.step or float(default.stepSize)

    study = {"guid": description.guid, "stop": stop, "step": step}
    points = list(dict.fromkeys(itertools.product(*(values for _, values in arguments.vary))))
    table = arguments.output
    if arguments.merge:
        return merge(table, arguments.merge, study, names, outputs, points)
    if arguments.part:
        k, n = arguments.part
        # Every N-th, so that slow corners of the study fall to all parts.
        table, points = of_part(table, k, n), points[k - 1 :: n]
    results = Results(table, study, names, outputs)
    fmu = arguments.fmu.read_bytes()
    tasks = {p: (fmu, dict(zip(names, p)), outputs, stop, step) for p in points if p not in results.done}
    print(f"{len(points)} runs, {len(points) - len(tasks)} of them done already", flush=True)
    if not tasks:
        return
    if arguments.dask or arguments.scheduler:
        finished = on_dask(tasks, arguments.scheduler, arguments.processes)
    else:
        finished = on_this_machine(tasks, arguments.processes)
    for count, (point, figures) in enumerate(finished, 1):
        results.append(point, figures)
        print(f"{count}/{len(tasks)}", *point, figures["fault"], flush=True)


if __name__ == "__main__":
    main()
