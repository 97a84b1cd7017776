//! Structures on moving ground: records against exact solutions, host inputs against records.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, runge_kutta};
use coulisse::records::{GroundMotion, Series};

/// ω of the oscillator, rad/s, and its mass, kg.
const OMEGA: f64 = 20.0;
const MASS: f64 = 2.0;

/// A mass on a spring of 10 km (so long that it is linear) whose foot moves with the ground.
fn oscillator(law: &str, inputs: &str) -> String {
    Mechanism::new("Oscillator")
        .step(5e-4)
        .solver("spectral_radius = 0.95, position_tolerance = 1e-13")
        .points("foot = [0.0, 0.0], bob = [10000.0, 0.0]")
        .material("spring", OMEGA * OMEGA * MASS * 1e4, 0.0, 0.0)
        .rectangle("unit", 1.0, 1.0)
        .beam("spring", ["foot", "bob"], [1, 1], "spring unit")
        .mass("bob", MASS)
        .clamp("foot")
        .support("bob", "point = 'bob', fix = ['y', 'rotation']")
        .motion("ground", format!("supports = ['foot'], direction = 'x', {law}"))
        .probe("stretch", "drift = { point = 'bob', from = 'foot', direction = 'x' }")
        .entry("interface", inputs)
        .outputs("probes.* points.* motions.* supports.* energy.*")
        .text()
}

fn pulse() -> GroundMotion {
    let name = format!("{}/tests/records/pulse.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&name).expect("a sample");
    let series = Series::read(&name, &text, &Default::default()).expect("a record");
    GroundMotion::of(&series.record)
}

/// Stretch of the spring every 20 ms until 2 s, z̈ + ω² z = −a_g, integrated to rounding: in each interval
/// between samples a_g is straight (Nigam & Jennings 1969).
fn exact(ground: &GroundMotion, scale: f64, start: f64) -> Vec<f64> {
    let mut y = [0.0, 0.0];
    (0..100)
        .map(|i| {
            let t = 0.02 * f64::from(i);
            y = runge_kutta(y, t, t + 0.02, 50, |t, y| {
                // The middle of a stage never falls beside a sample's corner.
                [y[1], -OMEGA * OMEGA * y[0] - scale * ground.at(t - start)[2]]
            });
            y[0]
        })
        .collect()
}

fn stretches(sim: &mut Simulation) -> Vec<f64> {
    let mut all = Vec::new();
    sim.run(2.0, 0.02, |sim| all.push(sim.get("probes.stretch")));
    all
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}

/// Largest difference relative to the largest value.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    largest(&difference) / largest(b)
}

#[test]
fn an_oscillator_on_a_recorded_ground_is_duhamels_integral_whatever_was_recorded() {
    let reference = exact(&pulse(), 1.0, 0.0);
    assert!(largest(&reference) > 1e-3);
    for (file, tolerance) in [
        // The time integration: (ωΔt)²/12 of the phase, 40 radians on.
        ("pulse.csv", 1e-3),
        ("pulse.at2", 1e-3),
        ("pulse.smc", 1e-3),
        // Splines between the samples, in place of parabolas and cubics.
        ("pulse.vt2", 5e-3),
        ("pulse.dt2", 5e-3),
    ] {
        let law = format!("record = {{ file = \"records/{file}\" }}");
        let mut sim = Simulation::of(&oscillator(&law, ""));
        let off = apart(&stretches(&mut sim), &reference);
        println!("{file}: {off:e}");
        assert!(off < tolerance, "{file}: {off:e}");
    }
}

#[test]
fn scale_and_start_stretch_and_shift_a_record() {
    let law = "record = { file = \"records/pulse.csv\", scale = -2.5, start = 0.4 }";
    let mut sim = Simulation::of(&oscillator(law, ""));
    let off = apart(&stretches(&mut sim), &exact(&pulse(), -2.5, 0.4));
    assert!(off < 1e-3, "{off:e}");
}

#[test]
fn accelerations_velocities_and_displacements_from_the_host_do_what_the_record_does() {
    let record = "record = { file = \"records/pulse.csv\" }";
    let mut sim = Simulation::of(&oscillator(record, ""));
    let (mut reference, mut shear) = (Vec::new(), Vec::new());
    sim.run(1.2, 0.02, |sim| {
        reference.push(sim.get("probes.stretch"));
        shear.push(sim.get("motions.ground.reaction"));
    });
    let ground = pulse();
    for (key, derivative, interface, step, tolerance) in [
        // A record is straight between its samples, and so is this input.
        ("acceleration", 2, "", 0.02, 1e-9),
        ("velocity", 1, "linear = [\"motions.ground.velocity\"]\n", 1e-3, 2e-3),
        ("displacement", 0, "cubic = [\"motions.ground.displacement\"]\n", 1e-3, 2e-2),
    ] {
        let inputs = format!("inputs = [\"motions.ground.{key}\"]\n{interface}");
        let mut sim = Simulation::of(&oscillator(&format!("{key} = 0.0"), &inputs));
        let (mut stretch, mut force) = (Vec::new(), Vec::new());
        let steps = (1.2 / step) as usize;
        let each = steps / reference.len();
        for i in 1..=steps {
            let t = i as f64 * step;
            sim.set(&format!("motions.ground.{key}"), ground.at(t)[derivative]);
            sim.step(step);
            if i % each == 0 {
                stretch.push(sim.get("probes.stretch"));
                force.push(sim.get("motions.ground.reaction"));
            }
        }
        let off = [apart(&stretch, &reference), apart(&force, &shear)];
        println!("{key}: stretch {:e}, base shear {:e}", off[0], off[1]);
        assert!(off.iter().all(|off| *off < tolerance), "{key}: {off:?}");
    }
}

#[test]
fn a_constant_ground_acceleration_is_a_parabola_as_a_number_and_as_an_input() {
    let mut file = Simulation::of(&oscillator("acceleration = 0.3", ""));
    let inputs = "inputs = [\"motions.ground.acceleration\"]\n";
    let mut host = Simulation::of(&oscillator("acceleration = 0.3", inputs));
    for sim in [&mut file, &mut host] {
        sim.run(1.5, 0.05, |_| ());
        let moved = sim.get("motions.ground.position");
        assert!((moved - 0.5 * 0.3 * 1.5 * 1.5).abs() < 1e-12, "{moved}");
        assert!((sim.get("points.foot.vx") - 0.45).abs() < 1e-12);
        assert!((sim.get("points.foot.ax") - 0.3).abs() < 1e-12);
    }
}

/// A portal of massless columns with masses at the corners of its roof, both feet clamped to the ground.
fn portal() -> String {
    Mechanism::new("Portal")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [4.0, 0.0], c = [0.0, 3.0], d = [4.0, 3.0]")
        .material("steel", 200e9, 0.3, 0.0)
        .rectangle("square", 0.1, 0.1)
        .member("left", ["a", "c"], "elements = 2, material = 'steel', section = 'square'")
        .member("right", ["b", "d"], "elements = 2, material = 'steel', section = 'square'")
        .member("roof", ["c", "d"], "elements = 2, material = 'steel', section = 'square'")
        .mass("c", 3000.0)
        .mass("d", 5000.0)
        .clamp("a")
        .clamp("b")
        .motion("sideways", "supports = ['*'], direction = 'x'")
        .and("record = { file = 'records/pulse.at2' }")
        .motion("up", "supports = ['a', 'b'], direction = 'y'")
        .and("record = { file = 'records/pulse.at2', scale = 0.5, start = 0.1 }")
        .outputs("points.* motions.* supports.* energy.*")
        .text()
}

#[test]
fn base_shear_is_mass_times_acceleration_and_the_sum_over_the_supports() {
    let mut sim = Simulation::of(&portal());
    let mut most = 0.0_f64;
    sim.run(2.0, 1e-3, |sim| {
        for (motion, axis, force) in [("sideways", "ax", "fx"), ("up", "ay", "fy")] {
            let shear = sim.get(&format!("motions.{motion}.reaction"));
            let inertia = 3000.0 * sim.get(&format!("points.c.{axis}"))
                + 5000.0 * sim.get(&format!("points.d.{axis}"));
            let supports =
                sim.get(&format!("supports.a.{force}")) + sim.get(&format!("supports.b.{force}"));
            most = most.max(shear.abs());
            assert!((shear - inertia).abs() < 1e-3, "{motion}: {shear} N, {inertia} N");
            assert!((shear - supports).abs() < 1e-6 * (1.0 + shear.abs()));
        }
    });
    assert!(most > 1000.0, "{most}");
    // What the ground has put in is what swings, but for the damping of the scheme.
    let (work, balance) = (sim.get("energy.input_work"), sim.get("energy.balance"));
    assert!(work > 10.0, "{work}");
    assert!(balance.abs() < 0.02 * work, "{balance} of {work} J");
}

/// c_m (1/s) and c_k (s) of the damped oscillator.
const DAMPING: [f64; 2] = [4.0, 2e-3];

/// The oscillator with Rayleigh damping and, perhaps, a post beside it whose feet stay.
fn damped(law: &str, stays: bool) -> Simulation {
    let [mass, stiffness] = DAMPING;
    let keys = format!("mass_coefficient = {mass:?}, stiffness_coefficient = {stiffness:?}");
    let damping = format!("[damping.all]\n{}\n", keys.replace(", ", "\n"));
    let post = "[supports.post]\npoint = \"post\"\nfix = [\"x\"]\n\
                [masses.post]\npoint = \"post\"\nmass = 1.0\n";
    let mut text =
        oscillator(law, "").edit("[points]\n", "[points]\npost = [0.0, 1.0]\n") + &damping;
    if stays {
        text += post;
    }
    Simulation::of(&text)
}

/// Stretch of the spring every 20 ms until 2 s, with the velocity of the ground in the damping of the mass or without.
fn exact_damped(ground: &GroundMotion, in_space: bool) -> Vec<f64> {
    let [mass, stiffness] = DAMPING;
    let mut y = [0.0, 0.0];
    let instants = (0..100).map(|i| {
        let t = 0.02 * f64::from(i);
        y = runge_kutta(y, t, t + 0.02, 50, |t, y| {
            let [_, velocity, acceleration] = ground.at(t);
            let own = (mass + stiffness * OMEGA * OMEGA) * y[1] + OMEGA * OMEGA * y[0];
            [y[1], -own - acceleration - if in_space { mass * velocity } else { 0.0 }]
        });
        y[0]
    });
    instants.collect()
}

#[test]
fn rayleigh_damping_of_a_mass_is_relative_to_the_ground_that_shakes_all_supports() {
    let record = "record = { file = 'records/pulse.csv' }";
    let [relative, in_space] = [false, true].map(|in_space| exact_damped(&pulse(), in_space));
    let clearly = apart(&in_space, &relative);
    assert!(clearly > 0.02, "{clearly}");
    let mut sim = damped(record, false);
    let off = apart(&stretches(&mut sim), &relative);
    assert!(off < 2e-3, "{off}");
    let (work, balance) = (sim.get("energy.input_work"), sim.get("energy.balance"));
    assert!(balance.abs() < 2e-3 * work.abs(), "{balance} of {work} J");
    // With another support that stays there is no one ground.
    let off = apart(&stretches(&mut damped(record, true)), &in_space);
    assert!(off < 2e-3, "{off}");
}

#[test]
fn ground_that_moves_on_steadily_leaves_no_base_shear_of_damping() {
    let law = "velocity = 1.0";
    for (stays, shear) in [(false, 0.0), (true, DAMPING[0] * MASS)] {
        let mut sim = damped(law, stays);
        sim.run(4.0, 0.02, |_| ());
        let seen = sim.get("motions.ground.reaction");
        // The jolt at the start has decayed to e^(−9.6).
        assert!((seen - shear).abs() < 0.02, "{seen} N, not {shear} N");
    }
}
