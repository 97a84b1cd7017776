//! Bundled models of springs do what their headers say.

use crate::common::{Simulation, runge_kutta};

/// The curve of a table: cubics with the weighted harmonic mean of the chords as slopes, straight outside.
fn curve(x: &[f64], y: &[f64], at: f64) -> f64 {
    let last = x.len() - 1;
    let chord = |i: usize| (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    let slope = |i: usize| match i {
        0 => chord(0),
        i if i == last => chord(last - 1),
        i => {
            let (a, b) = (chord(i - 1), chord(i));
            let (h, k) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            if a * b > 0.0 { 3.0 * (h + k) / ((2.0 * k + h) / a + (k + 2.0 * h) / b) } else { 0.0 }
        }
    };
    if at <= x[0] {
        return y[0] + slope(0) * (at - x[0]);
    }
    if at >= x[last] {
        return y[last] + slope(last) * (at - x[last]);
    }
    let i = x.iter().rposition(|knot| *knot <= at).unwrap_or(0);
    hermite(
        [y[i], y[i + 1]],
        [slope(i), slope(i + 1)],
        x[i + 1] - x[i],
        (at - x[i]) / (x[i + 1] - x[i]),
    )
}

fn hermite([a, b]: [f64; 2], [m, n]: [f64; 2], h: f64, t: f64) -> f64 {
    let (s, u) = (t * t * (3.0 - 2.0 * t), 1.0 - t);
    a * (1.0 - s) + b * s + h * t * u * (m * u - n * t)
}

#[test]
fn the_bundled_quarter_car_rides_as_its_two_differential_equations() {
    const H: f64 = 1e-3;
    let mut sim = Simulation::bundled("quarter_car", &[]);
    let seen = |sim: &Simulation, point: &str| {
        ["y", "vy"].map(|key| {
            let place = sim.point(point, 1);
            if key == "y" { sim.state.q[place] } else { sim.state.velocity[place] }
        })
    };
    let mut road = vec![seen(&sim, "foot")];
    let [[yb, vb], [yw, vw]] = [seen(&sim, "body"), seen(&sim, "hub")];
    let mut bodies = vec![yb];
    sim.run(2.0, H, |sim| {
        road.push(seen(sim, "foot"));
        bodies.push(seen(sim, "body")[0]);
    });
    let (rates, forces) = ([-1.0, -0.3, 0.0, 0.3, 1.0], [-800.0, -330.0, 0.0, 900.0, 2400.0]);
    let (press, tyre) = ([-0.08, -0.04, -0.02, 0.0, 0.02], [-15200.0, -7400.0, -3600.0, 0.0, 0.0]);
    let (mb, mw, g) = (320.0, 38.0, 9.81);
    let equations = |t: f64, &[yb, vb, yw, vw]: &[f64; 4]| {
        let k = ((t / H) as usize).min(road.len() - 2);
        let ([y0, v0], [y1, v1]) = (road[k], road[k + 1]);
        let share = t / H - k as f64;
        let (y, v) = (hermite([y0, y1], [v0, v1], H, share), v0 + (v1 - v0) * share);
        let strut = 22e3 * (yb - yw - 0.45) - mb * g + curve(&rates, &forces, vb - vw);
        let pressed = curve(&press, &tyre, yw - y - 0.3) + 50.0 * (vw - v);
        [vb, -strut / mb - g, vw, (strut - pressed) / mw - g]
    };
    let mut state = [yb, vb, yw, vw];
    let (mut worst, mut ride) = (0.0_f64, 0.0_f64);
    for n in 0..2000 {
        state = runge_kutta(state, f64::from(n) * H, f64::from(n + 1) * H, 4, equations);
        worst = worst.max((state[0] - bodies[n as usize + 1]).abs());
        ride = ride.max((state[0] - yb).abs());
    }
    println!("off by {worst:.1e} m of {ride:.3} m; balance {:.1e} J", sim.get("energy.balance"));
    assert!(ride > 0.01 && worst < 1e-3 * ride, "{worst:e}");
}

#[test]
fn frequencies_of_the_bundled_half_car_are_those_of_four_springs_on_a_beam() {
    // y, pitch and two wheels with vertical struts: a few thousandths off, as theirs are slanted.
    let sim = Simulation::bundled("half_car", &[]);
    let (m, j, a, b, k, l) = (620.0, 900.0, 1.2, 1.4, 20e3, 19e3);
    let tyre = |force: f64| {
        let (x, y) = ([-0.08, -0.04, -0.02, 0.0, 0.02], [-15200.0, -7400.0, -3600.0, 0.0, 0.0]);
        let (mut low, mut high) = (-0.08, 0.0);
        for _ in 0..60 {
            let middle: f64 = 0.5 * (low + high);
            if curve(&x, &y, middle) < -force { low = middle } else { high = middle }
        }
        (curve(&x, &y, low + 1e-5) - curve(&x, &y, low - 1e-5)) / 2e-5
    };
    let g = 9.81;
    let (p, q) = (tyre(m * g * b / (a + b) + 40.0 * g), tyre(m * g * a / (a + b) + 38.0 * g));
    let (a, b) = (a - 0.05, b - 0.05);
    let stiffness = nalgebra::Matrix4::new(
        k + l,
        k * a - l * b,
        -k,
        -l,
        k * a - l * b,
        k * a * a + l * b * b,
        -k * a,
        l * b,
        -k,
        -k * a,
        k + p,
        0.0,
        -l,
        l * b,
        0.0,
        l + q,
    );
    let scale = nalgebra::Vector4::new(m, j, 40.0_f64, 38.0_f64).map(|m: f64| 1.0 / m.sqrt());
    let scaled = nalgebra::Matrix4::from_diagonal(&scale)
        * stiffness
        * nalgebra::Matrix4::from_diagonal(&scale);
    let mut expected: Vec<f64> = scaled.symmetric_eigenvalues().iter().map(|v| v.sqrt()).collect();
    expected.sort_by(f64::total_cmp);
    let found = sim.frequencies(4);
    println!("{found:.4?} rad/s, vertical {expected:.4?}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }
}

#[test]
fn the_friction_damper_of_the_bundled_tensioner_takes_four_limits_times_its_slip_in_each_turn() {
    let mut sim = Simulation::bundled("belt_tensioner", &[]);
    sim.run(0.5, 1e-3, |_| ());
    let before = sim.get("springs.arm.dissipated_energy");
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    sim.run(1.0, 2e-4, |sim| {
        let angle = sim.get("springs.arm.angle");
        ends = [ends[0].min(angle), ends[1].max(angle)];
    });
    // Ten periods of a loop between these angles, 0.5 N·m and 400 N·m/rad.
    let slip = ends[1] - ends[0] - 2.0 * 0.5 / 400.0;
    let (seen, loops) =
        (sim.get("springs.arm.dissipated_energy") - before, 10.0 * 2.0 * 0.5 * slip);
    println!("{seen:.5} J, ten loops {loops:.5} J");
    assert!((seen - loops).abs() < 1e-2 * loops);
    // With the damper off nothing is taken.
    let mut free = Simulation::bundled("belt_tensioner", &[("parameters.friction", 1e-6)]);
    free.run(0.5, 1e-3, |_| ());
    assert!(free.get("springs.arm.dissipated_energy") < 1e-6);
}

/// Place (m) and velocity of the piston of the bundled compressor, whose crank turns evenly, and the kinetic energy of rod and piston (J).
fn compressor(time: f64) -> [f64; 3] {
    let (r, l, w) = (0.04, 0.14, -100.0);
    let p = 0.5 * std::f64::consts::PI + w * time;
    let sin = -r / l * p.sin();
    let cos = (1.0 - sin * sin).sqrt();
    // The rod turns by q from the line of the piston.
    let turn = -r / l * w * p.cos() / cos;
    let x = r * p.cos() + l * cos;
    let v = -r * w * p.sin() - l * turn * sin;
    let middle = [-r * w * p.sin() - 0.5 * l * turn * sin, r * w * p.cos() + 0.5 * l * turn * cos];
    let moving = 0.5 * 0.35 * (middle[0].powi(2) + middle[1].powi(2)) + 0.5 * 8e-4 * turn * turn;
    [x, v, moving + 0.5 * 0.4 * v * v]
}

#[test]
fn the_bundled_compressor_takes_the_torque_of_its_gas_and_masses_and_loses_what_its_bearings_rub() {
    let adiabatic = |x: f64| 2e-3 * 1e5 * ((0.09 / (0.19 - x)).powf(1.35) - 1.0);
    let free = [("parameters.friction", 0.0), ("joints.piston.friction.coulomb.coefficient", 0.0)];
    let mut sim = Simulation::bundled("compressor", &free);
    let (mut worst, mut largest) = ([0.0_f64; 3], 0.0_f64);
    sim.run(0.065, 5e-4, |sim| {
        let t = sim.time();
        let [x, v, _] = compressor(t);
        let h = 1e-5;
        let power = (compressor(t + h)[2] - compressor(t - h)[2]) / (2.0 * h);
        // The crank turns evenly about its end: gas and masses ask for all of the torque.
        let torque = (power + adiabatic(x) * v) / -100.0;
        let errors = [
            sim.get("points.piston.x") - x,
            -sim.get("springs.gas.force") - adiabatic(x),
            sim.get("motions.crank.reaction") - torque,
        ];
        worst = [0, 1, 2].map(|i| worst[i].max(errors[i].abs()));
        largest = largest.max(torque.abs());
    });
    println!(
        "place {:.1e} m, gas {:.1e} N, torque {:.1e} of {largest:.1} N m",
        worst[0], worst[1], worst[2]
    );
    assert!(worst[0] < 1e-12 && worst[1] < 20.0 && worst[2] < 1e-2 * largest, "{worst:?}");

    let mut sim = Simulation::bundled("compressor", &[]);
    let cycle = 0.02 * std::f64::consts::PI;
    sim.run(cycle, cycle / 100.0, |_| {});
    let read =
        |sim: &Simulation| ["input_work", "friction_work"].map(|k| sim.get(&format!("energy.{k}")));
    let before = read(&sim);
    sim.run(2.0 * cycle, cycle / 100.0, |_| {});
    let [input, rubbed] = [0, 1].map(|i| read(&sim)[i] - before[i]);
    println!("a turn takes {input:.4} J, {rubbed:.4} J of it by friction");
    assert!(rubbed > 1.0 && (input - rubbed).abs() < 1e-3 * rubbed, "{input} {rubbed}");
}

#[test]
fn a_car_that_stands_on_the_bundled_bridge_bends_it_as_a_beam_on_three_supports() {
    let (span, bending) = (25.0, 20e9 * 3.5 * 0.125 / 12.0);
    let whole = 2.0 * span;
    // What a unit force at `a` lowers `x` of a beam without the middle support by.
    let simple = |x: f64, a: f64| {
        let (x, a) = if x <= a { (x, a) } else { (whole - x, whole - a) };
        let b = whole - a;
        b * x * (whole * whole - b * b - x * x) / (6.0 * whole * bending)
    };
    let lowers =
        |x: f64, a: f64| simple(x, a) - simple(x, span) * simple(span, a) / simple(span, span);
    for start in [12.0, 20.0, 35.0] {
        let sim = Simulation::bundled(
            "car_on_bridge",
            &[("parameters.start", start), ("parameters.road", 0.0)],
        );
        // Each axle with its share of the body, and its wheel.
        let g = 9.81;
        let front = g * (620.0 * 1.4 / 2.6 + 40.0);
        let rear = g * (620.0 * 1.2 / 2.6 + 38.0);
        for (point, x) in [("first", 0.5 * span), ("second", 1.5 * span)] {
            let exact = -front * lowers(x, start + 1.2) - rear * lowers(x, start - 1.4);
            let found = sim.get(&format!("points.{point}.y"));
            println!("car at {start} m: {point} {:.5} of {:.5} mm", 1e3 * found, 1e3 * exact);
            // The beam of the text has no shear.
            assert!((found - exact).abs() < 5e-3 * exact.abs(), "{found} {exact}");
        }
    }
}
