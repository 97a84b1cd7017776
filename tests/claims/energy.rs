//! Energy: friction only takes, and the balance closes as the step shrinks.

use crate::common::edit::Edit;
use crate::common::gifts::observe;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation, orders};

/// A bundled model with friction in the printed form and `share` of its solver step.
fn printed(name: &str, share: f64) -> String {
    let text = common::bundled(name).edit(
        "friction.stribeck = { ",
        "friction.stribeck = { transition = \"siqueira_coda_2023\", ",
    );
    let step = common::check(&text, &[]).expect("bundled").solver.step;
    text.edit(&format!("\nstep = {step:e}\n"), &format!("\nstep = {}\n", share * step))
}

const BUNDLED: [(&str, f64); 4] =
    [("quick_return", 0.8), ("rabinowicz", 45.0), ("incline", 2.0), ("incline_prismatic", 2.0)];

#[test]
fn friction_takes_energy_in_every_step() {
    // Sticking then means that nothing moves, sliding that F_f has the sign of v.
    for (name, end) in BUNDLED {
        let mut sim = Simulation::of(&common::bundled(name));
        let given = observe(&mut sim, end, |_| (), |_, _| ());
        println!("{name}: {given:?}");
        assert!(given.taken > 1.0);
        assert!(given.most < 1e-12 * given.taken, "{name}: {given:?}");
    }
}

/// Slow: 45 s of stick and slip and a quick return, each in two steps.
#[test]
fn friction_of_the_printed_form_gives_only_what_vanishes_with_the_step() {
    for (name, end) in [("quick_return", 0.4), ("rabinowicz", 45.0)] {
        let [coarse, fine] = [1.0, 0.25].map(|share| {
            let mut sim = Simulation::of(&printed(name, share));
            observe(&mut sim, end, |_| (), |_, _| ())
        });
        println!("{name}: {coarse:?}, a quarter of the step: {fine:?}");
        assert!(coarse.sum < 1e-5 * coarse.taken, "{coarse:?}");
        assert!(fine.sum < 0.25 * coarse.sum, "{coarse:?} {fine:?}");
    }
}

#[test]
fn friction_of_the_printed_form_gives_only_while_the_slider_creeps() {
    // It holds F_S while |v| < (|F_R| − F_S) Δt/m = |a| Δt. So F_f v < 0 needs |v| ≤ |a| Δt.
    let text = printed("rabinowicz", 1.0).edit("\"points.block.vx\"", "\"points.block.ax\"");
    let mut sim = Simulation::of(&text);
    let h = sim.system.model().solver.step;
    let mut seen = 0;
    observe(
        &mut sim,
        45.0,
        |_| (),
        |sim, gift| {
            let slid = gift / sim.get("joints.block.friction_force").abs();
            let creep = sim.get("points.block.ax").abs() * h * h;
            // 1e-13 m: rounding of the work.
            assert!(slid <= creep * 1.001 + 1e-13, "{slid:e} {creep:e}");
            seen += 1;
        },
    );
    assert!(seen > 0);
}

/// The most by which the energy of the motion is off at 20 instants until `end` for each of the steps, J, where the balance with what the time
/// integration takes is closed to what Newton's method leaves.
fn energy_off(text: &dyn Fn(f64) -> String, steps: [f64; 3], end: f64) -> [f64; 3] {
    steps.map(|h| {
        let mut sim = Simulation::of(&text(h));
        let [mut worst, mut open, mut largest] = [0.0_f64; 3];
        sim.run(end, end / 20.0, |sim| {
            let balance = sim.get("energy.balance");
            open = open.max(balance.abs());
            worst = worst.max((balance + sim.get("energy.numerical_dissipation")).abs());
            largest = largest.max(sim.get("energy.kinetic"));
        });
        // Members a million times stiffer than the arm of the quick return leave up to 1.3e-6 by rounding.
        assert!(open < 2e-6 * largest, "{open:e} of {largest:e} J");
        worst
    })
}

fn quick_return(coefficient: f64, h: f64) -> String {
    common::bundled("quick_return")
        .edit(
            "\nstep = 1e-4\n",
            &format!("\nstep = {h}\nposition_tolerance = 1e-12\nenergy_tolerance = 1e9\n"),
        )
        .edit("static_coefficient = 0.35", &format!("static_coefficient = {coefficient}"))
        .edit("kinetic_coefficient = 0.30", &format!("kinetic_coefficient = {coefficient}"))
}

#[test]
fn the_energy_balance_of_the_quick_return_closes_as_the_step_shrinks() {
    let smooth = energy_off(&|h| quick_return(0.0, h), [4e-4, 2e-4, 1e-4], 0.2);
    println!("frictionless: {smooth:?} J, orders {:.2?}", orders(&smooth));
    assert!(smooth[2] < 0.095 * smooth[0], "of an order above 1.7");
    // Where the slider turns back, the force at the end of the step counts alone: of first order.
    let rough = energy_off(&|h| quick_return(0.3, h), [2e-4, 1e-4, 5e-5], 0.2);
    println!("with friction: {rough:?} J, orders {:.2?}", orders(&rough));
    assert!(orders(&rough).iter().all(|p| *p > 0.9));
    assert!(rough[2] < 1e-3 * 45.0, "of 45 J that friction takes");
}

#[test]
fn the_energy_balance_of_the_driven_mass_on_the_bridge_closes_with_second_order() {
    let driven = |h: f64| {
        common::bundled("moving_mass_on_bridge")
            .edit("\nstep = 1e-3\n", &format!("\nstep = {h}\n"))
            .edit(
                "[initial.points.wheel]\nvx = \"speed\"",
                "[motions.drive]\npoint = \"wheel\"\ndirection = \"x\"\n\
                 amplitude = \"2*span\"\nhistory.ramp = { duration = 2.0 }",
            )
    };
    let errors = energy_off(&driven, [4e-3, 2e-3, 1e-3], 2.0);
    println!("{errors:?} J, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.9));
}

/// A flexible pendulum pushed by a horizontal force that the host sets.
fn pushed_pendulum(h: f64) -> String {
    Mechanism::new("PushedPendulum")
        .step(h)
        .solver("spectral_radius = 0.8, position_tolerance = 1e-13, energy_tolerance = 1e9")
        .points("pivot = [0.0, 0.0], tip = [0.0, -1.0]")
        .entry("materials.soft", "young_modulus = 2e8, shear_modulus = 1e8, density = 1000.0")
        .rectangle("strip", 0.05, 0.05)
        .member("rod", ["pivot", "tip"], "elements = 2, material = 'soft', section = 'strip'")
        .pin("pivot")
        .gravity(-9.81)
        .load("push", "point = 'tip', fx = 0.0")
        .inputs("loads.push.fx")
        .outputs("energy.*")
        .text()
}

#[test]
fn the_energy_balance_of_a_pendulum_pushed_by_a_host_closes_as_the_step_shrinks() {
    // The host's force is a stair of 20 ms.
    let errors = [2e-4, 1e-4, 5e-5, 2.5e-5].map(|h| {
        let mut sim = Simulation::of(&pushed_pendulum(h));
        let mut worst = 0.0_f64;
        for i in 0..50 {
            let t = 0.02 * f64::from(i);
            sim.set("loads.push.fx", 20.0 * (5.0 * t).sin());
            sim.step(0.02);
            worst = worst.max(sim.lost().abs());
        }
        println!("{h}: {worst:.2e} J of {:.2} J", sim.get("energy.input_work"));
        worst
    });
    assert!(errors.windows(2).all(|e| e[0] / e[1] > 3.5), "{errors:?}");
}

#[test]
fn numerical_damping_only_takes_energy() {
    // Nothing drives it after the first instant.
    let text = pushed_pendulum(1e-3).edit("fx = 0.0", "fx = 0.0\n[initial.points.tip]\nvx = 3.0");
    let mut sim = Simulation::of(&text);
    let mut lost = 0.0;
    sim.run(2.0, 0.05, |sim| {
        let now = sim.lost();
        assert!(now > lost, "{now} after {lost}");
        lost = now;
    });
    println!("lost {lost:.3e} J");
}

#[test]
fn a_quasi_static_analysis_has_no_kinetic_energy() {
    let text = |analysis: &str| {
        Mechanism::new("pulled")
            .step(1e-2)
            .solver(format!("analysis = '{analysis}'"))
            .points("wall = [-1.0, 0.0], block = [0.0, 0.0]")
            .material("rubber", 1e6, 0.3, 0.0)
            .section("rod", "properties = { area = 1e-4, second_moment = 1e-9 }")
            .member("rod", ["wall", "block"], "elements = 1, material = 'rubber'")
            .and("section = 'rod'")
            .support("wall", "point = 'wall', fix = ['y', 'rotation']")
            .motion("wall", "point = 'wall', direction = 'x', amplitude = 0.2")
            .and("history.ramp = { duration = 1.0 }")
            .mass("block", 1.0)
            .load("hold", "point = 'block', fx = -5.0")
            .support("line", "point = 'block', fix = ['y']")
            .outputs("energy.* points.block.vx")
            .text()
    };
    let mut sim = Simulation::of(&text("quasi_static"));
    sim.run(0.5, 0.1, |sim| {
        assert!(sim.get("points.block.vx") > 1e-3, "it moves");
        assert_eq!(sim.get("energy.kinetic"), 0.0);
        // The rod keeps its length: all work of the drive goes to the load.
        let balance = sim.get("energy.balance");
        assert!(balance.abs() < 1e-9, "{balance}");
    });
    let mut sim = Simulation::of(&text("dynamic"));
    sim.run(0.5, 0.1, |_| {});
    let v = sim.get("points.block.vx");
    assert!((sim.get("energy.kinetic") - 0.5 * v * v).abs() < 1e-12);
}

/// Two masses on a very soft bar that is held at both ends: the fast one, let go by its drive, meets a slope that has no normal
/// force for so much friction.
fn wedged() -> String {
    Mechanism::new("wedged")
        .step(1e-4)
        .points("left = [0.0, 0.0], right = [1.101, 0.0], slow = [1.04886, 0.0]")
        .and("fast = [0.7528, 0.0]")
        .material("soft", 2.09e8, 0.3, 802.0)
        .section("rod", "circle = { diameter = 0.02 }")
        .member("deck", ["left", "right"], "elements = 4, material = 'soft', section = 'rod'")
        .pin("left")
        .roller("right")
        .mass("slow", 0.975)
        .slider("slow", "slow", "deck", "")
        .and("friction.dahl = { stiffness = 2551.0, coefficient = 0.226, exponent = 1.0 }")
        .mass("fast", 1.765)
        .motion("fast", "point = 'fast', direction = 'x', velocity = 5.094")
        .and("release.position = { joint = 'fast', at = 1.0696 }")
        .slider("fast", "fast", "deck", "")
        .and("friction.modified_coulomb = { coefficient = 0.4716, threshold_velocity = 0.043 }")
        .start("slow", "vx = 0.7317")
        .gravity(-9.81)
        .outputs("energy.*")
        .text()
}

#[test]
fn where_friction_finds_no_force_a_slider_jams_and_makes_no_energy() {
    for h in [1e-4, 5e-5, 3e-5, 2e-5, 1e-5] {
        let mut sim = Simulation::with(&wedged(), &[("solver.step", h)]);
        let mut largest = 0.0_f64;
        let fault = (0..365).find_map(|i| {
            largest = largest.max(sim.get("energy.kinetic"));
            sim.try_step(i as f64 * 2e-4, 2e-4).err()
        });
        let [balance, lost] = ["balance", "impact_loss"].map(|of| sim.get(&format!("energy.{of}")));
        println!(
            "{h:e}: {:.5} s, {balance:.1e} J unexplained of {largest:.1}, {lost:.2} J lost, {fault:?}",
            sim.time()
        );
        assert!(sim.time() > 0.07, "{h:e}: {fault:?}");
        // It would be 100 times as much, and made, with friction that acts the wrong way.
        assert!(balance.abs() < 3e-4 * largest, "{h:e}: {balance} J");
    }
}
