//! Contacts of surfaces: what a point costs, and how a step grows with their number.

use super::common::bundled;
use super::{Cost, Simulation, exponent};
use coulisse::system::{Iterate, Workspace};

/// Step of the solver, s.
const STEP: f64 = 1e-4;

/// Seconds of an evaluation of forces and tangent, the least of some.
fn assembly(sim: &Simulation) -> f64 {
    let system = &sim.system;
    let (mut at, mut work) = (Iterate::new(system), Workspace::new(system));
    at.step = STEP;
    at.q.copy_from(&sim.state.q);
    at.points.copy_from_slice(&sim.state.points);
    super::solids::least(20, || {
        system.residual_and_tangent(&at, &mut work, Some(4.0 / (STEP * STEP)));
    })
}

/// The bundled slider with so many cells along its guide, with its contact or held on its lower face by nothing.
fn slider(cells: usize, bears: bool) -> String {
    let text = bundled("slider_in_guide");
    let from = 1 + text.find("\ncells = [").expect("cells");
    let to = from + text[from..].find(']').expect("their end");
    let text = format!("{}cells = [2, {cells}{}", &text[..from], &text[to..]);
    if bears {
        return text;
    }
    // The contact stands last before the next section.
    let from = text.find("[contacts.").expect("a contact");
    let to = from + 1 + text[from + 1..].find("\n[").expect("another section");
    let without = format!("{}{}", &text[..from], &text[to..]);
    let lines = without.lines().map(|line| match line.starts_with("outputs") {
        true => "outputs = [\"energy.*\"]",
        false => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Prints the table.
pub fn report() {
    println!(
        "slider in its guide, cells 2 high: points, equations, assembly with contact and without, per point, a step"
    );
    let mut costs = Vec::new();
    for cells in [2, 10, 50, 250] {
        let mut sim = Simulation::of(&slider(cells, true));
        let free = Simulation::of(&slider(cells, false));
        sim.run(10.0 * STEP, STEP, |_| ());
        let points = sim.state.points.len() as f64;
        let [with, without] = [assembly(&sim), assembly(&free)];
        let cost = Cost::of(&mut sim, 20, 3);
        println!(
            "{points:>6} {:>7} {:>9.1} µs {:>9.1} µs {:>6.2} µs {:>9.1} µs ({:.2} iterations)",
            sim.system.equations(),
            1e6 * with,
            1e6 * without,
            1e6 * (with - without) / points,
            1e6 * cost.least(),
            cost.iterations,
        );
        costs.push((points, cost.least()));
    }
    println!("a step grows with the points to the power of {:.2}", exponent(&costs));
}
