//! Normal force, shear force and bending moment of members against equilibrium.

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use coulisse::system::{ActingForces, Look, PlacedSection};

/// A cantilever of 2 m, inclined by 0.4 rad, pulled and bent by a force at its tip.
fn cantilever(order: usize, elements: usize, force: [f64; 2]) -> String {
    let (sin, cos) = 0.4_f64.sin_cos();
    Mechanism::new("cantilever")
        .entry("experiment", "stop_time = 1.0")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .points(format!("root = [0.0, 0.0], tip = [{}, {}]", 2.0 * cos, 2.0 * sin))
        .material("steel", 200e9, 0.3, 7850.0)
        .rectangle("bar", 0.02, 0.03)
        .beam("beam", ["root", "tip"], [elements, order], "steel bar")
        .clamp("root")
        .load("tip", format!("point = 'tip', fx = {}, fy = {}", force[0], force[1]))
        .inputs("loads.tip.fx")
        .text()
}

/// Sections of the only member at five places of each element.
fn sections(sim: &Simulation, elements: usize) -> Vec<PlacedSection> {
    let places = [-1.0, -0.6, 0.1, 0.7, 1.0];
    let acting = ActingForces::of(&sim.state);
    let look = Look::new(&sim.system, &sim.state.q, &acting);
    (0..elements).flat_map(|e| look.sections_of(0, e, &places)).collect()
}

#[test]
fn a_bent_cantilever_is_in_equilibrium_at_every_section() {
    // Deflections beyond 20 % of the length, so that the equilibrium is that of the deformed beam.
    let force = [600.0, -1500.0];
    for (order, elements) in [(2, 20), (3, 8), (4, 6)] {
        let mut sim = Simulation::of(&cantilever(order, elements, force));
        sim.step(1.0);
        let sections = sections(&sim, elements);
        let tip = sections.last().unwrap().place;
        assert!((tip[1] - 2.0 * 0.4_f64.sin()).abs() > 0.3, "{tip:?}");
        for section in sections {
            let (sin, cos) = section.axis.sin_cos();
            let normal = force[0] * cos + force[1] * sin;
            let shear = force[1] * cos - force[0] * sin;
            let arm = [0, 1].map(|i| tip[i] - section.place[i]);
            let moment = arm[0] * force[1] - arm[1] * force[0];
            let seen = section.forces;
            assert!((seen.normal - normal).abs() < 1e-3, "{order} {seen:?} {normal}");
            assert!((seen.shear - shear).abs() < 1e-3, "{order} {seen:?} {shear}");
            // A polynomial of order p − 1 in each element; 0.2 % of the largest moment.
            assert!((seen.moment - moment).abs() < 6.0, "{order} {seen:?} {moment}");
        }
    }
}

#[test]
fn a_bar_that_spins_is_stretched_by_its_own_inertia() {
    let model = cantilever(3, 6, [0.0, 0.0])
        .edit("analysis = \"quasi_static\"\n", "")
        .edit("step = 0.1", "step = 1e-4")
        .edit("fix = [\"x\", \"y\", \"rotation\"]", "fix = [\"x\", \"y\"]")
        .edit(
            "[loads.tip]",
            "[motions.spin]\npoint = \"root\"\ndirection = \"rotation\"\nrate = 3.0\n[loads.tip]",
        )
        .edit("[interface]", "[initial]\nvelocities = \"rigid_mechanism\"\n[interface]");
    let mut sim = Simulation::of(&model);
    // The start excites the bar's own vibration, 2.0 ms long; a mean over ten of them.
    let (count, mut mean) = (200, [0.0; 30]);
    for _ in 0..count {
        sim.step(1e-4);
        for (sum, section) in mean.iter_mut().zip(sections(&sim, 6)) {
            *sum += section.forces.normal / f64::from(count);
        }
    }
    let density = 7850.0 * 0.02 * 0.03;
    let root = 0.5 * density * 9.0 * 4.0;
    for (seen, section) in mean.into_iter().zip(sections(&sim, 6)) {
        let [x, y] = section.place;
        let exact = root - 0.5 * density * 9.0 * (x * x + y * y);
        assert!((seen - exact).abs() < 0.02 * root, "{seen} {exact}");
    }
}
