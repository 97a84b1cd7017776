//! Every law of friction in mechanisms, and its equivalent linearisation.

mod linearisation;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation, runge_kutta};
use coulisse::laws::friction::LAWS;
use coulisse::model::Model;

const G: f64 = 9.81;

/// Each law with a coefficient of 0.3 at every speed above 1 mm/s, but for Stribeck's, which has it
/// above some cm/s.
const ALIKE: [&str; 17] = [
    "coulomb = { coefficient = 0.3 }",
    "stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.3, decay_velocity = 0.1 }",
    "table = { velocities = [0.0, 1.0], coefficients = [0.3, 0.3] }",
    "modified_coulomb = { coefficient = 0.3, threshold_velocity = 1e-3 }",
    "power_series = { coefficient = 0.3, threshold_velocity = 1e-3, coefficients = [0.0, 0.0] }",
    "arctangent = { coefficient = 0.3, threshold_velocity = 1e-3, change = 0.0 }",
    "exponential = { coefficient = 0.3, threshold_velocity = 1e-3, change = 0.0, decay_velocity = 1.0 }",
    "piecewise_linear = { slopes = [300.0, -300.0], velocities = [0.0, 1e-3] }",
    "spring_friction = { stiffness = 1e7, coefficient = 0.3 }",
    "dahl = { stiffness = 1e7, coefficient = 0.3 }",
    "lugre = { stiffness = 1e7, static_coefficient = 0.3, kinetic_coefficient = 0.3, decay_velocity = 0.1 }",
    "elasto_plastic = { stiffness = 1e7, static_coefficient = 0.3, kinetic_coefficient = 0.3, decay_velocity = 0.1 }",
    "bristle = { stiffness = 1e7, static_coefficient = 0.3, kinetic_coefficient = 0.3, decay_velocity = 0.1, dwell_time = 0.1 }",
    "bristle_lcp = { stiffness = 1e7, coefficient = 0.3 }",
    "two_branches = { stiffness = 1e7, half_width = 0.1, velocities = [0.0, 1.0], rising = [0.3, 0.3], falling = [0.3, 0.3] }",
    "expression = { coefficient = '0.3' }",
    "expression_with_memory = { state = 'v - abs(v)*z*1e7/(0.3*N)', force = '1e7*z' }",
];

/// Each law with a curve of its own.
const DIFFERENT: [&str; 17] = [
    "coulomb = { coefficient = 0.3, static_coefficient = 0.4 }",
    "stribeck = { static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.1 }",
    "table = { velocities = [0.0, 0.1, 1.0, 5.0], coefficients = [0.4, 0.32, 0.3, 0.33], normal_forces = [0.0, 200.0, 800.0], factors = [1.2, 1.0, 0.9] }",
    "modified_coulomb = { coefficient = 0.3, static_coefficient = 0.35, threshold_velocity = 0.01 }",
    "power_series = { coefficient = 0.35, threshold_velocity = 0.01, coefficients = [-0.02, 1e-3], viscous_coefficient = 1.0 }",
    "arctangent = { coefficient = 0.35, threshold_velocity = 0.01, change = -0.2, reference_velocity = 0.5 }",
    "exponential = { coefficient = 0.35, threshold_velocity = 0.01, change = -0.2, decay_velocity = 0.2 }",
    "piecewise_linear = { slopes = [35.0, -35.5, 0.5], velocities = [0.0, 0.01, 0.11] }",
    "spring_friction = { stiffness = 1e5, coefficient = 0.3 }",
    "dahl = { stiffness = 1e6, coefficient = 0.3, exponent = 1.5, normal_forces = [0.0, 200.0, 800.0], factors = [1.1, 1.0, 0.9] }",
    "lugre = { stiffness = 1e5, static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.01, damping = 100.0 }",
    "elasto_plastic = { stiffness = 1e5, static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.01, damping = 100.0, viscous_coefficient = 1.0 }",
    "bristle = { stiffness = 1e5, static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.01, dwell_time = 0.1, damping = 100.0 }",
    "expression = { coefficient = '0.3 + 0.05*exp(-(v/0.1)^2)' }",
    "expression_with_memory = { state = '(v - 0.6*abs(v)*abs(z)*z - 0.4*v*z^2)/1e-4', force = '0.3*N*z' }",
    "bristle_lcp = { stiffness = 1e5, coefficient = 0.3, damping = 100.0, normal_forces = [0.0, 200.0, 800.0], factors = [1.2, 1.0, 0.9] }",
    "two_branches = { stiffness = 1e5, half_width = 0.05, velocities = [0.0, 1.0], rising = [0.35, 0.3], falling = [0.28, 0.3] }",
];

/// A bundled model with another law in place of its own.
fn with_law(model: &str, joint: &str, law: &str) -> String {
    let text = common::bundled(model);
    let begin = text.find("friction.stribeck = ").expect("friction");
    let end = begin + text[begin..].find('\n').expect("a line");
    let text = format!("{}friction.{law}{}", &text[..begin], &text[end..]);
    let name = law.split(' ').next().unwrap_or_default();
    text.edit(
        &format!("\"joints.{joint}.friction.stribeck.*\""),
        &format!("\"joints.{joint}.friction.{name}.*\""),
    )
}

/// A block of 2 kg on a long fixed incline that falls to the left; s grows uphill.
fn incline(angle: f64, law: &str, speed: f64) -> String {
    let (sin, cos) = angle.sin_cos();
    Mechanism::new("incline")
        .step(1e-3)
        .points(format!("block = [0.0, 0.0], low = [{}, {}]", -1000.0 * cos, -1000.0 * sin))
        .and(format!("high = [{}, {}]", 1000.0 * cos, 1000.0 * sin))
        .guide("guide", ["low", "high"], "elements = 1, order = 1")
        .mass("block", 2.0)
        .slider("block", "block", "guide", "")
        .and(format!("friction.{law}"))
        .gravity(-9.81)
        .start("block", format!("vx = {}", speed * cos))
        .outputs("energy.*")
        .text()
}

#[test]
fn every_law_is_among_those_that_are_tested() {
    for list in [&ALIKE[..], &DIFFERENT] {
        let name = |law: &&str| law.split(' ').next().unwrap_or_default().to_owned();
        let tested: Vec<String> = list.iter().map(name).collect();
        for law in LAWS.iter().map(|law| law.name) {
            assert!(tested.iter().any(|name| name == law), "{law}");
        }
    }
}

/// What friction has taken and does not hold in bristles, J.
fn dissipated(sim: &Simulation) -> f64 {
    sim.state.journal.iter().map(|joint| joint.work - joint.stored).sum()
}

/// Velocity of N and deflection of the quick return over its first cycle, 0.4 s at 0.1 ms.
fn quick_return(law: &str) -> Vec<[f64; 2]> {
    let mut sim = Simulation::of(&with_law("quick_return", "N", law));
    let (mut rows, mut before) = (Vec::new(), 0.0);
    sim.run(0.4, 1e-4, |sim| {
        let taken = dissipated(sim);
        // What sticks does so to the tolerance of the positions, 1e-10 m, times some 100 N. What the state of an expression stores comes
        // back, some 100 N times 0.1 mm.
        let back = if law.contains("state") { 1e-2 } else { 1e-7 };
        assert!(taken - before > -back, "{law}: {} J", taken - before);
        before = taken;
        rows.push([sim.get("joints.N.velocity"), sim.get("probes.tip_deflection")]);
    });
    println!("{law}: {before:.3} J");
    assert!(before > 1.0);
    rows
}

/// Slow: the quick return runs with every law.
#[test]
fn laws_of_the_same_curve_move_the_quick_return_alike() {
    let runs = ALIKE.map(quick_return);
    for (law, run) in ALIKE.iter().zip(&runs).skip(1) {
        let mut largest = [0.0_f64; 2];
        for (a, b) in run.iter().zip(&runs[0]) {
            for i in 0..2 {
                largest[i] = largest[i].max((a[i] - b[i]).abs());
            }
        }
        println!("{law}: {largest:?}");
        // The regularised laws differ from Coulomb's while N is slower than 1 mm/s.
        assert!(largest[0] < 0.03 && largest[1] < 1e-4, "{law}: {largest:?}");
    }
}

/// Slow: the quick return runs with every law.
#[test]
fn the_quick_return_runs_with_every_law() {
    for law in DIFFERENT {
        let rows = quick_return(law);
        let deflection = |f: fn(f64, f64) -> f64| rows.iter().fold(0.0, |a, r| f(a, r[1]));
        let (high, low) = (deflection(f64::max), deflection(f64::min));
        println!("{law}: {:.3} mm, {:.3} mm", 1e3 * high, 1e3 * low);
        // Without friction 5.86 and −5.84 mm, with about this much 6.17 and −5.26 mm.
        assert!((5.9e-3..6.5e-3).contains(&high) && (-5.6e-3..-5.0e-3).contains(&low));
    }
}

#[test]
fn every_law_in_the_documents_runs() {
    let document = include_str!("../../docs/friction.md");
    let laws = document.split("```toml\nfriction.").skip(1);
    let laws: Vec<&str> = laws.filter_map(|rest| rest.split('\n').next()).collect();
    for name in LAWS.iter().map(|law| law.name) {
        assert!(laws.iter().any(|law| law.starts_with(name)), "{name}");
    }
    for law in laws {
        let mut sim = Simulation::of(&incline(0.2, law, 0.5));
        sim.run(0.5, 0.01, |_| ());
        assert!(sim.get("energy.friction_work") > 0.0, "{law}");
    }
}

#[test]
fn a_table_from_a_data_file_is_that_of_the_lists() {
    let points = "velocity,coefficient\n0,0.42\n0.05,0.35\n0.5,0.3\n2,0.31\n";
    let checked = |law: &str| {
        let text = incline(0.2, law, 0.5);
        let model = Model::parse(&text, "model.toml", &|_| Ok(points.to_owned()));
        let checked = model.and_then(|model| model.check());
        checked.unwrap_or_else(|faults| panic!("{faults}"))
    };
    let file = checked("table = { file = \"points.csv\" }");
    let lists = checked(
        "table = { velocities = [0.0, 0.05, 0.5, 2.0], coefficients = [0.42, 0.35, 0.3, 0.31] }",
    );
    assert_eq!(file.sliders[0].friction, lists.sliders[0].friction);
}

/// The block on the bar of the Rabinowicz test as an ordinary differential equation: when and where
/// it leaves the belt, and when and where the belt has it again.
fn rabinowicz(static_force: f64, sliding_force: f64) -> [(f64, f64); 2] {
    let (m, ea, length, belt) = (20.0, 1e4, 1000.0, 0.5);
    let pull = |x: f64| {
        let l: f64 = 1.0 + x / length;
        0.5 * ea * l * (l * l - 1.0)
    };
    let (mut low, mut high) = (0.0, 100.0);
    while high - low > 1e-12 {
        let middle = 0.5 * (low + high);
        if pull(middle) < static_force { low = middle } else { high = middle }
    }
    let leaves = (low / belt, low);
    let (mut t, mut y, h) = (leaves.0, [leaves.1, belt], 1e-4);
    loop {
        let next = runge_kutta(y, t, t + h, 1, |_, y| [y[1], (sliding_force - pull(y[0])) / m]);
        if y[1] < belt && next[1] >= belt {
            let part = (belt - y[1]) / (next[1] - y[1]);
            return [leaves, (t + part * h, y[0] + part * (next[0] - y[0]))];
        }
        (t, y) = (t + h, next);
    }
}

#[test]
fn coulomb_block_of_rabinowicz_slips_at_static_and_sticks_again_under_sliding_friction() {
    let exact = rabinowicz(0.6 * 196.2, 0.5 * 196.2);
    let law = "coulomb = { coefficient = 0.5, static_coefficient = 0.6 }";
    let mut sim = Simulation::of(&with_law("rabinowicz", "block", law));
    let (mut sticking, mut events) = (1.0, Vec::new());
    sim.run(35.0, 1e-3, |sim| {
        let now = sim.get("joints.block.sticking");
        if now != sticking {
            let time = sim.get("joints.block.transition_time");
            events.push((time, sim.get("points.block.x")));
            sticking = now;
        }
    });
    println!("{events:?}, exact {exact:?}");
    assert_eq!(events.len(), 2, "{events:?}");
    for ((t, x), (te, xe)) in events.iter().zip(exact) {
        // The position is that of the step's end, up to 1 ms at 0.5 m/s later.
        assert!((t - te).abs() < 5e-5 && (x - xe).abs() < 6e-4);
    }
}

#[test]
fn a_saved_state_goes_on_to_the_same_bits_with_every_law() {
    for law in DIFFERENT {
        let text = with_law("rabinowicz", "block", law);
        let mut sim = Simulation::of(&text);
        // Sticking, sliding, and in between.
        for end in [2.0, 16.0, 17.0] {
            sim.run(end, 1e-2, |_| ());
            let mut other = Simulation::of(&text);
            other.state = sim.state.clone();
            sim.run(end + 0.5, 1e-2, |_| ());
            other.run(end + 0.5, 1e-2, |_| ());
            assert!(sim.state == other.state, "{law} after {end} s");
        }
    }
}

/// Slow: 40 s of stick and slip with every law.
#[test]
fn rabinowicz_runs_with_every_law() {
    for law in DIFFERENT {
        let mut sim = Simulation::of(&with_law("rabinowicz", "block", law));
        let (mut high, mut before) = (0.0_f64, 0.0);
        sim.run(40.0, 1e-3, |sim| {
            let taken = dissipated(sim);
            // A position is sure to 1e-7 m, one part in 1e10 of the bar's length; at 100 N.
            assert!(taken - before > -1e-5, "{law}: {} J", taken - before);
            before = taken;
            high = high.max(sim.get("points.block.x"));
        });
        println!("{law}: to {high:.3} m, {before:.3} J");
        // Carried along until friction gives way, between f F_N/k and (f_s F_N + η v)/k.
        let (least, most) = (0.3 * 196.2 * 0.9 / 10.0, (0.4 * 196.2 * 1.2 + 1.0) / 10.0);
        assert!((least..most).contains(&high), "{law}: {high}");
    }
}

#[test]
fn coulomb_block_that_came_to_rest_stays_between_the_sliding_and_the_static_coefficient() {
    // tan 0.4 = 0.423: more than the block resists while it slides.
    let angle = 0.4_f64;
    let law = "coulomb = { coefficient = 0.35, static_coefficient = 0.5 }";
    let mut sim = Simulation::of(&incline(angle, law, 1.0));
    let s0 = sim.get("joints.block.position");
    sim.run(1.0, 0.01, |_| ());
    let rested = sim.get("joints.block.position") - s0;
    let deceleration = G * (angle.sin() + 0.35 * angle.cos());
    assert!((rested - 0.5 / deceleration).abs() < 1e-3, "{rested}");
    sim.run(10.0, 0.01, |_| ());
    let crept = sim.get("joints.block.position") - s0 - rested;
    assert!(crept.abs() < 1e-11, "{crept:e}");
    // Given way by a push downhill, it goes on.
    let mut sim = Simulation::of(&incline(angle, law, -0.1));
    sim.run(1.0, 0.01, |_| ());
    let expected = -0.1 - G * (angle.sin() - 0.35 * angle.cos());
    let off = sim.get("joints.block.velocity") - expected;
    // Positions are sure to 1e-10 of 2 km, and the guide is that long.
    assert!(off.abs() < 1e-8, "{off:e}");
}

#[test]
fn coulomb_block_at_rest_from_the_start_stays_up_to_the_static_coefficient() {
    let law = "coulomb = { coefficient = 0.35, static_coefficient = 0.5 }";
    for (excess, stays) in [(0.999, true), (1.001, false)] {
        let angle = (0.5_f64 * excess).atan();
        let mut sim = Simulation::of(&incline(angle, law, 0.0));
        let s0 = sim.get("joints.block.position");
        sim.run(2.0, 0.01, |_| ());
        let slid = s0 - sim.get("joints.block.position");
        let free = 2.0 * G * (angle.sin() - 0.35 * angle.cos());
        assert!((slid - if stays { 0.0 } else { free }).abs() < 1e-9, "{slid}");
    }
}

#[test]
fn static_friction_carries_a_block_on_a_belt_that_accelerates() {
    // It takes 4 N and is pressed on with 20 N. From t = 0 or not at all.
    for (static_coefficient, slip) in [(0.21, 0.0), (0.19, -0.5 * (2.0 - 0.1 * 10.0) * 4.0)] {
        let text = common::text("tests/models/accelerating_belt");
        let (mechanism, _) =
            text.split_once("[joints.block.friction.stribeck]").expect("its law comes last");
        let mut sim = Simulation::of(&format!(
            "{mechanism}[joints.block.friction.coulomb]\ncoefficient = 0.1\n\
             static_coefficient = {static_coefficient}\n"
        ));
        let s = sim.get("joints.block.position");
        sim.run(2.0, 0.1, |_| ());
        let slipped = sim.get("joints.block.position") - s;
        assert!((slipped - slip).abs() < 5e-3, "{static_coefficient}: {slipped}, {slip}");
    }
}

#[test]
fn a_regularised_law_creeps_down_an_incline_at_the_velocity_of_its_straight_line() {
    // tan 0.2 = 0.203.
    let angle = 0.2_f64;
    let law = "modified_coulomb = { coefficient = 0.3, threshold_velocity = 0.05 }";
    let mut sim = Simulation::of(&incline(angle, law, 0.0));
    sim.run(5.0, 0.01, |_| ());
    let expected = -0.05 * angle.tan() / 0.3;
    // On a guide of 2 km a place is known to 1e-13 m, which is 1e-10 m/s in a step of 1 ms.
    assert!((sim.get("joints.block.velocity") - expected).abs() < 1e-8);
    assert_eq!(sim.get("joints.block.sticking"), 0.0);
}

#[test]
fn the_coefficient_follows_the_normal_force() {
    // 2 kg press with 18.8 N: halfway between 10 and 27.6 N the curve of two points is halfway too.
    let angle = 0.3_f64;
    let normal = 2.0 * G * angle.cos();
    let law = format!(
        "coulomb = {{ coefficient = 0.2, normal_forces = [10.0, {}], factors = [1.2, 0.8] }}",
        2.0 * normal - 10.0
    );
    let mut sim = Simulation::of(&incline(angle, &law, 0.0));
    sim.run(1.0, 0.01, |_| ());
    let expected = -G * (angle.sin() - 0.2 * angle.cos());
    assert!((sim.get("joints.block.velocity") - expected).abs() < 1e-7);
}
