//! Mechanisms of plane solids with edges that slide with all their nodes.

use std::time::Instant;

use super::common::blocks::blocks_on_a_bar;
use super::common::bundled;
use super::common::quick_return::with_all_nodes;
use super::{Cost, Simulation, exponent};
use coulisse::system::{Iterate, System, Workspace};

/// Step of the solver, s.
const STEP: f64 = 1e-4;

/// Seconds that `run` takes, the least of some.
pub fn least(repetitions: usize, mut run: impl FnMut()) -> f64 {
    let seconds = (0..repetitions).map(|_| {
        let clock = Instant::now();
        run();
        clock.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}

/// What an iteration of Newton's method takes, s: forces and tangents of all elements, the factorisation, a solution.
fn parts(system: &System, repetitions: usize) -> [f64; 3] {
    let (mut at, mut work) = (Iterate::new(system), Workspace::new(system));
    at.step = STEP;
    let factor = Some(4.0 / (STEP * STEP));
    let assembly = least(repetitions, || {
        system.residual_and_tangent(&at, &mut work, factor);
    });
    // A factorisation destroys the matrix.
    let both = least(repetitions, || {
        system.residual_and_tangent(&at, &mut work, factor);
        work.matrix.factor().expect("a regular matrix");
    });
    let (mut x, mut y) = (vec![1.0; system.equations()], vec![0.0; system.border()]);
    let solution = least(repetitions, || {
        work.matrix.solve(&mut x, &mut y).expect("a regular matrix");
    });
    [assembly, both - assembly, solution]
}

/// One line of the table for a model; returns its unknowns and what a step costs, s.
fn line(name: &str, text: &str, steps: usize) -> (f64, f64) {
    let checked = super::common::check(text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let triangles: usize = checked.bodies.iter().map(|body| body.mesh.triangles().len()).sum();
    let sliders = checked.sliders.len();
    let clock = Instant::now();
    let mut sim = Simulation::of(text);
    let start = clock.elapsed().as_secs_f64();
    // Blocks gather way first.
    sim.run(steps as f64 * STEP, STEP, |_| ());
    let cost = Cost::of(&mut sim, steps, 2);
    let system = &sim.system;
    let unknowns = system.equations() + system.border();
    let [assembly, factorisation, solution] = parts(system, 10);
    println!(
        "{name:>22} {triangles:9} {sliders:7} {unknowns:8} {:8.1} {:8.1} {:10.2} {:9.2} {:8.2} {:8.2} {:9.2} {:5.0}% {start:7.1}",
        1e3 * cost.least(),
        1e3 * cost.median(),
        cost.iterations,
        1e3 * assembly,
        1e3 * factorisation,
        1e3 * solution,
        1e6 * assembly / triangles.max(1) as f64,
        100.0 * cost.iterations * assembly / cost.least(),
    );
    (unknowns as f64, cost.least())
}

/// Cost of a step of plane solids, and how it grows with their unknowns.
pub fn solids() {
    println!(
        "\ncubic triangles that slide with all nodes of their edges: the quick return, blocks along a bar; Δt = 0.1 ms"
    );
    println!(
        "{:>22} {:>9} {:>7} {:>8} {:>8} {:>8} {:>10} {:>9} {:>8} {:>8} {:>9} {:>6} {:>7}",
        "",
        "triangles",
        "sliders",
        "unknowns",
        "ms/step",
        "median",
        "iterations",
        "assembly",
        "factor",
        "solution",
        "µs/triang",
        "of it",
        "start, s"
    );
    line("quick return", &bundled("quick_return_solid"), 50);
    line("its pins, too", &with_all_nodes(), 50);
    let mut points = Vec::new();
    for (fineness, steps) in [(1, 100), (2, 100), (3, 40), (5, 20), (10, 5)] {
        let name = format!("{fineness} cells high");
        points.push(line(&name, &blocks_on_a_bar(fineness, STEP), steps));
    }
    println!("cost of the blocks grows like unknowns^{:.2}", exponent(&points));
    let quartic =
        blocks_on_a_bar(2, STEP).replace("thickness = 0.02\n", "thickness = 0.02\norder = 4\n");
    line("2 cells of order 4", &quartic, 40);
}
