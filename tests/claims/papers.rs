//! The bundled models against the numbers of independent solutions.

use crate::common::edit::Edit;
use crate::common::{self, Simulation};

#[test]
fn tensile_buckling_follows_the_elastica() {
    let table = [
        (0.1e-3, 3.00082),
        (1e-3, 7.93989),
        (10e-3, 10.03159),
        (50e-3, 8.84492),
        (100e-3, 7.23759),
        (200e-3, 5.02787),
        (300e-3, 3.67379),
    ];
    let mut sim = Simulation::bundled("tensile_buckling", &[]);
    for (u, force) in table {
        let h = u / 1e-3 - sim.time();
        sim.step(h);
        let ours = sim.get("motions.pull.reaction");
        println!("u = {u} m: {ours:.5} N, reference {force} N");
        assert!((ours - force).abs() < 1e-3 * force);
    }
}

#[test]
fn rollup_error_is_that_of_the_mesh() {
    // (order, elements, rotation error): exact end rotation 6.2906534 rad for h = 0.1 m.
    for (order, elements, error) in [
        (3, 8, 8.37e-3),
        (3, 16, 3.91e-4),
        (3, 32, 1.16e-5),
        (4, 8, 2.53e-4),
        (4, 16, 1.64e-6),
        (4, 32, 2.6e-8),
    ] {
        let text = common::bundled("cantilever_rollup")
            .edit("elements = 16", &format!("elements = {elements}"))
            .edit("order = 3", &format!("order = {order}"))
            .edit("\nstep = 0.02\n", "\nstep = 0.02\nposition_tolerance = 1e-13\n");
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 0.02, |_| ());
        let ours = sim.get("points.tip.rotation") - 6.290_653_4;
        println!("order {order}, {elements} elements: error {ours:.3e}, reference {error:.3e}");
        // The exact rotation is known to 8 digits, the errors to three.
        assert!((ours.abs() - error).abs() < 0.01 * error + 5e-8);
    }
}

#[test]
fn rollup_of_a_thin_strip_ends_where_the_exact_one_does() {
    let mut sim = Simulation::with(
        &common::bundled("cantilever_rollup")
            .edit("elements = 16", "elements = 32")
            .edit("order = 3", "order = 4"),
        &[],
    );
    sim.run(1.0, 0.02, |_| ());
    assert!((sim.get("points.tip.x") - 0.011_865_74).abs() < 1e-6);
    assert!((sim.get("points.tip.y") - 4.43e-5).abs() < 1e-6);
}

#[test]
fn two_span_bridge_has_the_frequencies_of_the_reference() {
    let text = common::bundled("moving_mass_on_bridge");
    // The bridge alone.
    let cut = |text: &str, from: &str, to: &str| {
        let a = text.find(from).expect("section");
        let b = text[a..].find(to).expect("section") + a;
        format!("{}{}", &text[..a], &text[b..])
    };
    let text = cut(&text, "[masses.wheel]", "[supports.left]");
    let text = cut(&text, "[joints.wheel]", "[probes.first_span]");
    let text = text.edit("\"points.wheel.x\", \"points.wheel.y\", ", "");
    let sim = Simulation::of(&text);
    let ours = sim.frequencies(4);
    for (w, reference) in ours.iter().zip([1.02579, 1.60176, 4.10430, 5.19317]) {
        let hertz = w / std::f64::consts::TAU;
        println!("{hertz:.5} Hz, reference {reference} Hz");
        assert!((hertz - reference).abs() < 1e-3 * reference);
    }
}

#[test]
fn quick_return_with_held_crank_has_the_periods_of_the_reference() {
    let sim = Simulation::bundled("quick_return", &[]);
    let ours = sim.frequencies(3);
    for (w, reference) in ours.iter().zip([21.79e-3, 1.791e-3, 1.097e-3]) {
        let period = std::f64::consts::TAU / w;
        println!("{:.3} ms, reference {:.3} ms", period * 1e3, reference * 1e3);
        assert!((period - reference).abs() < 0.01 * reference);
    }
}

#[test]
fn mass_on_the_bridge_deflects_it_as_the_reference_does() {
    let mut sim = Simulation::bundled("moving_mass_on_bridge", &[]);
    let (mut low, mut high, mut when, mut second) = (0.0_f64, 0.0_f64, 0.0, 0.0_f64);
    sim.run(1.8, 1e-3, |sim| {
        let first = sim.get("probes.first_span");
        if first < low {
            (low, when) = (first, sim.time());
        }
        high = high.max(first);
        second = second.min(sim.get("probes.second_span"));
    });
    println!(
        "first span {:.3} mm at {when:.3} s, {:.3} mm; second {:.3} mm",
        low * 1e3,
        high * 1e3,
        second * 1e3
    );
    for (ours, reference) in [(low, -7.196e-3), (high, 5.347e-3), (second, -8.422e-3)] {
        assert!((ours - reference).abs() < 3e-3 * reference.abs());
    }
    assert!((when - 0.551_f64).abs() < 0.005);
}

/// Time and position of each passage from sticking to sliding and back.
fn transitions(sim: &mut Simulation, end: f64, h: f64) -> Vec<(f64, f64)> {
    let mut sticking = 1.0;
    let mut events = Vec::new();
    sim.run(end, h, |sim| {
        let now = sim.get("joints.block.sticking");
        if now != sticking {
            events.push((sim.time(), sim.get("points.block.x")));
            sticking = now;
        }
    });
    events
}

#[test]
fn rabinowicz_block_slips_and_sticks_when_the_exact_one_does() {
    {
        let mut sim = Simulation::bundled("rabinowicz", &[]);
        let events = transitions(&mut sim, 50.0, 1e-3);
        println!("{events:?}");
        // The first slip, the first stick, and the next slip one period later; a block that is
        // late by two steps at each of them is late by four in the period.
        let exact: [(f64, f64, f64); 3] = [
            (23.140_83, 11.570_41, 2e-3),
            (28.635_91, 7.645_80, 2e-3),
            (23.140_83 + 13.344_31, 11.570_41, 4e-3),
        ];
        for ((t, x), (te, xe, slack)) in events.iter().zip(exact) {
            // Seen at the first communication point after the event.
            let late = t - (te * 1e3).ceil() / 1e3;
            assert!(late.abs() < slack + 1e-6, "{t} {te}");
            assert!((x - xe).abs() < 1e-3, "{x} {xe}");
        }
        assert_eq!(events.len(), 5);
    }
}

#[test]
fn rabinowicz_block_with_coulomb_friction_swings_for_ever() {
    let values = [
        ("joints.block.friction.stribeck.static_coefficient", 0.5),
        ("joints.block.friction.stribeck.kinetic_coefficient", 0.5),
    ];
    // A spring that is linear: a thousandth of the strain, the same stiffness.
    let text = common::bundled("rabinowicz")
        .edit("[-1000.0, 0.0]", "[-100000.0, 0.0]")
        .edit("young_modulus = 10e3", "young_modulus = 10e5");
    let mut sim = Simulation::with(&text, &values);
    let (mut left, mut low, mut high) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
    let mut crossings = Vec::new();
    let mut last = 0.0;
    sim.run(80.0, 1e-3, |sim| {
        let x = sim.get("points.block.x");
        if left == 0.0 && sim.get("joints.block.sticking") == 0.0 {
            left = sim.time();
        }
        if sim.time() > 40.0 {
            (low, high) = (low.min(x), high.max(x));
            if last < 9.81 && x >= 9.81 {
                crossings.push(sim.time() - 1e-3 * (x - 9.81) / (x - last));
            }
        }
        last = x;
    });
    let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    println!("leaves at {left:.3} s, amplitude {:.5} m, period {period:.5} s", (high - low) / 2.0);
    // The softening of the spring is of the order of its strain, 1e-4.
    assert!((left - 19.620).abs() < 1e-2);
    assert!(((high - low) / 2.0 - 0.5 / 0.5_f64.sqrt()).abs() < 1e-3);
    assert!((period - 8.885_77).abs() < 2e-3);
}

/// Slow: 1.6 s in the 0.2 ms of the reference.
#[test]
fn quick_return_follows_the_reference_trajectories() {
    for (file, values) in [
        (
            "quick_return_frictionless_dt0.0001.csv.gz",
            vec![
                ("joints.N.friction.stribeck.kinetic_coefficient", 0.0),
                ("joints.N.friction.stribeck.static_coefficient", 0.0),
            ],
        ),
        ("quick_return_mu035_dt0.0001.csv.gz", vec![]),
    ] {
        let rows = common::reference::<7>(file);
        let mut sim = Simulation::bundled("quick_return", &values);
        let mut row = 0;
        // Cycle 1, then cycle 4: deflection (mm), velocity (m/s); squares of the friction force.
        let (mut worst, mut forces) = ([[0.0_f64; 2]; 4], [[0.0_f64; 2]; 4]);
        sim.run(1.6, 2e-4, |sim| {
            row += 1;
            let [t, deflection, _, v, _, _, friction] = rows[row];
            assert!((t - sim.time()).abs() < 1e-9);
            let cycle = ((t / 0.4 - 1e-9) as usize).min(3);
            let d = 1e3 * (sim.get("probes.tip_deflection") - deflection).abs();
            worst[cycle][0] = worst[cycle][0].max(d);
            worst[cycle][1] = worst[cycle][1].max((sim.get("joints.N.velocity") - v).abs());
            forces[cycle][0] += sim.get("joints.N.friction_force").powi(2);
            forces[cycle][1] += friction * friction;
        });
        for (cycle, w) in worst.iter().enumerate() {
            let rms = forces[cycle].map(|sum| (sum / 2000.0).sqrt());
            println!(
                "{file}, cycle {}: {:.4} mm, {:.4} m/s, rms {rms:.2?} N",
                cycle + 1,
                w[0],
                w[1]
            );
        }
        assert!(worst[0][0] < 0.1 && worst[0][1] < 0.03, "cycle 1");
        assert!(worst[3][0] < 0.3 && worst[3][1] < 0.07, "cycle 4");
        let [ours, theirs] = forces[0].map(f64::sqrt);
        assert!((ours - theirs).abs() <= 5e-3 * theirs, "rms of the friction force");
    }
}
