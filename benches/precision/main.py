"""Work and precision beside Exudyn: errors of positions and of forces against the CPU time of the steps.

    benches/precision/run [--only NAME] [--write | --tolerances]

prints a table for each problem; `--tolerances` one of coulisse alone, of steps as long as `solver.tolerance` allows beside equal steps that
take as much CPU time; `--write` puts them into docs/results.md and the figures' numbers into target/precision. Rigid
mechanisms are compared with closed forms or an integration in minimal coordinates, the others with each program's own run of a
finer mesh and four times as many steps as the finest one shown; how far these references are apart is printed.
"""

import argparse
import csv
import platform
import re
import sys
from collections import namedtuple

import numpy as np

import andrews
import flexible
import four_bars
import ours
import pendulums
import quick_return
import slider_crank
import theirs

PROBLEMS = (
    andrews,
    slider_crank.SliderCrank("driven_slider_crank", "Rigid slider-crank at 10 turns per second", "20 turns", 20 * np.pi, False, (600, 1200, 2400, 4800)),
    slider_crank.SliderCrank(
        "free_slider_crank", "Rigid slider-crank with flywheel and spring", "20 turns", 20 * np.pi, True, (600, 1200, 2400, 4800, 9600)
    ),
    pendulums,
    flexible,
    quick_return,
    four_bars,
)
REPEATS = 3
TOLERANCES = (1e-3, 3e-4, 1e-4, 1e-5, 1e-6)
PAGE = ours.ROOT / "docs" / "results.md"
HEADING = "\n## Work and precision beside Exudyn\n"
# The heading of the part after it.
PEERS = "\n## Beside other programs\n"
ABOUT = """
`benches/precision/run --write` measures this part, on an idle machine if possible, and draws its figures. {versions}, {machine}.

- *Time*: CPU time of the process within the steps in milliseconds, the least of {repeats} alternating runs. coulisse is called through the C interface
  of its FMU (`fmi2DoStep`, `fmi2GetReal`), Exudyn through `SolveSteps` of its solver with sensors that store in memory. Both return the same values at the same
  communication points and write no file. Reading, assembling and initialisation are not counted. Each has one thread; Exudyn's library is
  without range checks.
- *Steps* are equal. coulisse has its default settings. Exudyn has *index 3*, its generalized-α with ρ∞ = 0.9, and *index 2*, its trapezoidal rule with constraints on velocities (it has no
  other). For each, the faster of the dense and the sparse solver and of full and modified Newton is used, chosen at the second number of
  steps. An empty cell was not run, or the run failed with these steps.
- *Errors*: the largest over all communication points; of positions in m, of forces relative to the range of each force.
- *Truth*: {truth}
- *Ratio*: time of Exudyn's faster solver over that of coulisse at equal error, where the curves overlap; above 1 coulisse is faster.
"""
TRUTH = (
    "for rigid mechanisms an integration in minimal coordinates to 1e-13 with scipy, or closed forms, by code of neither program. The squeezer agrees with\n"
    "  the published values at 0.03 s to 1e-8 rad. For the two elastic problems, the limit of each program; the distance of both limits is given."
)

Point = namedtuple("Point", "steps time position force")


def errors(rows, truth, count):
    """Of positions (m) and of forces (of their ranges)."""
    difference = np.abs(rows - truth)
    return np.max(difference[:, :count]), np.max(difference[:, count:] / np.ptp(truth[:, count:], axis=0))


class Program:
    """A program with its settings, run at every number of steps as often as wanted: the least time of each."""

    def __init__(self, label, steps, run):
        self.label, self.steps, self.run = label, steps, run
        self.rows, self.times = {}, {}

    def measure(self, log):
        for steps in self.steps:
            if steps in self.rows and self.rows[steps] is None:
                continue
            try:
                rows, taken = self.run(steps)
            except RuntimeError as fault:
                log(f"{self.label}, {steps} steps: {fault}")
                self.rows[steps] = None
                continue
            self.rows[steps] = rows
            self.times[steps] = min(taken, self.times.get(steps, np.inf))

    def points(self, truth, count):
        done = [steps for steps in self.steps if self.rows[steps] is not None]
        return [Point(steps, self.times[steps], *errors(self.rows[steps], truth, count)) for steps in done]


def run_ours(problem, steps, *mesh):
    # A rounding above the communication step's part, so that it is divided into as many.
    step = float(problem.times[-1]) / steps * (1 + 1e-9)
    return ours.run(problem.ours(step, *mesh), [*problem.outputs[0], *problem.outputs[1]], problem.times)


def settings(problem, steps, solver, *mesh):
    """Runs of Exudyn with each of its settings that come to the end: time, full Newton, sparse solver, values."""
    for full in (False, True):
        for sparse in (False, True):
            try:
                rows, taken = problem.theirs_system(*mesh).run(problem.times, steps, solver, full, sparse)
                yield taken, full, sparse, rows
            except RuntimeError:
                continue


def faster(problem, solver):
    """Settings of Exudyn that take the least time."""
    for steps in problem.theirs_steps[1:]:
        tried = list(settings(problem, steps, solver))
        if tried:
            return min(tried, key=lambda t: t[0])[1:3]
    raise RuntimeError(f"{problem.title}: Exudyn, {solver}, fails with all settings")


def compare(problem, log):
    """Points of each program, and what is to be said about the references."""
    programs, remarks = [Program("coulisse", problem.ours_steps, lambda steps: run_ours(problem, steps))], []
    for solver in theirs.SOLVERS:
        full, sparse = faster(problem, solver)

        def run(steps, solver=solver, full=full, sparse=sparse):
            return problem.theirs_system().run(problem.times, steps, solver, full, sparse)

        programs.append(Program(f"Exudyn, {solver}", problem.theirs_steps, run))
        remarks.append(f"{solver}: {'full' if full else 'modified'} Newton, {'sparse' if sparse else 'dense'}")
    for _ in range(REPEATS):
        for program in programs:
            program.measure(log)
    count = len(problem.outputs[0])
    exact = problem.truth()
    if exact is not None:
        truths = [np.hstack(exact)] * 3
    else:
        own, _ = run_ours(problem, problem.reference_steps, problem.ours_mesh[1])
        *_, other = next(settings(problem, problem.reference_steps, "index 2", problem.theirs_mesh[1]))
        truths = [own, other, other]
        apart = errors(other, own, count)
        remarks.append(
            f"each against its own limit ({problem.reference_steps} steps, {problem.ours_mesh[1]} and {problem.theirs_mesh[1]} elements instead of "
            f"{problem.ours_mesh[0]} and {problem.theirs_mesh[0]}); the limits are {apart[0]:.1e} m and {100 * apart[1]:.2g} % of the forces' ranges apart"
        )
    return {program.label: program.points(truth, count) for program, truth in zip(programs, truths)}, remarks


def tolerances(problem):
    """Rows of a table: errors of steps as long as `solver.tolerance` allows, and their shares of those of equal steps that take as much CPU time."""
    count, exact, parts = len(problem.outputs[0]), problem.truth(), len(problem.times) - 1
    outputs = [*problem.outputs[0], *problem.outputs[1]]

    def run(steps, *keys):
        model = problem.ours(float(problem.times[-1]) / steps * (1 + 1e-9))
        return ours.run(re.sub(r"(?m)^(step = .*)$", "\n".join([r"\1", *keys]), model, count=1), outputs, problem.times)

    if exact is not None:
        truth = np.hstack(exact)
    else:
        # Equal steps of third order: friction excites vibrations whose forces those of second order follow late.
        truth, _ = run(4 * problem.reference_steps, "tolerance = 1e-3", "position_tolerance = 1e-10", "force_tolerance = 1e-8")

    def point(steps, *keys):
        runs = [run(steps, *keys) for _ in range(REPEATS)]
        return min(taken for _, taken in runs), *errors(runs[0][0], truth, count)

    curve = np.log([point(parts * 2**k) for k in range(10)]).T
    # A run that takes longer than one of more steps was disturbed.
    curve[0] = np.minimum.accumulate(curve[0, ::-1])[::-1]

    def at(taken, quantity):
        # Equal steps are of second order where the curve does not reach.
        near = np.clip(np.log(taken), curve[0, 0], curve[0, -1])
        return np.exp(np.interp(near, curve[0], curve[quantity]) + 2 * (near - np.log(taken)))

    for tolerance in TOLERANCES:
        # The longest step is a communication step.
        taken, position, force = point(parts, f"tolerance = {tolerance!r}")
        # Driven mechanisms are exact but for what Newton's method leaves.
        beside = [(error, at(taken, quantity)) for quantity, error in enumerate((position, force), 1)]
        cells = [f"{error:.1e} | {error / equal:.2g}" if equal > 1e-9 else f"{error:.1e} | exact" for error, equal in beside]
        yield f"| {problem.title} | {tolerance:.0e} | {1e3 * taken:.3g} | {cells[0]} | {cells[1]} |"


def at_equal_error(series, quantity):
    """Least and largest ratio of times, Exudyn's faster solver by coulisse, over the errors that both reach."""

    def curve(points):
        pairs = sorted((np.log(getattr(p, quantity)), np.log(p.time)) for p in points)
        # What a larger number of steps does not improve is no part of a curve.
        kept = [pair for k, pair in enumerate(pairs) if all(pair[1] > later[1] for later in pairs[k + 1 :])]
        return np.array(kept).T

    mine = curve(series["coulisse"])
    others = [curve(points) for label, points in series.items() if label != "coulisse" and points]
    if mine[0].max() < min(other[0].min() for other in others):
        return "exact at every step"
    low, high = max(mine[0].min(), min(o[0].min() for o in others)), min(mine[0].max(), max(o[0].max() for o in others))
    # Where a curve ends on the side of large errors its cheapest run does better, and stands for it.
    if low >= high:
        return "no error that both reach"
    ratios = []
    for error in np.linspace(low, high, 50):
        times = [np.interp(error, *other) for other in others if other[0].min() <= error]
        if times:
            ratios.append(np.exp(min(times) - np.interp(error, *mine)))
    least, most = min(ratios), max(ratios)
    return f"{least:.2g}" if f"{least:.2g}" == f"{most:.2g}" else f"{least:.2g} to {most:.2g}"


def table(problem, series, remarks):
    lines = [f"\n### {problem.title}\n", f"{problem.about[0].upper() + problem.about[1:]}. {'. '.join(r[0].upper() + r[1:] for r in remarks)}.", ""]
    lines += [f"![Errors of positions and forces](precision/{problem.name}.svg)", ""]
    lines += ["| steps | " + " | ".join(f"{label}: ms | m | force" for label in series) + " |", "| ---: |" + " ---: | ---: | ---: |" * len(series)]
    for steps in sorted({p.steps for points in series.values() for p in points}):
        cells = []
        for points in series.values():
            found = [p for p in points if p.steps == steps]
            cells += [f"{1e3 * found[0].time:.3g}", f"{found[0].position:.1e}", f"{found[0].force:.1e}"] if found else ["", "", ""]
        lines.append(f"| {steps} | {' | '.join(cells)} |")
    ratios = [at_equal_error(series, quantity) for quantity in ("position", "force")]
    lines += ["", f"Ratio at equal error of positions: {ratios[0]}; of forces: {ratios[1]}."]
    verdict = VERDICTS.get(problem.name)
    return "\n".join(lines + ([f"**Verdict.** {verdict}"] if verdict else [])), ratios


# By problem: which is faster, and why.
VERDICTS = {
    "andrews": "Faster. A step costs half of Exudyn's; its error is between those of Exudyn's solvers. With modified Newton Exudyn's forces do not "
    "improve below 1e-4. With full Newton, slower at first, those of index 3 reach 2e-5 in 250 ms.",
    "driven_slider_crank": "Faster. Positions and velocities satisfy the constraints, and forces follow from accelerations, so that a driven mechanism is "
    "exact for any step. Exudyn's index 3 is of first order in the torque, its index 2 drifts.",
    "free_slider_crank": "Faster than index 3, equal to index 2: a step costs less, but its phase error is four times as large. Exudyn's index 3 has the "
    "same error, which comes with constraints on positions at the end of each step. A spectral radius of 0.999 gives the same errors "
    "within 2 %.",
    "pendulums": "Faster: the multipliers of pins are eliminated with the nodes that they connect. Exudyn's index 3 gives no usable forces with "
    "large steps.",
    "flexible": "Faster for forces. For positions it is between a third faster and a seventh slower: its elements have shear, Exudyn's cables do "
    "not. With two steps in each communication step the reported forces need one more solution for every second one. Index 2 has the "
    "smaller error per step.",
    "quick_return": "Faster, although the time that Exudyn spends in the Python function of its friction is not counted. Sticking is exact in coulisse "
    "and a steep line in Exudyn.",
    "four_bars": "Faster. The multipliers of pins are eliminated with the nodes that they connect, the 80 that close the loops after what is around "
    "them, so the cost is proportional to the number of loops.",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="NAME", help="one problem")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/results.md")
    parser.add_argument("--tolerances", action="store_true", help="steps as long as solver.tolerance allows beside equal steps")
    arguments = parser.parse_args()
    tables, rows = [], []
    if arguments.tolerances:
        print("| problem | tolerance | ms | m | of equal steps | force | of equal steps |\n| --- |" + " ---: |" * 6)
    for problem in PROBLEMS:
        if arguments.only not in (None, problem.name):
            continue
        if arguments.tolerances:
            for row in tolerances(problem):
                print(row, flush=True)
            continue
        series, remarks = compare(problem, lambda text: print(f"({problem.name}: {text})", file=sys.stderr))
        printed, _ = table(problem, series, remarks)
        print(printed, flush=True)
        tables.append(printed)
        for label, points in series.items():
            rows += [(problem.name, label, *p) for p in points]
    if arguments.write:
        with open(ours.ROOT / "target" / "precision" / "points.csv", "w", newline="") as file:
            writer = csv.writer(file, delimiter=";", lineterminator="\n")
            writer.writerow(("problem", "program", "steps", "time", "position", "force"))
            writer.writerows(rows)
        versions = f"{ours.version()}, {theirs.version()}, Python {platform.python_version()}, numpy {np.__version__}"
        about = ABOUT.format(versions=versions, machine=machine(), repeats=REPEATS, truth=TRUTH)
        page, _, old = PAGE.read_text().partition(HEADING)
        page = page.rstrip("\n")
        # What `benches/peers/run` has measured stays.
        _, peers, kept = old.partition(PEERS)
        PAGE.write_text(f"{page}\n{HEADING}{about}" + "\n".join(tables) + f"\n{peers}{kept}")


def machine():
    """The processor, as Linux calls it."""
    try:
        lines = open("/proc/cpuinfo").read().splitlines()
    except OSError:
        return platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
