//! The small bundled models that one begins with, each against a truth of its own.

use std::f64::consts::PI;

use coulisse::continuation::Station;
use coulisse::modes::Modes;
use nalgebra::{Matrix6, SMatrix, SVector, Vector6};

use crate::common::edit::Edit;
use crate::common::{self, Simulation, runge_kutta};
use crate::statics::trace::{Trace, is_near};

const G: f64 = 9.81;

/// Mass of the rod with its bob, kg, distance of its centre from the bearing, m, and moment of inertia about the bearing, kg·m².
const PENDULUM: [f64; 3] = [1.3, (0.3 * 0.25 + 0.5) / 1.3, 0.3 * 0.25 / 3.0 + 0.25];

#[test]
fn the_pendulum_swings_with_the_period_of_the_elliptic_integral() {
    let [mass, distance, inertia] = PENDULUM;
    for degrees in [20.0_f64, 90.0, 120.0] {
        let half = 0.5 * degrees.to_radians();
        // K(k) = π/(2 M(1, √(1 − k²))) by Gauss's arithmetic-geometric mean M, k = sin(θ₀/2).
        let (mut a, mut b) = (1.0, half.cos());
        for _ in 0..8 {
            (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
        }
        let period = 2.0 * PI * (inertia / (mass * G * distance)).sqrt() / a;
        let errors = [100.0, 200.0, 400.0].map(|steps| {
            let step = period / steps;
            let free = [
                ("parameters.dry", 0.0),
                ("parameters.viscous", 0.0),
                ("parameters.angle", 2.0 * half),
                ("solver.step", step),
            ];
            let mut sim = Simulation::bundled("pendulum", &free);
            // It hangs down after each odd quarter of a period; how late it is, by its rate there.
            sim.run(2.25 * period, step, |_| ());
            let [angle, rate] =
                ["rotation", "rotation_rate"].map(|key| sim.get(&format!("points.bob.{key}")));
            let late: f64 = (angle + 2.0 * half) / rate;
            (late / period).abs()
        });
        println!("{degrees}°: {period} s, late by {errors:?} of it");
        assert!(errors[2] < 3e-4, "{errors:?}");
        // Second order: 16 times from the first to the last. The hinge ends a step wherever it turns back, which shortens some.
        assert!(errors[0] > 12.0 * errors[2], "{errors:?}");
    }
}

/// Angle from hanging down (rad) and its rate at a time (s) with friction in the bearing, by Runge-Kutta.
fn damped_pendulum(until: f64) -> [f64; 2] {
    let [mass, distance, inertia] = PENDULUM;
    let (radius, dry, viscous) = (0.03, 0.3, 30.0);
    let rates = |_: f64, &[angle, rate]: &[f64; 2]| {
        let (sin, cos) = angle.sin_cos();
        // The force of the bearing turns the rod, and depends on how fast it turns.
        let mut turning = 0.0;
        for _ in 0..12 {
            let force =
                mass * (distance * turning + G * sin).hypot(distance * rate * rate + G * cos);
            let friction = dry * force * rate.signum() + viscous * radius * rate;
            turning = -(mass * G * distance * sin + radius * friction) / inertia;
        }
        [rate, turning]
    };
    // From rest it falls.
    runge_kutta([120.0_f64.to_radians(), -1e-12], 0.0, until, (until / 2e-5) as usize, rates)
}

#[test]
fn friction_in_its_bearing_damps_the_pendulum_as_the_force_in_it_says() {
    for until in [0.6, 3.0, 9.0] {
        let exact = damped_pendulum(until);
        let errors = [4e-3, 2e-3, 1e-3].map(|step| {
            let mut sim = Simulation::bundled("pendulum", &[("solver.step", step)]);
            sim.run(until, 0.02, |_| ());
            let angle = sim.get("points.bob.rotation") + 120.0_f64.to_radians();
            let rate = sim.get("points.bob.rotation_rate");
            (angle - exact[0]).abs().max((rate - exact[1]).abs() * 0.2)
        });
        println!("{until} s: {exact:?}, off by {errors:?}");
        assert!(errors[2] < 2e-4, "{until} s: {errors:?}");
        assert!(errors[0] > 8.0 * errors[2], "{until} s: {errors:?}");
    }
    let mut sim = Simulation::bundled("pendulum", &[]);
    sim.run(20.0, 0.02, |_| ());
    assert_eq!(sim.get("joints.bearing.sticking"), 1.0);
    // It rests where the moment of its weight is below that of friction.
    let [mass, distance, _] = PENDULUM;
    let angle = (sim.get("points.bob.rotation") + 120.0_f64.to_radians()).abs();
    assert!(distance * angle.sin() < 0.3 * 0.03, "{angle}");
    let held = mass * G * distance * angle.sin() / 0.03;
    assert!((sim.get("joints.bearing.friction_force").abs() - held).abs() < 1e-6);
}

/// Torque of the drive and forces (N) of the four-bar linkage with its crank at an angle, by Newton and Euler: at O and C on the
/// bars, at A of the crank on the coupler, at B of the coupler on the rocker.
fn four_bar(angle: f64) -> [f64; 9] {
    let [crank, coupler, rocker, ground] = [0.10, 0.35, 0.25, 0.40_f64];
    let speed = 4.0 * PI;
    let a = [crank * angle.cos(), crank * angle.sin()];
    let (dx, dy) = (ground - a[0], -a[1]);
    // Triangle A B C: the angle of the coupler over A C by the law of cosines, then the rocker from B to C.
    let diagonal = dx.hypot(dy);
    let at_a = ((coupler * coupler + diagonal * diagonal - rocker * rocker)
        / (2.0 * coupler * diagonal))
        .acos();
    let second = dy.atan2(dx) + at_a;
    let b = [a[0] + coupler * second.cos(), a[1] + coupler * second.sin()];
    let third = (-b[1]).atan2(ground - b[0]);
    let turned = [angle, second, third];
    let lengths = [crank, coupler, rocker];
    // Σ l_i (cos, sin) is constant: its first and second derivatives give rates and accelerations.
    let (s2, c2) = second.sin_cos();
    let (s3, c3) = third.sin_cos();
    let matrix = SMatrix::<f64, 2, 2>::new(-coupler * s2, -rocker * s3, coupler * c2, rocker * c3);
    let solve = |right: [f64; 2]| {
        matrix.lu().solve(&SVector::<f64, 2>::from(right)).expect("no dead centre")
    };
    let rates = solve([crank * speed * angle.sin(), -crank * speed * angle.cos()]);
    let rates = [speed, rates[0], rates[1]];
    let mut right = [0.0; 2];
    for (length, (turned, rate)) in lengths.iter().zip(turned.iter().zip(rates)) {
        right[0] += length * rate * rate * turned.cos();
        right[1] += length * rate * rate * turned.sin();
    }
    let turning = solve(right);
    let turning = [0.0, turning[0], turning[1]];
    // Unknowns: forces at O, A, B, C, each on the bar behind it (on the rocker at C), and the torque.
    let (mut left, mut sums) = (SMatrix::<f64, 9, 9>::zeros(), SVector::<f64, 9>::zeros());
    let mut begin = [0.0; 2];
    for bar in 0..3 {
        let (length, mass) = (lengths[bar], 2.0 * lengths[bar]);
        let (sin, cos) = turned[bar].sin_cos();
        let accelerated = |part: f64| {
            let (along, across) = (-rates[bar] * rates[bar] * part, turning[bar] * part);
            [begin[0] + along * cos - across * sin, begin[1] + along * sin + across * cos]
        };
        let [x, y] = accelerated(0.5 * length);
        let end = accelerated(length);
        let after = if bar == 2 { 1.0 } else { -1.0 };
        for i in 0..2 {
            left[(3 * bar + i, 2 * bar + i)] = 1.0;
            left[(3 * bar + i, 2 * bar + 2 + i)] = after;
        }
        // About the middle: the beginning is half a length behind it.
        let arm = [0.5 * length * cos, 0.5 * length * sin];
        for (place, sign) in [(2 * bar, -1.0), (2 * bar + 2, after)] {
            left[(3 * bar + 2, place)] = -sign * arm[1];
            left[(3 * bar + 2, place + 1)] = sign * arm[0];
        }
        sums[3 * bar] = mass * x;
        sums[3 * bar + 1] = mass * (y + G);
        sums[3 * bar + 2] = mass * length * length / 12.0 * turning[bar];
        begin = end;
    }
    left[(2, 8)] = 1.0;
    let found = left.lu().solve(&sums).expect("a linkage");
    std::array::from_fn(|i| found[i])
}

#[test]
fn the_four_bar_linkage_has_the_torque_and_the_forces_of_newton_and_euler() {
    let outputs = [
        "supports.O.fx",
        "supports.O.fy",
        "joints.A.fx",
        "joints.A.fy",
        "joints.B.fx",
        "joints.B.fy",
        "supports.C.fx",
        "supports.C.fy",
        "motions.crank.reaction",
    ];
    let errors = [4e-3, 2e-3, 1e-3].map(|step| {
        let mut sim = Simulation::bundled("four_bar", &[("solver.step", step)]);
        let mut worst = 0.0_f64;
        sim.run(0.56, 0.02, |sim| {
            let exact = four_bar(4.0 * PI * sim.time());
            for (output, exact) in outputs.into_iter().zip(exact) {
                // Forces reach 22 N, the torque 1.2 N·m.
                let size = if output.ends_with("reaction") { 1.2 } else { 22.0 };
                worst = worst.max((sim.get(output) - exact).abs() / size);
            }
        });
        worst
    });
    println!("{errors:?}");
    // The crank prescribes every position: only rounding is left.
    assert!(errors.iter().all(|error| *error < 1e-10), "{errors:?}");
}

/// Stiffness of a straight elastic bar that bends, stretches and shears, on displacements (m) and rotation of both its ends:
/// E A and E I, G A_v (N, N·m²), its ends.
fn stiffness([axial, bending, shear]: [f64; 3], [from, to]: [[f64; 2]; 2]) -> Matrix6<f64> {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let l = x.hypot(y);
    let phi = 12.0 * bending / (shear * l * l);
    let k = bending / ((1.0 + phi) * l.powi(3));
    let mut own = Matrix6::zeros();
    let across = [[12.0, 6.0 * l], [6.0 * l, (4.0 + phi) * l * l]];
    for (i, j, value) in [(1, 1, across[0][0]), (1, 2, across[0][1]), (2, 2, across[1][1])] {
        let sign = if i == j { 1.0 } else { -1.0 };
        for (a, b, value) in [(i, j, value), (i + 3, j + 3, sign * value)] {
            own[(a, b)] = k * value;
            own[(b, a)] = k * value;
        }
    }
    for (i, j, value) in
        [(1, 4, -12.0), (1, 5, 6.0 * l), (2, 4, -6.0 * l), (2, 5, (2.0 - phi) * l * l)]
    {
        own[(i, j)] = k * value;
        own[(j, i)] = k * value;
    }
    for (i, j, sign) in [(0, 0, 1.0), (3, 3, 1.0), (0, 3, -1.0), (3, 0, -1.0)] {
        own[(i, j)] = sign * axial / l;
    }
    let (cos, sin) = (x / l, y / l);
    let mut turned = Matrix6::identity();
    for i in [0, 3] {
        turned[(i, i)] = cos;
        turned[(i, i + 1)] = sin;
        turned[(i + 1, i)] = -sin;
        turned[(i + 1, i + 1)] = cos;
    }
    turned.transpose() * own * turned
}

#[test]
fn the_portal_frame_has_the_moments_and_reactions_of_the_stiffness_method() {
    // A thousandth of the loads, so that the equilibrium is that of the initial configuration.
    let small = 1e-3;
    let ends = ["members.beam.from.moment", "members.beam.to.moment"];
    let text = common::bundled("portal_frame")
        .edit(
            "\"supports.*\"",
            "\"supports.*\", \"members.beam.from.moment\", \"members.beam.to.moment\"",
        )
        .edit("y = -9.81", "y = -9.81e-3")
        .edit("fx = 20e3", "fx = 20.0")
        .edit("[damping]", "[static]\nto = 1.0\n\n[damping]");
    let described = common::check(&text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let p = described.members[0].properties.as_ref().expect("a section");
    // HEB 200 of the tables: 78.1 cm², 5696 cm⁴.
    is_near(p.area, 78.1e-4, 1e-3);
    is_near(p.second_moment, 5696e-8, 1e-3);
    let rigidity = [
        p.young_modulus * p.area,
        p.young_modulus * p.second_moment,
        p.shear_modulus * p.shear_area,
    ];
    let own = 7850.0 * p.area * G * small;
    let floor = own + 500.0 * G * small;
    // Unknowns of the corners: the beam's ends. Columns are clamped at their feet.
    let [left, top_left, top_right, right] = [[0.0, 0.0], [0.0, 4.0], [6.0, 4.0], [6.0, 0.0]];
    let columns = [[left, top_left], [right, top_right]].map(|ends| stiffness(rigidity, ends));
    let beam = stiffness(rigidity, [top_left, top_right]);
    let mut all = beam;
    let mut loads = Vector6::zeros();
    for (side, column) in columns.iter().enumerate() {
        let mut block = all.fixed_view_mut::<3, 3>(3 * side, 3 * side);
        block += column.fixed_view::<3, 3>(3, 3);
        loads[3 * side + 1] -= 0.5 * (floor * 6.0 + own * 4.0);
        let turning = if side == 0 { -1.0 } else { 1.0 };
        loads[3 * side + 2] += turning * floor * 36.0 / 12.0;
    }
    loads[0] += 20e3 * small;
    let moved = all.lu().solve(&loads).expect("a stiff frame");
    let at_beam = beam * moved;
    let moments = [at_beam[2] + floor * 3.0, at_beam[5] - floor * 3.0];
    for elements in [1.0, 2.0, 6.0] {
        let mesh = ["beam", "column_left", "column_right"]
            .map(|name| (format!("members.{name}.elements"), elements));
        let mesh: Vec<(&str, f64)> =
            mesh.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        let frame = Trace::of(&text, &mesh, |_| ());
        for (output, exact) in ends.into_iter().zip(moments) {
            println!("{elements}: {output} {} instead of {exact}", frame.end(output));
            is_near(frame.end(output), exact, 1e-3);
        }
        is_near(frame.end("points.top_left.x"), moved[0], 1e-3);
        for (side, column) in columns.iter().enumerate() {
            let foot = column.fixed_view::<3, 3>(0, 3) * moved.fixed_rows::<3>(3 * side);
            let name = ["left", "right"][side];
            is_near(frame.end(&format!("supports.{name}.fx")), foot[0], 1e-3);
            is_near(frame.end(&format!("supports.{name}.fy")), foot[1] + 2.0 * own, 1e-3);
            is_near(frame.end(&format!("supports.{name}.moment")), foot[2], 1e-3);
        }
    }
}

#[test]
fn the_portal_frame_sways_with_the_frequency_of_its_stiffness_and_the_mass_of_its_beam() {
    let Modes { list, .. } = Simulation::bundled("portal_frame", &[]).modes(1);
    // Kleinlogel: k = 12 E I/h³ · 2 (1 + 6 κ)/(4 + 6 κ), κ = I_b h/(I_c L). Of each column 0.37 of its mass moves with the beam.
    let (bending, height, ratio) = (210e9 * 5696e-8, 4.0_f64, 4.0 / 6.0);
    let stiffness = 24.0 * bending / height.powi(3) * (1.0 + 6.0 * ratio) / (4.0 + 6.0 * ratio);
    let mass = 6.0 * (7850.0 * 78.1e-4 + 500.0) + 2.0 * 0.37 * 4.0 * 7850.0 * 78.1e-4;
    // Shear in the webs and the weight on the columns lower it a little.
    is_near(list[0].angular_frequency(), (stiffness / mass).sqrt(), 0.03);
}

#[test]
fn the_shallow_truss_snaps_at_the_limit_load_of_the_closed_form() {
    for height in [0.05_f64, 0.1, 0.2] {
        let length = 0.5_f64.hypot(height);
        let rigidity = 2e9 * 2e-4;
        let limit = 2.0 * rigidity * height.powi(3) / (3.0 * 3.0_f64.sqrt() * length.powi(3));
        for largest in [0.005, 0.02, 0.05] {
            let values = [("parameters.height", height), ("parameters.force", 2.0 * limit)];
            let path = Trace::of(&common::bundled("snap_through"), &values, |path| {
                path.largest_move = largest
            });
            let limits: Vec<f64> = path.limits().iter().map(|row| row.factor).collect();
            assert_eq!(limits.len(), 2, "{height}, {largest}: {limits:?}");
            is_near(limits[0], 0.5, 1e-9);
            is_near(limits[1], -0.5, 1e-9);
            for row in &path.rows {
                let y = path.get(row, "points.crown.y");
                let load = rigidity * y * (height * height - y * y) / length.powi(3);
                assert!((2.0 * limit * row.factor - load).abs() < 1e-7 * limit, "{y} m");
                if row.station == Station::Limit {
                    continue;
                }
                let between = y.abs() < height / 3.0_f64.sqrt();
                assert_eq!(row.unstable > 0, between, "{y} m");
            }
        }
    }
}

#[test]
fn the_shallow_truss_hangs_below_its_hinges_after_a_run() {
    let mut sim = Simulation::bundled("snap_through", &[]);
    let mut snapped = None;
    sim.run(2.0, 5e-3, |sim| {
        if snapped.is_none() && sim.get("points.crown.y") < 0.0 {
            snapped = Some(sim.time());
        }
    });
    // The force grows by 1 kN/s to the limit load of 1161 N; near it the mass of 5 kg gives way slowly.
    let snapped = snapped.expect("it snaps");
    assert!((1.161..1.3).contains(&snapped), "{snapped} s");
}
