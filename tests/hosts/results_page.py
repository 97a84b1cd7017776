"""The page of results: the table of problems.py and that of events, with what is said about them."""

import subprocess

import harness


def number(value):
    return f"{value:.6g}" if abs(value) >= 1e-3 or value == 0 else f"{value:.3g}"


# What stands above the table of a section.
NOTES = {
    "2 Quick return": (
        "With friction, `coulisse run quick_return --step 2e-4 --stop 0.4` prints the extremes of the first cycle, and `--stop 1.6`",
        "those of all four.",
        "",
    ),
    "Plane solids": (
        "The quick return of plane solids and that of frame elements, both without friction, over one cycle. Amplitudes are the same; the solid",
        "arm vibrates a little slower, as in Siqueira & Coda (2022). Its tip reaches 6.03 mm at 0.303 s and -5.78 mm at 0.366 s, N",
        "10.93 and -5.12 m/s. An independent solver, whose pins constrain all nodes, has 6.005 and -5.707 mm at 0.3027 and 0.3664 s, 10.933 and -5.111 m/s.",
        "",
        "![Deflection of the arm's tip and velocity of N](quick_return/cycle.svg)",
        "",
    ),
    "Two triangles between two faces": (
        "This and the next three tables are of Zhang & Wang's slider of 2 m × 0.8 m with [surfaces](friction.md#contact-of-surfaces-in-guides) on both faces of its",
        "guide. A force pulls its right face at an offset from the centre line. N is the normal force of a corner, T the friction on the slider along +x.",
        "",
    ),
    "Slider of 20 × 8 cells between two faces": (
        "The bundled [slider_in_guide](../resources/models/slider_in_guide.toml) has triangles with six nodes. The paper has squares with eight nodes, within 0.5 %",
        "of a mesh twice as fine.",
        "",
    ),
    "Offsets from which a slider jams": (
        "Without weight, μ = 0.3, 20 × 8 cells unless the row has other values. K = k b/(E t) compares the contact layer with the slider of height b, F/(E t δ) the strain with",
        "the clearance δ on either side. For a load in the volume, fx that grows with y, or fy that grows with x, gives the moment of the offset.",
        "",
    ),
    "Slider-crank with clearance, rigid": (
        "The bundled [slider_crank_with_clearance](../resources/models/slider_crank_with_clearance.toml) after Flores, Leine & Glocker, who use a time-stepping method with steps of 2 µs.",
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

EVENTS_HEADER = """Problems with changes between sticking, sliding and separation. *To reach* is the error of a small dense prototype of the same scheme,
with parameters of its own beyond those in the table. *Ours* is the largest error over the given time at the given steps. The test compares with a
closed form or an event-driven integration. In problem 7 the beam has two cubic elements and four bending modes below 100 Hz; the weight is
applied within 0.2 s. Its steps are compared with one of 0.0625 ms, which is checked against six modes of an Euler-Bernoulli beam.
`cargo test --test claims TEST -- --nocapture` prints a row. Where the prototype's error is not reached:

- **1, 9, to 1e-12 m:** rounding errors of positions of 1 to 2 m add up over a thousand steps. Exact grazing is sensitive to them: a
  penetration δ is an impact with √(2gδ). Grazing inside a step shows in the cubic of the gap.
- **1 spring at 0.1 ms:** second order from the 1.4e-5 m at 1 ms; the impacts add no visible error.
- **3 light end:** more iterations of Newton's method, as most steps with a change are solved several times.
- **5 shaken block:** a block that breaks away within a step can stick to its end, because the mean force over the step is too small. A
  block that turns back in the last 2 % of a step gets the velocity of the path there.
- **8 two blocks:** positions of up to 20 m over 60 s. On the same blocks generalized-α with every event located exactly has errors of
  8.3e-4 and 2.1e-4 m at 8 and 4 ms: the remaining error is that of the integration between events, of order 2.

*Ringing* is the error of the friction force in the three steps after the slider is caught, relative to the exact force right after that.
"""

# The heading of the part beside Exudyn.
PRECISION = "\n## Work and precision"

HEADER = """# Results

`tests/run` measures these results; `target/venv/bin/python tests/hosts/problems.py` measures them alone. Every number comes from an
FMU in a co-simulation by FMPy. Exceptions are natural frequencies (`coulisse describe --modes`), the critical force
(`coulisse static`), heights of roads (`coulisse profile`) and steady sliding of surfaces (`coulisse sliding`).

| source | meaning |
| --- | --- |
| exact | closed form, elastica, or event-driven integration to 1e-12 |
| solver | an independent solver of the same equations on the same mesh, whose paths have kinks between elements |
| paper | printed there |
| itself | coulisse with another step |

The last column says `holds` where the difference is within the tolerance, and otherwise gives the reason. Smallest and largest values
are those of communication points: longer communication steps miss more of a peak. The same command with
`--write docs/results.md` writes this page; tests in Rust print the table of events. `benches/precision/run --write` measures the
[comparison with Exudyn](#work-and-precision-beside-exudyn), `benches/peers/run --write` that [beside other programs](#beside-other-programs).
"""
