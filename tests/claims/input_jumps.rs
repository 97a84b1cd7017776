//! Where forces begin or jump: at the start, and where a host sets an input.

use crate::common::block::Block;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::check;
use crate::common::{self, Simulation, orders};

/// A mass of 2 kg on a spring of 800 N/m, 20 rad/s, that a host pushes.
fn oscillator(step: f64, rho: f64) -> String {
    Mechanism::new("Pushed")
        .step(step)
        .solver(format!("spectral_radius = {rho:?}, energy_tolerance = 1e9"))
        .points("wall = [0.0, 0.0], mass = [1.0, 0.0]")
        .roller("mass")
        .mass("mass", 2.0)
        .spring("k", "ground = 'wall', to = 'mass', direction = 'x', stiffness = 800.0")
        .load("push", "point = 'mass', fx = 0.0")
        .inputs("loads.push.fx")
        .outputs("points.mass.* energy.*")
        .text()
}

#[test]
fn a_vibration_under_a_stair_of_forces_is_of_second_order_and_closes_its_balance() {
    let (omega, stiffness, hold) = (20.0_f64, 800.0, 0.02);
    let force = |k: u32| f64::from((7 * k) % 5) * 100.0 - 200.0;
    for rho in [0.0, 0.5, 0.9] {
        let errors = [4e-3, 2e-3, 1e-3].map(|step| {
            let mut sim = Simulation::of(&oscillator(step, rho));
            let (mut x, mut v, mut worst, mut open) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
            for k in 0..100 {
                sim.set("loads.push.fx", force(k));
                sim.step(hold);
                // A turn about the place at which the force is in balance.
                let (rest, (sin, cos)) = (force(k) / stiffness, (omega * hold).sin_cos());
                let out = x - rest;
                (x, v) = (rest + out * cos + v / omega * sin, v * cos - out * omega * sin);
                worst = worst.max((sim.get("points.mass.x") - 1.0 - x).abs());
                open = open.max(sim.get("energy.balance").abs());
            }
            println!("rho {rho}, {step}: {worst:.2e} m, {open:.1e} J open");
            // Nothing is left open in what is linear but rounding, and 500 J come and go.
            assert!(open < 1e-9, "{open}");
            worst
        });
        assert!(orders(&errors).iter().all(|o| *o > 1.9), "{errors:?}");
    }
}

#[test]
fn a_block_breaks_away_where_its_force_jumps_and_stops_where_the_closed_form_says() {
    // 2 kg under 20 N of weight, μ = ½: 15 N are 5 N too many, 2.5 m/s², and without them it brakes with 5 m/s².
    let text = Block {
        more: "[loads.push]\npoint = \"block\"\nfx = 0.0\n[interface]\ninputs = [\"loads.push.fx\"]\noutputs = [\"points.block.x\", \"energy.*\"]",
        ..Block::default()
    }
    .text();
    let mut sim = Simulation::of(&text);
    sim.step(0.1);
    assert_eq!(sim.get("points.block.x"), 0.0);
    sim.set("loads.push.fx", 15.0);
    sim.run(0.2, 0.1, |_| ());
    let after_push = sim.get("points.block.x");
    sim.set("loads.push.fx", 0.0);
    sim.run(0.3, 0.1, |_| ());
    let at_rest = sim.get("points.block.x");
    println!("{after_push} m, {at_rest} m, {} J", sim.get("energy.balance"));
    assert!((after_push - 0.0125).abs() < 1e-9);
    assert!((at_rest - 0.01875).abs() < 1e-9);
    assert!(sim.get("energy.balance").abs() < 1e-9);
}

/// Forces of the bead on a rod that turns at 3 rad/s in the first steps of 1 ms, and those of its closed form: r = ½ cosh ωt,
/// F_N = 2 m ω ṙ.
fn first_forces() -> [[f64; 2]; 10] {
    let text = common::text("tests/models/rotating_rod");
    let mut sim = Simulation::with(&text, &[("parameters.mu", 0.0)]);
    std::array::from_fn(|_| {
        sim.step(1e-3);
        let exact = 2.0 * 3.0 * 0.5 * 3.0 * (3.0 * sim.time()).sinh();
        [sim.get("joints.bead.normal_force"), exact]
    })
}

#[test]
fn the_force_of_a_driven_rod_on_its_bead_does_not_ring_from_the_start_on() {
    let worst = first_forces().map(|[force, exact]| (force - exact).abs());
    println!("{worst:.1?} N, {:?}", first_forces());
    let worst = worst.into_iter().fold(0.0, f64::max);
    // The force grows by 0.027 N per step, by more than which it would swing without the jerk; that of the rod, which has no mass, is
    // left out.
    assert!(worst < 0.2 * 0.027, "{worst}");
}

#[test]
fn the_first_forces_of_the_quick_return_are_those_of_steps_twenty_times_as_short() {
    let forces = |step: &str| {
        let text = common::bundled("quick_return").edit("step = 1e-4", &format!("step = {step}"));
        let mut sim = Simulation::of(&text);
        [0.0; 10].map(|_| {
            sim.step(1e-4);
            sim.get("joints.S.normal_force")
        })
    };
    let [coarse, fine] = [forces("1e-4"), forces("5e-6")];
    println!("{coarse:.0?}\n{fine:.0?}");
    let largest = fine.iter().fold(0.0_f64, |a, f| a.max(*f));
    // The arm begins to swing at 900 Hz, of which a step of 0.1 ms shows the course but not each turn; before, every other
    // force was half or twice the one between.
    for (coarse, fine) in coarse.iter().zip(&fine) {
        assert!((coarse - fine).abs() < 0.15 * largest, "{coarse} {fine}");
    }
}

#[test]
fn derivatives_over_a_jump_are_those_of_differences() {
    let mut sure = 0;
    for (rho, force) in [(0.0, 50.0), (0.5, -300.0), (0.9, 120.0)] {
        let text = oscillator(4e-3, rho);
        let mut sim = Simulation::of(&text);
        sim.step(0.02);
        sim.set("loads.push.fx", force);
        sure += check(&sim, &text, 0.012, &[("loads.push.fx", 1.0)], 1e-7);
    }
    assert!(sure > 6, "{sure}");
}
