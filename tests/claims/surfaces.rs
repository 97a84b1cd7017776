//! Surfaces of plane solids in a guide with two faces: Zhang and Wang's slider (2 m × 0.8 m, 125.6 kg), against tables of
//! independent implementations, closed forms and invariants.

mod augmented;
mod elastic;
pub mod guided;
mod many_points;
mod offsets;
mod paths;
mod pressure;
mod random;
mod rigid;
mod rough;
mod rounding;
mod settled;
mod states;
mod turning;
mod two_faces;

use crate::common::Simulation;
use guided::{DAMPED, Guided};

/// Table B: steady sliding of 27 nodes with equal springs at all 18 of the surface.
#[test]
fn steady_sliding_with_springs_at_the_nodes_is_that_of_the_table() {
    for (offset, force, [soft, firm, hard]) in [
        (1.2, 800.0, [2.2690, 3.3531, 2.7771]),
        (1.2, 1106.0, [3.6762, 4.5158, 3.7236]),
        (1.2, 1500.0, [5.4774, 5.7414, 4.7253]),
        (2.0, 5000.0, [7.5281, f64::NAN, f64::NAN]),
    ] {
        for (k, expected) in [(1.05e7, soft), (1.05e9, firm), (1.05e11, hard)] {
            let guided = Guided { force, offset, ..Guided::of_nodes(k) };
            let found = guided.slides().acceleration;
            println!("e = {offset} m, F = {force} N, k = {k:e} N/m: {found:.5} ({expected}) m/s²");
            if expected.is_nan() {
                assert!(found <= 0.0, "{found}");
            } else {
                assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        }
    }
}

/// Table B: the 27 nodes jammed, and Table A: two triangles.
#[test]
fn a_jammed_slider_is_held_by_the_forces_of_the_tables() {
    for (k, expected) in [(1.05e9, 6060.3), (1.05e11, 6960.9)] {
        let guided =
            Guided { offset: 2.6, friction: "coefficient = 0.31".into(), ..Guided::of_nodes(k) };
        let sim = Simulation::of(&guided.text());
        let found = sim.get("contacts.guide.normal_force");
        println!("k = {k:e} N/m: S = {found:.3} N ({expected})");
        assert!((found - expected).abs() < 0.1, "{found} {expected}");
    }
    let two = |force: f64, offset: f64| Guided {
        cells: [1, 1],
        force,
        offset,
        friction: "coefficient = 0.6".into(),
        ..Guided::of_nodes(2.1e11)
    };
    for (force, offset, normal, friction) in [
        (800.0, 1.5, [1348.210, 116.074], [-730.355, -69.645]),
        (1500.0, 1.5, [1884.501, 652.365], [-1108.581, -391.419]),
        (600.0, 1.5, [1186.068, 46.068], [-572.359, -27.641]),
    ] {
        let sim = Simulation::of(&two(force, offset).text());
        let sum = sim.get("contacts.guide.normal_force");
        let along = sim.get("contacts.guide.friction_force");
        println!("F = {force} N: N {sum:.4}, T {along:.4}");
        assert!((sum - normal.iter().sum::<f64>()).abs() < 1e-3 * 2.0, "{sum}");
        assert!((along.abs() - friction.iter().sum::<f64>().abs()).abs() < 2e-3, "{along}");
    }
}

/// Table B: clearance against none on a fine mesh, where the reference has eight-node elements: within their 0.5 %.
#[test]
fn clearance_leads_from_the_elastic_answer_to_that_of_rigid_corners() {
    let of = |[offset, force]: [f64; 2], clearance: f64| {
        let guided = Guided {
            cells: [20, 8],
            order: 2,
            stiffness: "stiffness = 4.2e11".into(),
            force,
            offset,
            clearance,
            ..Guided::of_nodes(1.0)
        };
        guided.slides().acceleration
    };
    for (load, row) in [
        ([1.2, 800.0], [1.443, 3.426, 3.426, 3.426, 2.243]),
        ([1.2, 1106.0], [2.028, 5.283, 5.202, 4.683, 2.815]),
        ([1.2, 1500.0], [2.650, 7.290, 7.167, 5.518, 3.421]),
        ([2.0, 5000.0], [f64::NAN, 15.570, 3.485, f64::NAN, f64::NAN]),
    ] {
        for (clearance, expected) in [0.0, 1e-3, 1e-5, 1e-6, 1e-7].into_iter().zip(row) {
            let found = of(load, clearance);
            println!("{load:?}, clearance {clearance:e} m: {found:.4} ({expected})");
            if expected.is_nan() {
                assert!(found <= 0.0, "{load:?} {clearance} {found}");
            } else {
                // Of the driving F/m.
                let driven = load[1] / 125.6;
                assert!((found - expected).abs() < 5e-3 * driven, "{load:?} {clearance} {found}");
            }
        }
    }
}

/// In time, after a ramp, the slider accelerates as the reference's does, and friction and contact layers close the balance.
#[test]
fn a_damped_slider_comes_to_slide_steadily_and_a_jammed_one_stays() {
    let of = |offset: f64| Guided { offset, more: DAMPED.into(), ..Guided::of_nodes(1.05e9) };
    for (offset, expected) in [(1.2, 5.74145), (2.0, 0.69047)] {
        let mut sim = Simulation::of(&of(offset).text());
        let (u, mut at) = (sim.point("a", 0), 0.0);
        sim.run(0.06, 1e-3, |_| {});
        at += sim.state.velocity[u];
        sim.run(0.12, 1e-3, |_| {});
        let mean = (sim.state.velocity[u] - at) / 0.06;
        let work = sim.get("energy.input_work");
        println!(
            "e = {offset} m: {mean:.5} ({expected}) m/s², balance {:.1e} of {work:.3} J",
            sim.get("energy.balance")
        );
        assert!((mean - expected).abs() < 1e-4, "{offset}: {mean}");
        assert!(sim.get("energy.balance").abs() < 1e-6 * work);
    }
    let mut sim = Simulation::of(&of(2.6).text());
    let u = sim.point("a", 0);
    sim.run(0.12, 1e-3, |_| {});
    assert!(sim.state.velocity[u].abs() < 1e-8, "{}", sim.state.velocity[u]);
    assert_eq!(sim.get("contacts.guide.sticking"), 1.0);
}
