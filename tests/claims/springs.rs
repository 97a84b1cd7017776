//! Springs, dampers, stops, slip elements and actuators against closed forms, small ordinary differential equations, differences
//! and the balance of energies.

mod bushings;
mod machines;
mod massless;
mod random;
mod stops;

use std::f64::consts::{PI, TAU};

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders, runge_kutta};

/// A mass of 2 kg that moves along y only, and what is between it and the ground 1 m below.
fn oscillator(step: f64, spring: &str) -> String {
    Mechanism::new("oscillator")
        .step(step)
        .solver("spectral_radius = 0.99")
        .points("mass = [0.0, 1.0], foot = [0.0, 0.0]")
        .mass("mass", 2.0)
        .support("guide", "point = 'mass', fix = ['x']")
        .spring("s", format!("ground = 'foot', to = 'mass', {spring}"))
        .start("mass", "vy = 0.7")
        .outputs("points.* springs.* energy.*")
        .text()
}

#[test]
fn a_damped_oscillator_has_its_frequency_and_decrement_in_every_direction_that_is_the_same() {
    let (k, c, m) = (800.0_f64, 3.0_f64, 2.0_f64);
    let decay = c / (2.0 * m);
    let omega = (k / m - decay * decay).sqrt();
    for direction in ["line", "y"] {
        let spring = format!("stiffness = {k:?}\ndamping = {c:?}\ndirection = \"{direction}\"");
        let errors = [2e-3, 1e-3, 5e-4].map(|step| {
            let mut sim = Simulation::of(&oscillator(step, &spring));
            let mut worst = 0.0_f64;
            sim.run(1.0, 0.02, |sim| {
                let t = sim.time();
                let exact = 0.7 / omega * (-decay * t).exp() * (omega * t).sin();
                worst = worst.max((sim.get("points.mass.y") - 1.0 - exact).abs());
                let length = sim.get("springs.s.length");
                assert!((length - sim.get("points.mass.y")).abs() < 1e-12);
                let force = k * (length - 1.0) + c * sim.get("springs.s.rate");
                assert!((sim.get("springs.s.force") - force).abs() < 1e-9);
            });
            let lost = sim.get("springs.s.dissipated_energy");
            assert!((lost - sim.get("energy.damping_work")).abs() < 1e-14);
            let left = 0.5 * m * 0.7 * 0.7 - lost - sim.get("energy.numerical_dissipation");
            let now = sim.get("energy.kinetic") + sim.get("springs.s.stored_energy");
            assert!((left - now).abs() < 2e-4 * 0.49, "{left} {now}");
            worst
        });
        println!("{direction}: {errors:?} m, orders {:.2?}", orders(&errors));
        assert!(errors[2] < 1e-4 && orders(&errors)[1] > 1.9);
    }
}

/// A mass on an elastic, damped string in the plane: x, y, u, v.
fn pendulum(k: f64, c: f64, l: f64, m: f64) -> impl Fn(f64, &[f64; 4]) -> [f64; 4] {
    move |_, &[x, y, u, v]| {
        let r = x.hypot(y);
        let rate = (x * u + y * v) / r;
        let force = k * (r - l) + c * rate;
        [u, v, -force * x / (r * m), -9.81 - force * y / (r * m)]
    }
}

fn string() -> String {
    Mechanism::new("string")
        .step(5e-4)
        .solver("spectral_radius = 0.99")
        .points("top = [0.0, 0.0], bob = [0.8, -0.6]")
        .mass("bob", 1.5)
        .spring("string", "ground = 'top', to = 'bob', stiffness = 300.0, damping = 2.0")
        .gravity(-9.81)
        .inputs(
            "springs.string.actuator springs.string.free_length springs.string.stiffness \
             springs.string.damping",
        )
        .outputs("points.bob.* springs.* energy.*")
        .text()
}

#[test]
fn a_string_that_turns_and_is_strained_goes_as_its_differential_equations() {
    let begin = [0.8, -0.6, 0.0, 0.0];
    let exact = runge_kutta(begin, 0.0, 2.0, 20_000, pendulum(300.0, 2.0, 1.0, 1.5));
    let errors = ["5e-4", "2.5e-4"].map(|step| {
        let mut sim = Simulation::of(&string().edit("5e-4", step));
        sim.run(2.0, 0.01, |_| {});
        let at = [sim.get("points.bob.x"), sim.get("points.bob.y")];
        let balance = sim.get("energy.balance").abs();
        assert!(balance < 1e-4, "{balance:e} J");
        (at[0] - exact[0]).hypot(at[1] - exact[1])
    });
    println!("after 2 s {errors:?} m, order {:.2?}", orders(&errors));
    assert!(errors[1] < 1e-4 && orders(&errors)[0] > 1.9);
}

#[test]
fn derivatives_by_the_numbers_of_a_spring_are_those_of_differences() {
    let text = sharp(&string(), 1e-13);
    let knowns = [
        ("springs.string.actuator", 1.0),
        ("springs.string.free_length", 1e-3),
        ("springs.string.stiffness", 1.0),
        ("springs.string.damping", 0.1),
    ];
    check_run(&text, 0.3, &knowns, 1e-5, 40);
}

#[test]
fn inputs_of_a_spring_do_the_work_that_the_balance_misses_without_them() {
    type Course = fn(f64) -> f64;
    let inputs: [(&str, Course); 4] = [
        ("actuator", |t| 5.0 * (9.0 * t).sin()),
        ("free_length", |t| 1.0 + 0.1 * (7.0 * t).sin()),
        ("stiffness", |t| 300.0 + 100.0 * (11.0 * t).cos()),
        ("damping", |t| if (10.0 * t) % 2.0 < 1.0 { 0.0 } else { 4.0 }),
    ];
    for held in [true, false] {
        let linear = "linear = [\"springs.*\"]\noutputs";
        let text = if held { string().to_string() } else { string().edit("outputs", linear) };
        for chosen in 0..=inputs.len() {
            let mut sim = Simulation::of(&text);
            let mut largest = 0.0_f64;
            for n in 0..400 {
                let t = 0.005 * f64::from(n + 1);
                for (i, (key, course)) in inputs.iter().enumerate() {
                    if chosen == i || chosen == inputs.len() {
                        sim.set(&format!("springs.string.{key}"), course(t));
                    }
                }
                sim.step(0.005);
                let energies = ["energy.input_work", "energy.kinetic", "energy.strain"];
                largest = energies.map(|e| sim.get(e).abs()).into_iter().fold(largest, f64::max);
                assert!(sim.get("springs.string.dissipated_energy") >= 0.0);
            }
            let balance = sim.get("energy.balance").abs();
            println!("held {held}, input {chosen}: {balance:.1e} J of {largest:.2} J");
            let allowed = if held { 1e-2 } else { 1e-4 };
            assert!(largest > 1.0 && balance < allowed * largest, "{balance:e}");
        }
    }
}

/// A carriage on two tables: the mass is driven by a motion, and only what the spring holds is looked at.
fn driven(spring: &str, amplitude: f64) -> Simulation {
    Mechanism::new("driven")
        .step(1e-3)
        .points("head = [1.0, 0.0], foot = [0.0, 0.0]")
        .mass("head", 1.0)
        .roller("head")
        .motion("head", format!("point = 'head', direction = 'x', amplitude = {amplitude:?}"))
        .and("history.sine = { frequency = 1.0 }")
        .spring("s", format!("ground = 'foot', to = 'head', {spring}"))
        .outputs("springs.* energy.* motions.*")
        .simulation()
}

#[test]
fn a_slip_element_has_the_hysteresis_of_jenkins() {
    let (limit, stiffness, amplitude) = (12.0_f64, 4000.0_f64, 0.01_f64);
    let spring = format!("friction = {{ force = {limit:?}, stiffness = {stiffness:?} }}");
    let mut sim = driven(&spring, amplitude);
    let mut at_one = 0.0;
    sim.run(3.0, 0.01, |sim| {
        assert!(sim.get("springs.s.force").abs() <= limit * (1.0 + 1e-12));
        if (sim.time() - 1.0).abs() < 1e-9 {
            at_one = sim.get("springs.s.dissipated_energy");
        }
    });
    // Two whole loops of the parallelogram.
    let loops = 2.0 * 4.0 * limit * (amplitude - limit / stiffness);
    let seen = sim.get("springs.s.dissipated_energy") - at_one;
    println!("{seen} J, closed form {loops} J");
    assert!((seen - loops).abs() < 1e-4 * loops);
    let stored = sim.get("energy.friction_stored");
    let own = sim.get("springs.s.force").powi(2) / (2.0 * stiffness);
    assert!((stored - own).abs() < 1e-12);
    let work = sim.get("energy.friction_work") - sim.get("springs.s.dissipated_energy") - stored;
    assert!(work.abs() < 1e-12);
    assert!(sim.get("energy.balance").abs() < 1e-4 * loops);
}

#[test]
fn a_damper_with_a_table_brakes_each_way_as_its_table_says() {
    // Rebound three times as hard as bump, as in cars: with |v| = 2 π A cos the loss by quadrature.
    let spring = "damper = { rates = [-1.0, 0.0, 1.0], forces = [-300.0, 0.0, 900.0] }";
    let mut sim = driven(spring, 0.05);
    sim.run(1.0, 0.01, |_| {});
    // ∫ c v² dt over half a period is c π² A² f each way; the curve is straight to its ends, but bends at 0.
    let seen = sim.get("springs.s.dissipated_energy");
    let curve = |v: f64| {
        let (chord, slope) = if v > 0.0 { (900.0, 900.0) } else { (300.0, 300.0) };
        // Hermite's cubic from the harmonic mean 450 at rest to the chord at the end.
        let t = v.abs();
        let (m0, m1, rise) = (450.0, slope, chord);
        t * (m0 + t * (3.0 * rise - 2.0 * m0 - m1 + t * (m0 + m1 - 2.0 * rise)))
    };
    let n = 100_000;
    let mean: f64 = (0..n)
        .map(|i| {
            let v = 0.05 * TAU * (TAU * (f64::from(i) + 0.5) / f64::from(n)).cos();
            curve(v) * v.abs()
        })
        .sum::<f64>()
        / f64::from(n);
    println!("{seen} J, by quadrature {mean} J");
    assert!((seen - mean).abs() < 1e-4 * mean);
    // A table from rest on is the same both ways.
    let spring = "damper = { rates = [0.0, 1.0], forces = [0.0, 500.0] }";
    let mut sim = driven(spring, 0.05);
    sim.run(1.0, 0.01, |_| {});
    let loss = 500.0 * 0.5 * (0.05 * TAU).powi(2);
    assert!((sim.get("springs.s.dissipated_energy") - loss).abs() < 1e-4 * loss);
}

#[test]
fn a_preload_is_the_force_as_drawn_and_a_free_length_that_from_which_it_grows() {
    let force = |spring: &str| driven(spring, 0.0).get("springs.s.force");
    assert!((force("stiffness = 100.0\npreload = 7.0") - 7.0).abs() < 1e-12);
    assert!((force("stiffness = 100.0\nfree_length = 0.9") - 10.0).abs() < 1e-12);
    assert!(force("stiffness = 100.0").abs() < 1e-12);
    let table = "table = { elongations = [-0.1, 0.0, 0.1], forces = [-5.0, 0.0, 20.0] }";
    assert!((force(&format!("{table}\nfree_length = 0.9")) - 20.0).abs() < 1e-12);
    assert!((force(&format!("{table}\npreload = -3.0")) + 3.0).abs() < 1e-12);
    assert!((force("actuator = 4.0") - 4.0).abs() < 1e-12);
}

#[test]
fn a_stop_catches_a_mass_and_gives_its_energy_back_but_what_its_damper_takes() {
    // Free up to 1.05 m; thrown with 0.7 m/s.
    let text = |damping: f64, step: f64| {
        oscillator(
            step,
            &format!(
                "direction = \"y\"\nstop = {{ most = 1.05, stiffness = 2e4, damping = {damping:?} }}"
            ),
        )
    };
    let mut sim = Simulation::of(&text(0.0, 1e-4));
    let mut highest = 0.0_f64;
    sim.run(0.3, 1e-3, |sim| highest = highest.max(sim.get("points.mass.y")));
    let depth = 0.7 * (2.0_f64 / 2e4).sqrt();
    println!("depth {:.6} m, closed form {depth:.6} m", highest - 1.05);
    assert!((highest - 1.05 - depth).abs() < 1e-3 * depth);
    assert!((sim.get("points.mass.vy") + 0.7).abs() < 1e-3 * 0.7);
    // Kelvin-Voigt until it would pull: v out / v in = exp(−ζ φ) with the damped half wave cut at F = 0.
    let (k, m, zeta) = (2e4_f64, 2.0_f64, 0.2_f64);
    let omega = (k / m).sqrt();
    let damping = 2.0 * zeta * m * omega;
    let mut sim = Simulation::of(&text(damping, 1e-4));
    sim.run(0.3, 1e-3, |_| {});
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    // x = (v₀/ω_d) e^{−ζωt} sin ω_d t; k x + c v = 0 where tan ω_d t = −2 ζ √(1−ζ²)/(1 − 2ζ²).
    let phase = PI - (2.0 * zeta * (1.0 - zeta * zeta).sqrt() / (1.0 - 2.0 * zeta * zeta)).atan();
    let t = phase / damped;
    let decay = zeta * omega;
    let x = 0.7 / damped * (-decay * t).exp() * phase.sin();
    let v = 0.7 / damped * (-decay * t).exp() * (damped * phase.cos() - decay * phase.sin());
    assert!((k * x + damping * v).abs() < 1e-6 * damping);
    // Then the stop follows it without pulling, and gives no more.
    let seen = sim.get("points.mass.vy");
    println!("comes back with {seen:.5}, closed form {v:.5} m/s");
    assert!((seen - v).abs() < 2e-3);
    let lost = 0.5 * m * (0.49 - v * v);
    assert!((sim.get("springs.s.dissipated_energy") - lost).abs() < 2e-3 * 0.49);
}

#[test]
fn a_torsion_pendulum_and_a_hinge_with_a_spring() {
    let mut sim = Mechanism::new("wheel")
        .step(2e-4)
        .points("axle = [0.0, 0.0]")
        .entry("masses.wheel", "point = 'axle', mass = 1.0, rotary_inertia = 0.02")
        .pin("axle")
        .spring("shaft", "to = 'axle', direction = 'rotation', stiffness = 5.0, damping = 0.01")
        .start("axle", "rotation_rate = 3.0")
        .outputs("springs.* points.*")
        .simulation();
    let (decay, omega) = (0.01 / 0.04, (5.0 / 0.02 - 0.0625_f64).sqrt());
    sim.run(1.0, 0.01, |sim| {
        let t = sim.time();
        let exact = 3.0 / omega * (-decay * t).exp() * (omega * t).sin();
        assert!((sim.get("springs.shaft.angle") - exact).abs() < 2e-5, "{t}");
    });
    assert_eq!(sim.get("springs.shaft.angle"), sim.get("points.axle.rotation"));

    // A stiff bar on a hinge with a spring, under its weight: k θ = m g (l/2) cos θ.
    let bar = &Mechanism::new("bar")
        .step(1e-3)
        .solver("analysis = 'quasi_static'")
        .points("wall = [0.0, 0.0], knee = [0.5, 0.0], tip = [1.5, 0.0]")
        .material("stiff", 2e11, 0.3, 1000.0)
        .rectangle("bar", 0.2, 0.02)
        .member("post", ["wall", "knee"], "elements = 1")
        .member("arm", ["knee", "tip"], "elements = 2")
        .support("wall", "member = 'post', fix = ['x', 'y', 'rotation']")
        .joint("knee", "hinge = { point = 'knee' }")
        .spring("knee", "from = 'knee', from_member = 'post', to = 'knee', to_member = 'arm'")
        .and("direction = 'rotation', stiffness = 30.0")
        .gravity(-9.81)
        .outputs("springs.*")
        .text();
    let bar = bar.edit(
        "to = \"tip\"\nelements = 2",
        "to = \"tip\"\nelements = 2\nmaterial = \"stiff\"\nsection = \"bar\"",
    );
    let sim = Simulation::of(&bar);
    let angle = sim.get("springs.knee.angle");
    let weight = 1000.0 * 0.2 * 0.02 * 9.81;
    let left = 30.0 * angle + weight * 0.5 * angle.cos();
    println!("turns by {angle:.6} rad; left over {left:.1e} N·m");
    assert!(angle < -0.3 && left.abs() < 1e-4);
    assert!((sim.get("springs.knee.moment") - 30.0 * angle).abs() < 1e-10);
}

#[test]
fn along_an_axis_a_force_above_0_drives_the_end_against_the_axis_wherever_it_is_drawn() {
    for (from, to) in [(0.3, 0.0), (0.0, 0.3), (0.1, 0.1)] {
        let text = Mechanism::new("axis")
            .step(0.01)
            .points(format!("from = [0.0, {from:?}], to = [0.1, {to:?}]"))
            .mass("to", 1.0)
            .support("to", "point = 'to', fix = ['x']")
            .spring("s", "ground = 'from', to = 'to', direction = 'y', stiffness = 0.001")
            .and("preload = 5.0, damping = 1e-6")
            .outputs("points.to.* springs.*")
            .text();
        let mut sim = Simulation::of(&text);
        sim.run(0.1, 0.01, |_| ());
        // 5 N on 1 kg for 0.1 s; the spring is too soft to matter: k x t = 2.5e-6 m/s.
        assert!((sim.get("points.to.vy") + 0.5).abs() < 1e-5);
        let [length, rate, force] =
            ["length", "rate", "force"].map(|o| sim.get(&format!("springs.s.{o}")));
        assert!((length - (to - from - 0.025)).abs() < 1e-6, "{length}");
        assert!((rate + 0.5).abs() < 1e-5 && (force - 5.0).abs() < 1e-4);
        assert!((sim.get("springs.s.power") - force * rate).abs() < 1e-9);
    }
}
