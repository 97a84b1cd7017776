//! Driven mechanisms with friction in which a joint turns back exactly where a step ends: no force changes that it does.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, bundled};

const G: f64 = 9.81;
const CRANK: f64 = 0.1;
const ROD: f64 = 0.4;

/// Mass (kg) and moment of inertia (kg·m²) of the rod about its middle.
const INERTIA: [f64; 2] = [1.0, 0.0133];

/// A slider-crank that starts at its outer dead centre and turns with `speed` (rad/s), with friction at its guide.
fn slider_crank(speed: f64, friction: f64) -> Simulation {
    let [mass, inertia] = INERTIA;
    let rod = format!("rigid = true, mass = {mass:?}, inertia = {inertia:?}");
    let text = Mechanism::new("slider_crank")
        .points("O = [0.0, 0.0], A = [0.1, 0.0], P = [0.5, 0.0], L = [0.0, 0.0], R = [1.0, 0.0]")
        .member("crank", ["O", "A"], "rigid = true, mass = 0.0, inertia = 0.0")
        .member("rod", ["A", "P"], rod)
        .guide("guide", ["L", "R"], "elements = 1")
        .joint("A", "hinge = { point = 'A' }")
        .slider("P", "P", "guide", "")
        .and(format!("friction.coulomb = {{ coefficient = {friction:?} }}"))
        .pin("O")
        .motion("crank", format!("point = 'O', direction = 'rotation', rate = {speed:?}"))
        .gravity(-G)
        .entry("initial", "velocities = 'rigid_mechanism'")
        .outputs("motions.* joints.* points.P.*")
        .text();
    Simulation::with(&text, &[("solver.step", 1e-3)])
}

/// Torque of the drive and friction, against growing x, at the angle `turned`, by the equations of motion of the rod; at a dead centre
/// friction acts as behind it, where the slider moves by `beyond`.
fn exact(turned: f64, speed: f64, friction: f64, beyond: f64) -> [f64; 2] {
    let (sin, cos) = turned.sin_cos();
    let lean = (-CRANK * sin / ROD).asin();
    let (rise, run) = lean.sin_cos();
    let swing = -CRANK * cos * speed / (ROD * run);
    let quickens = (CRANK * sin * speed * speed + ROD * rise * swing * swing) / (ROD * run);
    let velocity = -CRANK * sin * speed - ROD * rise * swing;
    let half = 0.5 * ROD;
    let middle = [
        -CRANK * cos * speed * speed - half * (rise * quickens + run * swing * swing),
        -CRANK * sin * speed * speed + half * (run * quickens - rise * swing * swing),
    ];
    let sense = if velocity.abs() < 1e-9 { beyond } else { velocity.signum() };
    let [mass, inertia] = INERTIA;
    let (x, y) = (half * run, half * rise);
    // Unknown are the forces of the crank and the normal force N, with F = −μ |N| sgn v.
    let solved = [1.0, -1.0].into_iter().find_map(|side| {
        let slides = -sense * friction * side;
        let equations = Matrix3::new(1.0, 0.0, slides, 0.0, 1.0, 1.0, y, -x, x - y * slides);
        let needed = Vector3::new(mass * middle[0], mass * (middle[1] + G), inertia * quickens);
        let forces = equations.lu().solve(&needed).unwrap();
        (side * forces[2] >= 0.0).then_some((forces, slides * forces[2]))
    });
    let (forces, along) = solved.unwrap();
    [CRANK * (cos * forces[1] - sin * forces[0]), -along]
}

#[test]
fn a_slider_that_a_crank_drives_turns_back_at_its_dead_centres() {
    for (turns, steps) in [(1.0, 1000), (1.5, 200), (2.0, 1000), (3.0, 714)] {
        for friction in [0.05, 0.25, 0.6] {
            let speed = 2.0 * PI * turns;
            let mut sim = slider_crank(speed, friction);
            let (mut worst, mut largest) = ([0.0_f64; 2], [0.0_f64; 2]);
            let step = 1.0 / turns / f64::from(steps);
            for i in 0..2 * steps {
                sim.step(step);
                let turned = speed * f64::from(i + 1) * step;
                let found =
                    ["motions.crank.reaction", "joints.P.friction_force"].map(|key| sim.get(key));
                let both = [-1.0, 1.0].map(|beyond| exact(turned, speed, friction, beyond));
                for k in 0..2 {
                    let off = both.map(|exact| (found[k] - exact[k]).abs());
                    worst[k] = worst[k].max(off[0].min(off[1]));
                    largest[k] = largest[k].max(both[0][k].abs());
                }
            }
            println!("{turns} Hz, μ = {friction}: off by {worst:?} of {largest:?}");
            assert!((0..2).all(|k| worst[k] < 1e-10 * largest[k]));
        }
    }
}

#[test]
fn a_hinge_whose_sides_a_crank_turns_back_gives_the_work_that_its_friction_takes() {
    let hinge = "B = { hinge = { point = \"B\" } }";
    let with_friction = "B = { hinge = { point = \"B\", release = [\"coupler\"], radius = 0.02 }, friction.coulomb = \
                { static_coefficient = 0.3, coefficient = 0.25 } }";
    let text = bundled("four_bar").edit(hinge, with_friction);
    for turns in [1.0, 1.5, 2.0] {
        for step in [2e-3, 1e-3, 7e-4, 1e-4] {
            let given = [("parameters.speed", 2.0 * PI * turns), ("solver.step", step)];
            let mut sim = Simulation::with(&text, &given);
            let [mut before, mut taken] = [[0.0; 2]; 2];
            for _ in 0..2 {
                let steps = 500;
                let length = 1.0 / turns / f64::from(steps);
                for _ in 0..steps {
                    sim.step(length);
                    let [force, normal, speed] = ["friction_force", "normal_force", "velocity"]
                        .map(|key| sim.get(&format!("joints.B.{key}")));
                    // Where it turns back, either sense.
                    let sense = if speed.abs() < 1e-9 { force.signum() } else { speed.signum() };
                    let by_law = 0.25 * normal * sense;
                    assert!((force - by_law).abs() < 1e-6 * normal, "{force} of {by_law} N");
                }
                let now = ["energy.input_work", "energy.friction_work"].map(|key| sim.get(key));
                taken = [now[0] - before[0], now[1] - before[1]];
                before = now;
            }
            println!("{turns} Hz, step {step} s: {taken:?} J in a turn");
            assert!(taken[1] > 1e-3 && (taken[0] / taken[1] - 1.0).abs() < 1e-4);
        }
    }
}
