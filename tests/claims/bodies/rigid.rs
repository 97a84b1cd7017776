//! Rigid bodies: three unknowns each, against equations of motion by hand.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check, refusal, runge_kutta};

const G: f64 = 9.81;

/// A rigid plate from (0, 0) to (1, 0.2) m, 10 mm thick, of steel: 15.7 kg.
fn steel_plate() -> String {
    Mechanism::part()
        .steel()
        .body("rod", "material = 'steel', thickness = 0.01, rigid = true")
        .patch("rod", [3, 1], "bottom: A, right: B, top: C, left: D")
        .text()
}

const MASS: f64 = 7850.0 * 0.01 * 0.2;
const INERTIA: f64 = MASS * (1.0 + 0.04) / 12.0;

/// A model with the plate, a solver step in s, more points and whatever else, with all outputs.
pub fn plate(step: f64, points: &str, more: &str) -> String {
    // A hinge has no outputs.
    let outputs: Vec<String> = (["joints.bead", "supports.", "motions.", "probes."].into_iter())
        .filter(|section| more.contains(&format!("[{section}")))
        .map(|section| format!("{}.*", section.trim_end_matches('.')))
        .collect();
    Mechanism::new("rigid")
        .step(step)
        .gravity(-9.81)
        .outputs(&format!("points.* energy.* {}", outputs.join(" ")))
        .points("A = [0.0, 0.0], B = [1.0, 0.0], C = [1.0, 0.2], D = [0.0, 0.2]")
        .and(points)
        .add(steel_plate())
        .add(more)
        .text()
}

const PIVOT: &str = "[supports.pivot]\npoint = \"A\"\nfix = [\"x\", \"y\"]\n";

#[test]
fn a_plate_on_a_pivot_swings_through_as_a_physical_pendulum() {
    let exact = |t: f64| {
        // The centre is at (0.5, 0.1) m from the pivot.
        let inertia = INERTIA + MASS * (0.25 + 0.01);
        let [turn, rate] = runge_kutta([0.0, 0.0], 0.0, t, 4000, |_, &[turn, rate]| {
            let lever = 0.5 * turn.cos() - 0.1 * turn.sin();
            [rate, -MASS * G * lever / inertia]
        });
        let acceleration = -MASS * G * (0.5 * turn.cos() - 0.1 * turn.sin()) / inertia;
        (turn, rate, acceleration)
    };
    let mut errors = Vec::new();
    for step in [4e-3, 2e-3, 1e-3] {
        let mut run = Simulation::of(&plate(step, "", PIVOT));
        let mut worst = 0.0_f64;
        run.run(2.0, 0.1, |run| {
            let (turn, rate, acceleration) = exact(run.time());
            let [x, y] = [turn.cos(), turn.sin()];
            worst = worst
                .max((run.get("points.B.x") - x).abs())
                .max((run.get("points.B.y") - y).abs())
                .max((run.get("points.C.rotation") - turn).abs());
            // The pivot carries weight and inertia.
            let centre = [0.5 * x - 0.1 * y, 0.5 * y + 0.1 * x];
            let pull = |i: usize| {
                let across = [-centre[1], centre[0]][i];
                MASS * (acceleration * across - rate * rate * centre[i])
            };
            let force = [pull(0), pull(1) + MASS * G];
            for (axis, force) in ["fx", "fy"].into_iter().zip(force) {
                let seen = run.get(&format!("supports.pivot.{axis}"));
                assert!((seen - force).abs() < 3e3 * step * step * MASS * G, "{seen} {force}");
            }
        });
        assert!(run.get("energy.balance").abs() < 30.0 * step * step);
        errors.push(worst);
    }
    assert!(errors[2] < 4e-5, "{errors:?}");
    let order = (errors[1] / errors[2]).log2();
    assert!((order - 2.0).abs() < 0.1, "{errors:?}");
}

#[test]
fn a_free_plate_keeps_its_momenta_and_falls_as_a_point_does() {
    let more = &Mechanism::part()
        .probe("centre", "place = { body = 'rod', at = [0.5, 0.1] }")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("A", "vx = 1.0, vy = 3.0, rotation_rate = 5.0")
        .text();
    let mut run = Simulation::of(&plate(1e-3, "", more));
    // v_C = v_A + ω × (C − A).
    let start = [1.0 - 5.0 * 0.1, 3.0 + 5.0 * 0.5];
    run.run(1.0, 0.05, |run| {
        let t = run.time();
        let near = |path: &str, exact: f64, by: f64| {
            let seen = run.get(path);
            assert!((seen - exact).abs() < by, "{path} {seen} {exact} at {t}");
        };
        near("probes.centre.x", 0.5 + start[0] * t, 1e-12);
        near("probes.centre.y", 0.1 + start[1] * t - 0.5 * G * t * t, 1e-9);
        near("probes.centre.vy", start[1] - G * t, 1e-11);
        near("points.B.rotation", 5.0 * t, 1e-11);
        let (x, y) = (run.get("probes.centre.x"), run.get("probes.centre.y"));
        let (sin, cos) = (5.0 * t).sin_cos();
        near("points.D.x", x - 0.5 * cos - 0.1 * sin, 1e-11);
        near("points.D.y", y - 0.5 * sin + 0.1 * cos, 1e-11);
        // Points have velocities of their own, which the method integrates: off by ω d (ω h)²/12.
        near("points.D.vx", start[0] - 5.0 * (-0.5 * sin + 0.1 * cos), 2e-5);
        near("energy.balance", 0.0, 1e-8);
    });
}

#[test]
fn a_rigid_body_at_the_tip_lowers_the_frequencies_of_a_cantilever_as_its_mass_and_inertia_do() {
    // A slender steel cantilever of 2 m up to A, the plate clamped to its tip in line.
    let more = &Mechanism::part()
        .rectangle("bar", 0.02, 0.05)
        .member("beam", ["W", "A"], "elements = 8, material = 'steel', section = 'bar'")
        .support("wall", "point = 'W', fix = ['x', 'y', 'rotation']")
        .text();
    let text = plate(1e-3, "W = [-2.0, 0.0]", more).replace("y = -9.81", "y = 0.0");
    let run = Simulation::of(&text);
    let seen = run.frequencies(2);
    // Of a beam without inertia of rotation and shear with a body whose centre is at a before and b beside its tip.
    let stiffness = 210e9 * 0.05 * 0.02_f64.powi(3) / 12.0;
    let (line, length, ahead, beside) = (7850.0 * 0.02 * 0.05, 2.0, 0.5, 0.1_f64);
    let tension = 210e9 * 0.02 * 0.05;
    let determinant = |w: f64| {
        let k = (line * w * w / stiffness).powf(0.25);
        let (s, c, sh, ch) =
            ((k * length).sin(), (k * length).cos(), (k * length).sinh(), (k * length).cosh());
        // v = a (cosh − cos) + b (sinh − sin): v, v′, v″, v‴ of both at the tip.
        let a = [ch - c, k * (sh + s), k * k * (ch + c), k.powi(3) * (sh - s)];
        let b = [sh - s, k * (ch - c), k * k * (sh + s), k.powi(3) * (ch + c)];
        // u = d sin(p x) along the bar.
        let p = w * (line / tension).sqrt();
        let (u, force) = ((p * length).sin(), tension * p * (p * length).cos());
        // EI v‴ = −M w² (v + a v′) ; EI v″ = w² (J v′ + M a (v + a v′) − M b (u − b v′)); EA u′ = M w² (u − b v′).
        let mut rows = [[0.0; 3]; 3];
        for (j, [v, slope, bend, shear]) in [a, b].into_iter().enumerate() {
            let up = v + ahead * slope;
            let across = -beside * slope;
            rows[0][j] = stiffness * shear + MASS * w * w * up;
            rows[1][j] = stiffness * bend
                - w * w * (INERTIA * slope + MASS * ahead * up - MASS * beside * across);
            rows[2][j] = -MASS * w * w * across;
        }
        rows[1][2] = w * w * MASS * beside * u;
        rows[2][2] = force - MASS * w * w * u;
        let [[a, b, c], [d, e, f], [g, h, i]] = rows;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    };
    let root = |near: f64| {
        let (mut low, mut high) = (0.9 * near, 1.1 * near);
        assert!(determinant(low) * determinant(high) < 0.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if determinant(low) * determinant(middle) <= 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    };
    for (seen, within) in seen.into_iter().zip([2e-4, 2e-3]) {
        let exact = root(seen);
        assert!((seen / exact - 1.0).abs() < within, "{seen} {exact}");
    }
}

#[test]
fn two_rigid_bodies_that_share_a_point_are_a_double_pendulum() {
    let second = &Mechanism::part()
        .body("second", "material = 'steel', thickness = 0.01, rigid = true")
        .patch("second", [1, 1], "bottom: B, right: E, top: F, left: H")
        .support("pivot", "point = 'A', fix = ['x', 'y']")
        .text();
    let points = "E = [1.8, 0.0]\nF = [1.8, 0.1]\nH = [1.0, 0.1]";
    let step = 5e-4;
    let mut run = Simulation::of(&plate(step, points, second));
    let (m, j) = (7850.0 * 0.01 * 0.08, 7850.0 * 0.01 * 0.08 * (0.64 + 0.01) / 12.0);
    // Lagrange's equations in both angles, with centres at c from the joints.
    let equations = |_: f64, &[a, b, u, v]: &[f64; 4]| {
        let turned = |[x, y]: [f64; 2], t: f64| {
            let (sin, cos) = t.sin_cos();
            [cos * x - sin * y, sin * x + cos * y]
        };
        let [c, l, d] = [turned([0.5, 0.1], a), turned([1.0, 0.0], a), turned([0.4, 0.05], b)];
        let dot = |p: [f64; 2], q: [f64; 2]| p[0] * q[0] + p[1] * q[1];
        let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let m11 = INERTIA + MASS * dot(c, c) + m * dot(l, l);
        let (m12, m22) = (m * dot(l, d), j + m * dot(d, d));
        let f1 = -m * cross(d, l) * v * v - MASS * G * c[0] - m * G * l[0];
        let f2 = m * cross(d, l) * u * u - m * G * d[0];
        let det = m11 * m22 - m12 * m12;
        [u, v, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det]
    };
    run.run(1.5, 0.1, |run| {
        let [a, b, ..] = runge_kutta([0.0; 4], 0.0, run.time(), 8000, equations);
        for (path, exact) in [("points.C.rotation", a), ("points.E.rotation", b)] {
            let seen = run.get(path);
            assert!((seen - exact).abs() < 2e-4, "{path} {seen} {exact} at {}", run.time());
        }
    });
    assert!(run.get("energy.balance").abs() < 1e-2, "{}", run.get("energy.balance"));
}

#[test]
fn a_rigid_lever_balances_in_statics_and_its_hinged_rod_carries_the_force() {
    let more = &Mechanism::part()
        .rectangle("bar", 0.02, 0.05)
        .member("arm", ["B", "W"], "elements = 2, material = 'steel', section = 'bar'")
        .joint("pin", "hinge = { point = 'B' }")
        .support("wall", "point = 'W', fix = ['x', 'y']")
        .support("pivot", "point = 'A', fix = ['x', 'y']")
        .load("side", "point = 'C', fx = -100.0")
        .entry("gravity", "weightless = ['arm']")
        .text();
    let text = plate(1e-3, "W = [1.0, -2.0]", more)
        .edit("step = 1e-3", "step = 1e-3\nanalysis = \"quasi_static\"");
    let mut run = Simulation::of(&text);
    run.step(0.01);
    // About A: weight at 0.5 m and −100 N at a height of 0.2 m against the rod at 1 m; it shortens by micrometres.
    let rod = MASS * G * 0.5 - 100.0 * 0.2;
    let seen = run.get("supports.wall.fy");
    assert!((seen / rod - 1.0).abs() < 1e-4, "{seen} {rod}");
    let sum = run.get("supports.pivot.fy") + seen;
    assert!((sum / (MASS * G) - 1.0).abs() < 1e-9);
}

#[test]
fn what_a_rigid_body_cannot_have_is_refused_with_what_to_write() {
    let cases = [
        ("[supports.s]\nedge = \"rod.left\"\nfix = [\"x\"]", "name one of its points"),
        ("[damping.d]\nbodies = [\"rod\"]\nmass_coefficient = 1.0", "nothing in it is strained"),
    ];
    for (more, says) in cases {
        let message = check(&plate(1e-3, "", more), &[]).expect_err(more);
        assert!(message.contains(says), "{message}");
    }
    let floats =
        plate(1e-3, "", "").edit("step = 1e-3", "step = 1e-3\nanalysis = \"quasi_static\"");
    let message = refusal(&floats);
    assert!(message.contains("body `rod`"), "{message}");
}
