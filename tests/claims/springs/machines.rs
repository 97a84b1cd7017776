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
            match a * b > 0.0 {
                true => 3.0 * (h + k) / ((2.0 * k + h) / a + (k + 2.0 * h) / b),
                false => 0.0,
            }
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
            if key == "y" {
                sim.state.q[place]
            } else {
                sim.state.velocity[place]
            }
        })
    };
    let mut road = vec![seen(&sim, "foot")];
    let [[yb, vb], [yw, vw]] = [seen(&sim, "body"), seen(&sim, "hub")];
    let mut bodies = vec![yb];
    sim.run(2.0, H, |sim| {
        road.push(seen(sim, "foot"));
        bodies.push(seen(sim, "body")[0]);
    });
    let (rates, forces) = (
        [-1.0, -0.3, 0.0, 0.3, 1.0],
        [-800.0, -330.0, 0.0, 900.0, 2400.0],
    );
    let (press, tyre) = (
        [-0.08, -0.04, -0.02, 0.0, 0.02],
        [-15200.0, -7400.0, -3600.0, 0.0, 0.0],
    );
    let (mb, mw, g) = (320.0, 38.0, 9.81);
    let equations = |t: f64, &[yb, vb, yw, vw]: &[f64; 4]| {
        let k = ((t / H) as usize).min(road.len() - 2);
        let ([y0, v0], [y1, v1]) = (road[k], road[k + 1]);
        let share = t / H - k as f64;
        let (y, v) = (
            hermite([y0, y1], [v0, v1], H, share),
            v0 + (v1 - v0) * share,
        );
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
    println!(
        "off by {worst:.1e} m of {ride:.3} m; balance {:.1e} J",
        sim.get("energy.balance")
    );
    assert!(ride > 0.01 && worst < 1e-3 * ride, "{worst:e}");
}

#[test]
fn frequencies_of_the_bundled_half_car_are_those_of_four_springs_on_a_beam() {
    // y, pitch and two wheels with vertical struts: a few thousandths off, as theirs are slanted.
    let sim = Simulation::bundled("half_car", &[]);
    let (m, j, a, b, k, l) = (620.0, 900.0, 1.2, 1.4, 20e3, 19e3);
    let tyre = |force: f64| {
        let (x, y) = (
            [-0.08, -0.04, -0.02, 0.0, 0.02],
            [-15200.0, -7400.0, -3600.0, 0.0, 0.0],
        );
        let (mut low, mut high) = (-0.08, 0.0);
        for _ in 0..60 {
            let middle: f64 = 0.5 * (low + high);
            if curve(&x, &y, middle) < -force {
                low = middle
            } else {
                high = middle
            }
        }
        (curve(&x, &y, low + 1e-5) - curve(&x, &y, low - 1e-5)) / 2e-5
    };
    let g = 9.81;
    let (p, q) = (
        tyre(m * g * b / (a + b) + 40.0 * g),
        tyre(m * g * a / (a + b) + 38.0 * g),
    );
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
    let mut expected: Vec<f64> = scaled
        .symmetric_eigenvalues()
        .iter()
        .map(|v| v.sqrt())
        .collect();
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
    let (seen, loops) = (
        sim.get("springs.arm.dissipated_energy") - before,
        10.0 * 2.0 * 0.5 * slip,
    );
    println!("{seen:.5} J, ten loops {loops:.5} J");
    assert!((seen - loops).abs() < 1e-2 * loops);
    // With the damper off nothing is taken.
    let mut free = Simulation::bundled("belt_tensioner", &[("parameters.friction", 1e-6)]);
    free.run(0.5, 1e-3, |_| ());
    assert!(free.get("springs.arm.dissipated_energy") < 1e-6);
}
