"""The page of results: the table of problems.py and that of events, with what is said about them."""

import subprocess

import harness


def number(value):
    return f"{value:.6g}" if abs(value) >= 1e-3 or value == 0 else f"{value:.3g}"


# What stands above the table of a section.
NOTES = {
    "Plane solids": (
        "The quick return of plane solids beside that of frames, both without friction, over one cycle: the same amplitudes, and an arm that",
        "vibrates a little slower, as Siqueira & Coda (2022) find, too. The tip of the solid arm reaches 6.03 mm at 0.303 s and -5.78 mm at 0.366 s, N",
        "10.93 and -5.12 m/s. An independent solver, whose pins constrain all nodes, has 6.005 and -5.707 mm at 0.3027 and 0.3664 s, 10.933 and -5.111 m/s.",
        "",
        "![Deflection of the arm's tip and velocity of N](quick_return/cycle.svg)",
        "",
    ),
    "Two triangles between two faces": (
        "This and the next three tables are of Zhang & Wang's slider of 2 m × 0.8 m with [surfaces](friction.md#contact-of-surfaces-in-guides) on both faces of its",
        "guide, pulled on its right face at an offset over its middle. N presses a corner, T is the friction on the slider along +x.",
        "",
    ),
    "Slider of 20 × 8 cells between two faces": (
        "The bundled [slider_in_guide](../resources/models/slider_in_guide.toml), of triangles with six nodes; theirs has squares with eight, which are within 0.5 %",
        "of a mesh twice as fine.",
        "",
    ),
    "Offsets from which a slider jams": (
        "Without weight, μ = 0.3, 20 × 8 cells where nothing else is said. K = k b/(E t) compares the contact layer with the slider of height b, F/(E t δ) the strain with the clearance δ on",
        "either side. In the volume the moment of the offset comes from fx that grows with y, or from fy that grows with x.",
        "",
    ),
    "Slider-crank with clearance, rigid": (
        "The bundled [slider_crank_with_clearance](../resources/models/slider_crank_with_clearance.toml) after Flores, Leine & Glocker; theirs is a time stepping with steps of 2 µs.",
        "",
    ),
}


def markdown(rows):
    """The table, a part for each section."""
    lines = []
    section = None
    for row in rows:
        if row.section != section:
            section = row.section
            lines += [f"\n## {section}\n", *NOTES.get(section, ()), "| quantity | ours | theirs | tolerance | unit | source | |"]
            lines += ["| --- | ---: | ---: | ---: | --- | --- | --- |"]
        cells = [row.quantity, *map(number, (row.ours, row.theirs, row.tolerance)), row.unit, row.source]
        verdict = "holds" if row.holds else f"**DIFFERS**: {row.misses}" if row.misses else "**DIFFERS**"
        lines.append(f"| {' | '.join(cells)} | {verdict} |")
    return "\n".join(lines)


def events_table():
    """The table of events, of what the tests in Rust print as they measure it."""
    call = ["cargo", "test", "--quiet", "--test", "claims", "--", "--nocapture", *EVENTS]
    done = subprocess.run(call, cwd=harness.ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stdout[-3000:] + done.stderr[-3000:])
    rows = [line.split("|", 1)[1] for line in done.stdout.splitlines() if "reach | " in line]
    lines = ["\n## Events\n", EVENTS_HEADER, "| problem | measured | to reach | ours | unit | | test |"]
    lines += ["| --- | --- | ---: | ---: | --- | --- | --- |"]
    # Tests run side by side; the rows of one stay in their order.
    by_test = sorted(rows, key=lambda row: (row.split("|")[0].strip(), row.split("|")[6]))
    return "\n".join(lines + [f"|{row}" for row in by_test])


# The tests of which rows are.
EVENTS = ("set_valued::", "bounces::", "lift_off::", "stops::trajectory::", "unilateral::a_mass_that_falls")

EVENTS_HEADER = """Problems in which what holds, slides or touches changes. *To reach* is what a small dense prototype of the same scheme gave; its
parameters beyond those in the table are not on record, so that ours are natural ones. *Ours* is the largest error against a
closed form or an integration from event to event in the test, over the time and at the solver's steps given. The beam of problem 7 is
two cubic elements, with four modes of bending below 100 Hz. The weight is put on within 0.2 s. The steps are compared with one of 0.0625 ms, after
a check against six modes of Euler and Bernoulli's beam. A row is printed by
`cargo test --test claims TEST -- --nocapture`. Where it is missed:

- **1, 9, to 1e-12 m:** roundings of places 1 to 2 m long add up over a thousand steps. Exact grazing is sensitive to them: what is deeper by δ
  is an impact with √(2gδ). What grazes inside a step shows in the cubic of its gap.
- **1 spring at 0.1 ms:** second order from the 1.4e-5 m at 1 ms; the impacts add nothing that shows.
- **3 light end:** Newton's iterations are more, as most steps with a change are solved several times.
- **5 shaken block:** what breaks away within a step can stick to its end, as the mean of the force over the step is too small. What turns back in the last 2 % of a step gets the velocity of the path there.
- **8 two blocks:** places of up to 20 m over 60 s. Generalized-α with every event located exactly is off by 8.3e-4 and 2.1e-4 m at 8 and 4 ms on the same
  blocks: what is left is the integration between events, of order 2.

*Ringing* is by how much the friction force is off the exact one in the three steps after that of the catch, as a share of the exact force right after the catch.
"""

# The heading of the part beside Exudyn.
PRECISION = "\n## Work and precision"

HEADER = """# Results

Measured by `tests/run`, or alone by `target/venv/bin/python tests/hosts/problems.py`: every number
comes out of an FMU that FMPy co-simulates. Exceptions are natural frequencies (`coulisse describe --modes`), the
critical force (`coulisse static`), heights of roads (`coulisse profile`) and steady sliding of surfaces (`coulisse sliding`).
*exact*: closed form, elastica, or event-driven integration to 1e-12. *solver*: an independent solver
of the same equations on the same mesh, whose paths have kinks from element to element. *paper*:
printed there. *itself*: ours with another step. Where ours is known to be beyond the tolerance, the row says what is behind it. `--write docs/results.md` writes this page anew, the table of events
from what tests in Rust print; the last part, [beside Exudyn](#work-and-precision-beside-exudyn), is measured by `benches/precision/run --write`.
"""
