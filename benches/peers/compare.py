"""coulisse beside other programs: CPU time at equal error on eight problems, and stiction in ten scenes.

    benches/peers/run [--only NAME] [--write]

`--only` takes the name of a problem or of a scene. benches/peers/README.md says what is measured and how.
"""

import argparse
import platform
import sys
from collections import namedtuple
from importlib.metadata import version

import andrews
import bridge
import building
import drake_problems
import drake_scenes
import exudyn_scenes
import four_bars
import main as precision
import mujoco_problems
import mujoco_scenes
import numpy as np
import oscillator
import ours
import ours_scenes
import pendulums
import quick_return
import scenes
import theirs

# Runs of which the median is taken: of problems, and of scenes, which take seconds.
REPEATS, HOLDS = 7, 3
PAGE = ours.ROOT / "docs" / "results.md"
HEADING = precision.PEERS
FREE_SLIDER_CRANK = next(problem for problem in precision.PROBLEMS if problem.name == "free_slider_crank")
PROBLEMS = (FREE_SLIDER_CRANK, pendulums, four_bars, andrews, quick_return, bridge, building, oscillator)
PROGRAMS = (ours_scenes.Coulisse, mujoco_scenes.Mujoco, mujoco_scenes.Noslip, drake_scenes.Drake, drake_scenes.Sap, exudyn_scenes.Exudyn)

# A program on a problem: `run(setting)` gives rows and CPU time; a setting is a number of steps or an accuracy.
Side = namedtuple("Side", "label settings run")


def log(text):
    print(f"({text})", file=sys.stderr)


def sides(problem):
    """The peers of a problem."""
    if hasattr(problem, "theirs_system"):
        for solver in theirs.SOLVERS:
            full, sparse = precision.faster(problem, solver)

            def run(steps, solver=solver, full=full, sparse=sparse):
                return problem.theirs_system().run(problem.times, steps, solver, full, sparse)

            yield Side(f"Exudyn, {solver}", problem.theirs_steps, run)
    mujoco = {
        FREE_SLIDER_CRANK: lambda steps: mujoco_problems.run_slider_crank(FREE_SLIDER_CRANK, steps),
        pendulums: mujoco_problems.run_pendulums,
        four_bars: mujoco_problems.run_four_bars,
        oscillator: mujoco_problems.run_oscillator,
    }
    if problem in mujoco:
        yield Side("MuJoCo", problem.ours_steps, mujoco[problem])
    if problem is pendulums:
        yield Side("Drake", drake_problems.ACCURACIES, drake_problems.run_pendulums)
    if problem is oscillator:
        yield Side("Drake", problem.ours_steps, drake_problems.run_oscillator)
    if problem is building:
        yield Side("OpenSees", problem.ours_steps, building.opensees_run)


def limits(problem, peers):
    """What positions are compared with, by the program's name: a truth for all, or the limit of each; and how far limits are apart (m).

    Where Exudyn has no limit, because it changes short steps, that of coulisse stands for it."""
    exact = problem.truth()
    if exact is not None:
        return {side.label: exact[0] for side in peers} | {"coulisse": exact[0]}, None
    count = len(problem.outputs[0])
    own = precision.run_ours(problem, problem.reference_steps, problem.ours_mesh[1])[0][:, :count]
    if problem is building:
        other = building.opensees_run(problem.reference_steps)[0]
    else:
        found = next(precision.settings(problem, problem.reference_steps, "index 2", problem.theirs_mesh[1]), None)
        if found is None:
            return {side.label: own for side in peers} | {"coulisse": own}, None
        other = found[-1][:, :count]
    return {side.label: other for side in peers} | {"coulisse": own}, np.max(np.abs(own - other))


def measure(problem):
    """Points (error in m, CPU time in s) of each program, medians of alternating runs."""
    peers = list(sides(problem))
    truths, apart = limits(problem, peers)
    programs = [Side("coulisse", problem.ours_steps, lambda steps: precision.run_ours(problem, steps)), *peers]
    times, errors = {}, {}
    for _ in range(REPEATS):
        for side in programs:
            truth = truths[side.label]
            for setting in side.settings:
                key = side.label, setting
                if key in errors and errors[key] is None:
                    continue
                try:
                    rows, taken = side.run(setting)
                except RuntimeError as fault:
                    log(f"{side.label}, {setting}: {fault}")
                    errors[key] = None
                    continue
                errors[key] = np.max(np.abs(rows[:, : truth.shape[1]] - truth))
                times.setdefault(key, []).append(taken)
    points = {side.label: [] for side in programs}
    for (label, setting), taken in times.items():
        points[label].append((errors[label, setting], np.median(taken)))
    return points, apart


def curve(points):
    """Logarithms of errors, rising, and times; without what a cheaper run does better."""
    pairs = sorted((np.log(error), np.log(taken)) for error, taken in points)
    kept = [pair for k, pair in enumerate(pairs) if all(pair[1] < earlier[1] for earlier in pairs[:k])]
    return np.array(kept).T


def rows_of_problem(problem):
    points, apart = measure(problem)
    mine = curve(points["coulisse"])
    for label, its in points.items():
        if label == "coulisse" or not its:
            continue
        other = curve(its)
        low, high = max(mine[0, 0], other[0, 0]), min(mine[0, -1], other[0, -1])
        reached = f"{np.exp(mine[0, 0]):.1e} | {np.exp(other[0, 0]):.1e}"
        if low < high:
            errors = np.linspace(low, high, 3)
            ours_times, their_times = (np.exp(np.interp(errors, *c)) for c in (mine, other))
            ratios = their_times / ours_times
            cells = f"{np.exp(errors[1]):.1e} | {1e3 * ours_times[1]:.3g} | {1e3 * their_times[1]:.3g} | {ratios[1]:.2g}"
            cells += f" ({ratios.min():.2g} to {ratios.max():.2g})"
        else:
            # No error that both reach: the run of the less accurate one against the cheapest of the other.
            error = max(low, high)
            at = np.exp([np.interp(error, *mine), np.interp(error, *other)])
            sign = "at least" if at[1] > at[0] else "at most"
            cells = f"{np.exp(error):.1e} | {1e3 * at[0]:.3g} | {1e3 * at[1]:.3g} | {sign} {at[1] / at[0]:.2g}"
        note = "" if apart is None else f" ({apart:.1e} m)"
        yield f"| {problem.title}{note} | {label} | {cells} | {reached} |"


def rows_of_scene(scene):
    """Of all programs: creep, error of breakaway, work of friction, CPU time."""
    runs, times, made = {}, {}, []
    for program in PROGRAMS:
        try:
            made.append(program(scene))
        except LookupError as fault:
            log(f"{program.label}: {fault}")
    for _ in range(HOLDS):
        for program in made:
            *figures, taken = program.hold(scene.held)
            runs[program.label] = figures
            times.setdefault(program.label, []).append(taken)
    for program in made:
        creep, work = runs[program.label]
        error = scenes.breakaway(scene, program.speed)
        moved = f"{creep:.1e} | " if creep < 1.0 else "slides | "
        lost = "" if work is None or creep >= 1.0 else f"{work + 0.0:.1e}"
        shown = "above 50 %" if error == np.inf else f"{error:.1e}"
        yield f"| {scene.title} | {program.label} | {moved}{shown} | {lost} | {np.median(times[program.label]):.2g} |"


def times(only):
    """Lines of the first table."""
    yield f"\n### CPU time at equal error\n\n{TIMES.format(repeats=REPEATS)}\n"
    yield "| problem | peer | error, m | coulisse, ms | peer, ms | ratio | coulisse reaches | peer reaches |\n| --- | --- |" + " ---: |" * 6
    for problem in PROBLEMS:
        if only in (None, problem.name):
            yield from rows_of_problem(problem)
    yield f"\n{VERDICTS[0]}"


def stiction(only):
    """Lines of the second table."""
    yield f"\n### Stiction\n\n{STICTION.format(repeats=HOLDS)}\n"
    yield "| scene | program | creep, m | breakaway, relative error | work taken, J | CPU, s |\n| --- | --- |" + " ---: |" * 4
    for scene in scenes.SCENES.values():
        if only in (None, scene.name):
            yield from rows_of_scene(scene)
    yield f"\n{VERDICTS[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="NAME", help="one problem or scene")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/results.md")
    arguments = parser.parse_args()

    lines = []
    for part in (times, stiction):
        for line in part(arguments.only):
            print(line, flush=True)
            lines.append(line)
    if arguments.write:
        names = [ours.version(), theirs.version(), mujoco_scenes.VERSION, drake_scenes.VERSION, f"OpenSeesPy {version('openseespy')}"]
        about = ABOUT.format(versions=", ".join([*names, f"Python {platform.python_version()}"]), machine=precision.machine())
        page = PAGE.read_text().split(HEADING)[0].rstrip("\n")
        PAGE.write_text(f"{page}\n{HEADING}{about}" + "\n".join(lines) + "\n")


ABOUT = """
`benches/peers/run --write` measures this part, on an idle machine if possible; [its README](../benches/peers/README.md) gives the settings of each program.
{versions}; {machine}, one thread.
"""
TIMES = """*Ratio*: CPU time of the peer over that of coulisse at the same largest error of positions, by interpolation between runs of several step sizes on
logarithmic scales; above 1 coulisse is faster. The first figure is in the middle of the errors that both reach (its error and times are given), those in brackets
are the smallest and the largest there and at the ends. Times are medians of {repeats} alternating runs without start-up. Errors are against
closed forms or integrations to 1e-13; of elastic problems against the limit of each program (in brackets how far the limits are apart). The last
two columns are the smallest errors that were reached with the steps tried."""
STICTION = """*Creep*: displacement between 1 s and 100 s under a load below the limit, at 90 % of it or under the weight alone; of the
vibrating table after whole periods. *Breakaway*: relative error of the load at which sliding begins; negative: it slides too early. *Work taken*: of loads
and weight by the contact within the same time, 0 where nothing moves; below 0 the contact has made energy; not measured of peers on the vibrating table.
*CPU*: of the run of 100 s, median of {repeats}."""

VERDICTS = (
    """**Verdict.** Where parts are elastic or joints have friction by their normal force coulisse is 1.5 to 10 times faster than the peers that have these. On rigid
mechanisms it is up to four times faster than Exudyn, and as fast on the slider-crank. There MuJoCo is far ahead, and Drake on the open chain:
fourth or third order beats second order where motions are smooth. The mass on a spring is cheapest in Exudyn while errors of some
per cent are enough. Friction of the peers is of first order there, and coulisse, which finds the instants of sticking and sliding, is cheaper for small errors.""",
    """**Verdict.** coulisse neither creeps nor makes energy in any scene. It slides at the load of the closed form within 1e-9, and within 2e-6 on the vibrating
table, where the length of the steps decides. MuJoCo with *noslip* creeps in the stack alone and is nearly as exact, but under the bolt, where its soft
contact takes 1.2 % of the preload; without *noslip* it creeps. So does Drake everywhere but on the vibrating table. Exudyn does not creep where its
connectors apply, and slides up to 0.6 % too early. The CPU time of coulisse is 0.7 to 3.8 times that of MuJoCo, and at most 0.4 times that of Drake where that
stays in place.""",
)

if __name__ == "__main__":
    main()
