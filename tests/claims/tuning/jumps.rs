//! Numbers of friction laws without memory that a host changes while their joints slide: forces and accelerations jump where the step begins, and what follows is
//! of second order in the step, as behind a jump of an input.

use crate::common::block::Block;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check, sharp};
use crate::common::{self, Simulation, orders, runge_kutta};
use coulisse::system::Tuning;

/// Gives a running simulation of the model `text` the numbers of that with these values.
fn tune(sim: &mut Simulation, text: &str, values: &[(String, f64)]) {
    let values: Vec<(&str, f64)> = values.iter().map(|(path, value)| (&**path, *value)).collect();
    let checked = common::check(text, &values).unwrap_or_else(|faults| panic!("{faults}"));
    sim.state.tune(Tuning::of(&checked));
}

/// The block with a velocity of 6 m/s and a law of friction.
fn block(law: &str, step: f64) -> String {
    let more = "[initial.points.block]\nvx = 6.0\n[interface]\nparameters = [\"joints.block.friction.*\"]\n\
                outputs = [\"points.block.*\", \"joints.block.*\", \"energy.*\"]\n";
    Block { step, friction: law, more, ..Block::default() }.text()
}

/// A law with the numbers that change, each with its values in turn, and the coefficient at a speed by these.
type Law = (&'static str, &'static [(&'static str, [f64; 2])], fn(f64, &[f64]) -> f64);

/// Laws without memory. The block is faster than 0.5 m/s.
const LAWS: &[Law] = &[
    ("coulomb = { coefficient = 0.2 }", &[("coulomb.coefficient", [0.2, 0.5])], |_, n| n[0]),
    (
        "coulomb = { coefficient = 0.2, viscous_coefficient = 1.0 }",
        &[("coulomb.viscous_coefficient", [1.0, 6.0])],
        |v, n| 0.2 + n[0] * v / 20.0,
    ),
    (
        "stribeck = { static_coefficient = 0.6, kinetic_coefficient = 0.1, decay_velocity = 1.5 }",
        &[
            ("stribeck.static_coefficient", [0.6, 0.9]),
            ("stribeck.kinetic_coefficient", [0.1, 0.3]),
            ("stribeck.decay_velocity", [1.5, 1.0]),
        ],
        |v, n| n[1] + (n[0] - n[1]) * (-v / n[2]).exp(),
    ),
    (
        "modified_coulomb = { coefficient = 0.2, threshold_velocity = 0.01 }",
        &[("modified_coulomb.coefficient", [0.2, 0.5])],
        |_, n| n[0],
    ),
    (
        "arctangent = { coefficient = 0.2, threshold_velocity = 0.01, change = 0.5 }",
        &[("arctangent.coefficient", [0.2, 0.4]), ("arctangent.change", [0.5, -0.2])],
        |v, n| n[0] * (1.0 + n[1] * (v - 0.01).atan()),
    ),
    (
        "exponential = { coefficient = 0.2, threshold_velocity = 0.01, change = 0.5, decay_velocity = 1.0 }",
        &[("exponential.change", [0.5, -0.5]), ("exponential.decay_velocity", [1.0, 2.0])],
        |v, n| 0.2 * (1.0 + n[0] * (1.0 - (-(v - 0.01) / n[1]).exp())),
    ),
    (
        "expression = { coefficient = \"a + b*v\", numbers = { a = 0.1, b = 0.1 } }",
        &[("expression.numbers.a", [0.1, 0.3]), ("expression.numbers.b", [0.1, 0.05])],
        |v, n| n[0] + n[1] * v,
    ),
];

/// The numbers in their turn `k`, by their paths.
fn turn(numbers: &[(&str, [f64; 2])], joint: &str, k: usize) -> Vec<(String, f64)> {
    let path = |name: &str| format!("joints.{joint}.friction.{name}");
    numbers.iter().map(|(name, values)| (path(name), values[k % 2])).collect()
}

#[test]
fn a_block_whose_law_is_tuned_as_it_slides_is_of_second_order_under_every_law_without_memory() {
    for (law, numbers, coefficient) in LAWS {
        let errors = [0.02, 0.01, 0.005].map(|step| {
            let text = block(law, step);
            let mut sim = Simulation::of(&text);
            let (mut exact, mut worst) = ([0.0, 6.0], 0.0_f64);
            for k in 0..6 {
                let values = turn(numbers, "block", k);
                tune(&mut sim, &text, &values);
                sim.step(0.1);
                let now: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
                exact = runge_kutta(exact, 0.0, 0.1, 200, |_, &[_, v]| {
                    [v, -10.0 * coefficient(v.abs(), &now)]
                });
                assert!(exact[1] > 0.5, "{law}: {exact:?}");
                worst = worst.max((sim.get("points.block.vx") - exact[1]).abs());
                worst = worst.max((sim.get("points.block.x") - exact[0]).abs());
            }
            assert!(sim.get("energy.balance").abs() < 1e-3 * step, "{law}");
            worst
        });
        println!("{law}: {errors:?}, order {:.2?}", orders(&errors));
        let second = orders(&errors).iter().all(|order| *order > 1.8);
        assert!(second || errors.iter().all(|error| *error < 1e-10), "{law}: {errors:?}");
    }
}

/// A rigid bar of 1 kg and 0.6 m on a pin of 0.1 m, released along +x.
fn pendulum(step: f64) -> String {
    Mechanism::new("pendulum")
        .step(step)
        .points("top = [0.0, 0.0], tip = [0.6, 0.0]")
        .member("bar", ["top", "tip"], "rigid = true, mass = 1.0, inertia = 0.03")
        .pin("top")
        .joint("pin", "hinge = { point = 'top', release = ['bar'], radius = 0.1 }")
        .and("friction.coulomb = { coefficient = 0.2 }")
        .gravity(-9.81)
        .load("push", "point = 'tip', fx = 0.0, fy = 0.0")
        .probe("bar", "rotation = { point = 'top' }")
        .entry("interface", "parameters = ['joints.pin.friction.coulomb.coefficient']")
        .inputs("loads.push.fx loads.push.fy")
        .outputs("probes.* joints.* energy.*")
        .text()
}

/// Its acceleration under a force at its tip; the force of the pin follows from it, and friction from that: iterated.
fn rise(coefficient: f64, [fx, fy]: [f64; 2], p: f64, v: f64) -> f64 {
    let (c, g, r) = (0.3, 9.81, 0.1);
    let mut rise = 0.0;
    for _ in 0..100 {
        let along = -c * v * v + g * p.sin() - (fx * p.cos() + fy * p.sin());
        let across = c * rise + g * p.cos() - (-fx * p.sin() + fy * p.cos());
        let brake = coefficient * r * f64::hypot(along, across) * v.signum();
        let pushed = 0.6 * (-fx * p.sin() + fy * p.cos());
        rise = (-g * c * p.cos() + pushed - brake) / (0.03 + c * c);
    }
    rise
}

/// Errors of the angle and of the rate over 0.5 s in which every 0.05 s the coefficient and the push are those of a turn.
fn errors_of_pendulum(turns: fn(usize) -> (f64, [f64; 2])) -> [f64; 3] {
    [5e-3, 2.5e-3, 1.25e-3].map(|step| {
        let text = pendulum(step);
        let mut sim = Simulation::of(&text);
        let (mut exact, mut worst) = ([0.0, -1e-12], 0.0_f64);
        for k in 0..10 {
            let (coefficient, push) = turns(k);
            let path = "joints.pin.friction.coulomb.coefficient".to_string();
            tune(&mut sim, &text, &[(path, coefficient)]);
            sim.set("loads.push.fx", push[0]);
            sim.set("loads.push.fy", push[1]);
            sim.step(0.05);
            exact =
                runge_kutta(exact, 0.0, 0.05, 100, |_, &[p, v]| [v, rise(coefficient, push, p, v)]);
            assert!(exact[1] < -0.1, "it does not turn back: {exact:?}");
            worst = worst.max((sim.get("probes.bar") - exact[0]).abs());
            worst = worst.max((sim.get("joints.pin.velocity") / 0.1 - exact[1]).abs());
        }
        worst
    })
}

#[test]
fn a_hinge_whose_coefficient_is_tuned_as_it_turns_is_of_second_order() {
    let errors = errors_of_pendulum(|k| (if k % 2 == 0 { 0.2 } else { 0.6 }, [0.0; 2]));
    println!("{errors:?}, order {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|order| *order > 1.8), "{errors:?}");
}

#[test]
fn a_push_that_turns_the_force_of_a_hinge_is_of_second_order() {
    // The force of the pin turns and grows as it jumps: its size is no linear function of the jump.
    let errors = errors_of_pendulum(|k| (0.6, if k % 2 == 0 { [0.0; 2] } else { [3.0, -4.0] }));
    println!("{errors:?}, order {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|order| *order > 1.8), "{errors:?}");
}

#[test]
fn the_surface_of_a_block_whose_coefficient_is_tuned_slides_under_the_new_force_at_once() {
    // A layer of 1e6 N/m² under 0.2 m of a block of 20 kg that a motion presses in by 1 mm: 200 N.
    let text = |step: f64| {
        Mechanism::new("brick")
            .step(step)
            .points("c0 = [0.0, 0.0], c1 = [0.2, 0.0], c2 = [0.2, 0.2], c3 = [0.0, 0.2]")
            .and("m = [0.1, 0.1], g0 = [-1.0, 0.0], g1 = [9.0, 0.0]")
            .body("brick", "rigid = true, mass = 20.0, inertia = 0.1, points = ['m']")
            .patch("brick", [1, 1], "bottom: c0, right: c1, top: c2, left: c3")
            .guide("floor", ["g0", "g1"], "elements = 1, order = 1")
            .contact("f", "surface = ['brick.bottom'], path = ['floor'], stiffness = 1e6")
            .and("friction.coulomb = { coefficient = 0.2 }")
            .support("m", "point = 'm', fix = ['rotation']")
            .motion("y", "point = 'm', direction = 'y', amplitude = -1e-3")
            .and("history.table.times = [0.0, 0.1, 9.0], history.table.values = [0.0, 1.0, 1.0]")
            .and("history.table.interpolation = 'linear'")
            .start("m", "vx = 5.0")
            .entry("interface", "parameters = ['contacts.f.friction.coulomb.coefficient']")
            .outputs("points.m.* contacts.f.* energy.*")
            .text()
    };
    for step in [0.01, 0.005] {
        let text = text(step);
        let mut sim = Simulation::of(&text);
        sim.run(0.2, 0.1, |_| {});
        let mut exact = sim.get("points.m.vx");
        for coefficient in [0.5, 0.1, 0.4, 0.3] {
            let path = "contacts.f.friction.coulomb.coefficient".to_string();
            tune(&mut sim, &text, &[(path, coefficient)]);
            sim.step(0.1);
            exact -= 0.1 * coefficient * 10.0;
            let off = sim.get("points.m.vx") - exact;
            println!("step {step}, coefficient {coefficient}: {off:.1e} m/s");
            // Half a step late would be 3 m/s² of 5 ms. The layer takes its new force on a way of 0.3 mm, in 0.1 ms.
            assert!(off.abs() < 3.0 * 1e-4, "{off}");
            assert!(sim.get("energy.balance").abs() < 1e-3, "{}", sim.get("energy.balance"));
        }
    }
}

#[test]
fn derivatives_by_numbers_that_jump_are_those_of_differences() {
    let coefficient = |joint: &str| format!("joints.{joint}.friction.coulomb.coefficient");
    let text = sharp(&block("coulomb = { coefficient = 0.2 }", 0.01), 1e-13);
    let mut sim = Simulation::of(&text);
    sim.step(0.1);
    let sure = check(&sim, &text, 0.05, &[(&coefficient("block"), 0.01)], 1e-6);
    let text = sharp(&pendulum(5e-3), 1e-13);
    let mut sim = Simulation::of(&text);
    sim.set("loads.push.fx", 10.0);
    sim.step(0.1);
    let pushes = [("loads.push.fx", 0.1), ("loads.push.fy", 0.1)];
    let more = check(&sim, &text, 0.05, &[(&*coefficient("pin"), 0.01)], 1e-5)
        + check(&sim, &text, 0.05, &pushes, 1e-5);
    // Over a jump that turns the force of the pin, whose direction is that behind it and whose stiffness that before.
    let text = text.edit(", \"energy.*\"", "");
    let mut sim = Simulation::of(&text);
    sim.set("loads.push.fx", 10.0);
    sim.step(0.1);
    sim.set("loads.push.fx", 0.0);
    check(&sim, &text, 0.05, &pushes, 1e-3);
    println!("{sure} and {more} derivatives");
    assert!(sure >= 5 && more >= 15, "{sure} {more}");
}

#[test]
fn a_block_that_is_braked_harder_stops_where_the_closed_form_says() {
    let text = block("coulomb = { coefficient = 0.2 }", 0.01).edit("vx = 6.0", "vx = 2.0");
    let mut sim = Simulation::of(&text);
    sim.step(0.3);
    tune(&mut sim, &text, &[("joints.block.friction.coulomb.coefficient".to_string(), 0.8)]);
    sim.step(0.5);
    // 1.4 m/s after 0.51 m, and 8 m/s² from there.
    let exact = 0.51 + 1.4 * 1.4 / 16.0;
    assert!((sim.get("points.block.x") - exact).abs() < 1e-9, "{}", sim.get("points.block.x"));
    assert_eq!(sim.get("joints.block.sticking"), 1.0);
    assert!(sim.get("energy.balance").abs() < 1e-9);
}
