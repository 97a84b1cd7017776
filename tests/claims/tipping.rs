//! A rigid crate that slides and tips: which corner bears, and how it goes on, against its differential equation.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, runge_kutta};

const G: f64 = 9.81;

/// A crate of 1 kg, b × h, that slides along x with a speed and friction at its two lower corners.
fn a_crate() -> String {
    Mechanism::new("crate")
        .gravity(-9.81)
        .step(5e-4)
        .entry("parameters", "mu = 0.4, b = 0.1, h = 0.3, speed = 3.0")
        .points("c0 = ['-b/2', 0.0], c1 = ['b/2', 0.0], c2 = ['b/2', 'h'], c3 = ['-b/2', 'h']")
        .and("m = [0.0, 'h/2'], g0 = [-2.0, 0.0], g1 = [12.0, 0.0]")
        .body("box", "rigid = true, mass = 1.0, inertia = '(b*b+h*h)/12', points = ['m']")
        .patch("box", [1, 1], "bottom: c0, right: c1, top: c2, left: c3")
        .guide("floor", ["g0", "g1"], "elements = 1, order = 1")
        .slider("rear", "c0", "floor", "contact = 'unilateral'")
        .and("friction.coulomb = { coefficient = 'mu' }")
        .slider("front", "c1", "floor", "contact = 'unilateral'")
        .and("friction.coulomb = { coefficient = 'mu' }")
        .entry("initial.bodies.m", "vx = 'speed', vy = 0.0")
        .outputs("points.m.* joints.* energy.impact_loss")
        .text()
}

/// Normal force at the front corner while it alone bears and slides, N, and angular acceleration, at the angle θ and its rate ω.
fn front([mu, b, h]: [f64; 3], theta: f64, omega: f64) -> [f64; 2] {
    // The centre of mass as seen from the corner.
    let (sin, cos) = theta.sin_cos();
    let [x, y] = [-0.5 * b * cos - 0.5 * h * sin, -0.5 * b * sin + 0.5 * h * cos];
    let (inertia, lever) = ((b * b + h * h) / 12.0, -x - mu * y);
    // N − g = x θ̈ − y ω², θ̈ = N lever/J.
    let normal = (G - y * omega * omega) / (1.0 - x * lever / inertia);
    [normal, normal * lever / inertia]
}

#[test]
fn a_sliding_crate_with_more_friction_than_breadth_over_height_tips_over_its_front_corner() {
    for ([mu, b, h], speed) in [([0.4, 0.1, 0.3], 3.0), ([1.1, 0.1, 0.1], 6.0)] {
        let size = [mu, b, h];
        let [first, _] = front(size, 0.0, 0.0);
        let exact = runge_kutta([0.0, speed, 0.0, 0.0], 0.0, 0.1, 2000, |_, y| {
            let [normal, turn] = front(size, y[2], y[3]);
            // The centre's place, from that of the corner, is not needed: friction is its only force along x.
            [y[1], -mu * normal, y[3], turn]
        });
        for step in [1e-3, 5e-4, 3e-4, 1e-4] {
            let numbers = [("mu", mu), ("b", b), ("h", h), ("speed", speed)];
            let names = numbers.map(|(name, value)| (format!("parameters.{name}"), value));
            let mut values: Vec<(&str, f64)> =
                names.iter().map(|(n, v)| (n.as_str(), *v)).collect();
            values.push(("solver.step", step));
            let mut sim = Simulation::with(&a_crate(), &values);
            let bears = ["front", "rear"].map(|j| sim.get(&format!("joints.{j}.normal_force")));
            assert!((bears[0] / first - 1.0).abs() < 1e-4, "{bears:?} N, {first}");
            assert_eq!(bears[1], 0.0);
            sim.run(0.1, 2e-3, |_| {});
            let seen = ["x", "vx", "rotation"].map(|name| sim.get(&format!("points.m.{name}")));
            println!("{size:?}, {step} s: {seen:?}, exact {exact:?}");
            for (seen, exact) in seen.iter().zip(exact) {
                assert!((seen - exact).abs() < 2e2 * step * step + 1e-6);
            }
            assert_eq!(sim.get("energy.impact_loss"), 0.0);
        }
    }
}

#[test]
fn a_sliding_crate_with_less_friction_stays_on_both_corners_and_brakes_as_a_particle() {
    let mut sim = Simulation::of(&a_crate().edit("mu = 0.4", "mu = 0.3"));
    let shift = 0.5 * 0.3 * 0.3 / 0.1;
    let bears = ["front", "rear"].map(|j| sim.get(&format!("joints.{j}.normal_force")));
    for (seen, share) in bears.iter().zip([0.5 + shift, 0.5 - shift]) {
        assert!((seen / (share * G) - 1.0).abs() < 1e-6, "{bears:?}");
    }
    sim.run(0.1, 2e-3, |_| {});
    assert!((sim.get("points.m.vx") - (3.0 - 0.3 * G * 0.1)).abs() < 1e-9);
}
