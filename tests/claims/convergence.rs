//! Observed orders of convergence in time and in mesh size.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, orders};

/// A flexible pendulum that falls from the horizontal.
fn pendulum(step: f64, method: &str, rho: f64) -> String {
    Mechanism::new("Pendulum")
        .step(step)
        .solver(format!("method = '{method}', spectral_radius = {rho}"))
        .and("position_tolerance = 1e-13, force_tolerance = 1e-10")
        .points("pivot = [0.0, 0.0], tip = [1.0, 0.0]")
        .entry("materials.soft", "young_modulus = 2e6, shear_modulus = 1e6, density = 1000.0")
        .rectangle("strip", 0.05, 0.05)
        .beam("rod", ["pivot", "tip"], [2, 3], "soft strip")
        .pin("pivot")
        .gravity(-9.81)
        .outputs("points.* energy.*")
        .text()
}

fn scientific(errors: &[f64]) -> String {
    let errors: Vec<String> = errors.iter().map(|e| format!("{e:.2e}")).collect();
    errors.join(" ")
}

#[test]
fn generalized_alpha_is_of_second_order() {
    let tip = |step: f64| {
        let mut sim = Simulation::of(&pendulum(step, "generalized_alpha", 0.8));
        sim.run(0.4, 0.1, |_| ());
        ["x", "y", "vx", "vy"].map(|part| sim.get(&format!("points.tip.{part}")))
    };
    let exact = tip(1.25e-5);
    let [positions, velocities]: [Vec<f64>; 2] = [0, 2].map(|first| {
        [4e-4, 2e-4, 1e-4]
            .map(|step| {
                let now = tip(step);
                f64::hypot(now[first] - exact[first], now[first + 1] - exact[first + 1])
            })
            .to_vec()
    });
    for (quantity, errors) in [("position", &positions), ("velocity", &velocities)] {
        let orders = orders(errors);
        println!("{quantity}: errors {}, orders {orders:.2?}", scientific(errors));
        assert!(orders.iter().all(|o| *o > 1.9), "{quantity}: {orders:?}");
    }
}

#[test]
fn newmark_with_dissipation_is_of_first_order_and_damps() {
    let tip = |step: f64| {
        let mut sim = Simulation::of(&pendulum(step, "newmark", 0.8));
        sim.run(0.4, 0.1, |_| ());
        (sim.get("points.tip.y"), sim.lost())
    };
    let (exact, _) = tip(1e-5);
    let errors: Vec<f64> = [4e-4, 2e-4, 1e-4].map(|h| (tip(h).0 - exact).abs()).to_vec();
    let orders = orders(&errors);
    println!("errors {}, orders {orders:.2?}", scientific(&errors));
    assert!(orders.iter().all(|o| (0.8..1.5).contains(o)), "{orders:?}");
    assert!(tip(4e-4).1 > 0.0, "energy is lost, not made");
}

/// A block of 2 kg that 4 N·s/m brake from 1 m/s on a level plane.
fn braked_block(step: f64) -> String {
    Mechanism::new("Braked")
        .step(step)
        .points("left = [-1.0, 0.0], right = [1.0, 0.0], block = [0.0, 0.0]")
        .guide("plane", ["left", "right"], "elements = 1")
        .mass("block", 2.0)
        .joint("block", "cylindrical.slider = 'block', cylindrical.path = ['plane']")
        .and("friction.stribeck.static_coefficient = 0.0")
        .and("friction.stribeck.kinetic_coefficient = 0.0")
        .and("friction.stribeck.decay_velocity = 0.1")
        .and("friction.stribeck.viscous_coefficient = 4.0")
        .start("block", "vx = 1.0")
        .text()
}

#[test]
fn friction_that_depends_on_velocity_is_of_second_order() {
    // v = exp(−η t/m).
    let errors: Vec<f64> = [2e-2, 1e-2, 5e-3]
        .iter()
        .map(|&h| {
            let mut sim = Simulation::of(&braked_block(h));
            sim.run(0.5, 0.5, |_| ());
            (sim.get("joints.block.velocity") - (-1.0_f64).exp()).abs()
        })
        .collect();
    let orders = orders(&errors);
    println!("errors {} m/s, orders {orders:.2?}", scientific(&errors));
    assert!(orders.iter().all(|o| (1.9..2.2).contains(o)), "{orders:?}");
}

/// A cantilever bent far by a tip load, with probes all along it.
fn cantilever(order: usize, elements: usize) -> Vec<f64> {
    let places: Vec<f64> = (1..=40).map(|k| f64::from(k) / 40.0 - 0.0137).collect();
    let probes: String = places
        .iter()
        .enumerate()
        .flat_map(|(k, at)| {
            ["x", "y"].map(|d| {
                format!(
                    "[probes.p{k}{d}]\ndisplacement = {{ member = \"beam\", at = {at}, direction = \"{d}\" }}\n"
                )
            })
        })
        .collect();
    let mut sim = Mechanism::new("Cantilever")
        .step(0.1)
        .solver("analysis = 'quasi_static', position_tolerance = 1e-14")
        .points("root = [0.0, 0.0], tip = [1.0, 0.0]")
        .entry("materials.soft", "young_modulus = 1e6, shear_modulus = 0.5e6, density = 0.0")
        .rectangle("strip", 0.2, 1.0)
        .beam("beam", ["root", "tip"], [elements, order], "soft strip")
        .clamp("root")
        .load("tip", "point = 'tip', fy = 1000.0, history.ramp = { duration = 1.0 }")
        .add(probes)
        .outputs("probes.*")
        .simulation();
    sim.run(1.0, 0.1, |_| ());
    (0..places.len())
        .flat_map(|k| ["x", "y"].map(|d| format!("probes.p{k}{d}")))
        .map(|path| sim.get(&path))
        .collect()
}

#[test]
fn displacements_converge_with_order_p_plus_one_in_mesh_size() {
    let exact = cantilever(4, 64);
    for (order, meshes) in [(1, [32, 64, 128]), (2, [8, 16, 32]), (3, [4, 8, 16]), (4, [3, 6, 12])]
    {
        let errors: Vec<f64> = meshes
            .iter()
            .map(|&n| {
                let now = cantilever(order, n);
                let squares: f64 = now.iter().zip(&exact).map(|(a, b)| (a - b).powi(2)).sum();
                (squares / now.len() as f64).sqrt()
            })
            .collect();
        let orders = orders(&errors);
        println!("order {order}: errors {} m, orders {orders:.2?}", scientific(&errors));
        // Positions and rotations have the same order, so shear keeps the rate of p + 1 away
        // from locking; the tip deflects by 0.8 m.
        assert!(orders[1] > order as f64 + 0.7, "order {order}: {orders:?}");
    }
}
