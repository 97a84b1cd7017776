//! Sliders on curved members: dishes against the equations of the pendulum, cams.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use std::f64::consts::TAU;

use crate::common::{Simulation, runge_kutta};

const G: f64 = 9.81;

/// A fixed dish of radius 1 m about the origin, open to ±1.3 rad, and a bead of 2 kg on it at `angle`
/// from its lowest point.
fn dish(angle: f64, solver: &str, joint: &str, extra: &str) -> String {
    let (x, y) = (1.3_f64.sin(), -1.3_f64.cos());
    Mechanism::new("Dish")
        .solver(solver)
        .points(format!("left = [{}, {y}], right = [{x}, {y}]", -x))
        .and(format!("bead = [{}, {}]", angle.sin(), -angle.cos()))
        .guide("dish", ["left", "right"], "elements = 24, arc.radius = 1.0")
        .mass("bead", 2.0)
        .gravity(-G)
        .add(format!("[joints.bead]\n{joint}\n{extra}"))
        .outputs("points.bead.* energy.*")
        .text()
}

const BEAD: &str = "cylindrical = { slider = \"bead\", path = [\"dish\"] }";
const BACKWARDS: &str = "cylindrical = { slider = \"bead\", path = [\"dish\"], start = \"right\" }";

/// Angle and rate of a pendulum θ″ = −ω² sin θ − μ-friction of a bead pressed by m (g cos θ + θ′²).
fn pendulum(start: [f64; 2], square: f64, coefficient: f64, time: f64) -> [f64; 2] {
    runge_kutta(start, 0.0, time, 20_000, |_, y| {
        let pressed = (square * y[0].cos() + y[1] * y[1]).abs();
        let rubs = coefficient * pressed * y[1].signum();
        [y[1], -square * y[0].sin() - rubs]
    })
}

fn angle(sim: &Simulation) -> f64 {
    sim.get("points.bead.x").atan2(-sim.get("points.bead.y"))
}

/// Largest error of the angle of a bead let go at −1.2 rad, rad, within a time.
fn error_in_the_bowl(joint: &str, step: f64, time: f64) -> f64 {
    let text = dish(-1.2, &format!("step = {step}"), joint, "");
    let mut sim = Simulation::of(&text.edit("elements = 24", "elements = 48"));
    let mut worst = 0.0_f64;
    sim.run(time, 0.1, |sim| {
        let [exact, _] = pendulum([-1.2, 0.0], G, 0.0, sim.time());
        worst = worst.max((angle(sim) - exact).abs());
    });
    assert!(sim.get("energy.balance").abs() < 1e-5);
    worst
}

#[test]
fn a_bead_in_a_circular_bowl_is_a_pendulum() {
    for joint in [BEAD, BACKWARDS] {
        let there = error_in_the_bowl(joint, 1e-3, 1.0);
        let [coarse, fine] = [1e-3, 5e-4].map(|h| error_in_the_bowl(joint, h, 2.0));
        println!("{there:.1e} rad there, {coarse:.1e} there and back, {fine:.1e} in half steps");
        assert!(there < 1e-5);
        // What is left is the error of the integration.
        assert!(coarse < 2e-5 && (3.5..4.5).contains(&(coarse / fine)));
    }
}

#[test]
fn with_friction_the_bead_follows_its_equation_of_motion() {
    let friction = "friction.stribeck = { static_coefficient = 0.1, kinetic_coefficient = 0.1, \
                    decay_velocity = 0.1 }";
    let mut sim = Simulation::of(&dish(-1.2, "step = 1e-4", BEAD, friction));
    // To its first turning point.
    sim.run(0.9, 0.1, |sim| {
        let [exact, rate] = pendulum([-1.2, 1e-9], G, 0.1, sim.time());
        assert!(rate > 0.0);
        assert!((angle(sim) - exact).abs() < 2e-4, "{} {exact}", angle(sim));
    });
}

#[test]
fn small_vibrations_of_a_friction_pendulum_have_the_period_of_its_radius() {
    let mut sim = Simulation::of(&dish(0.01, "step = 1e-3", BEAD, ""));
    let (mut crossings, mut before) = (Vec::new(), [0.0, angle(&sim)]);
    sim.run(21.0, 1e-3, |sim| {
        let now = [sim.time(), angle(sim)];
        if before[1] < 0.0 && now[1] >= 0.0 {
            let share = before[1] / (before[1] - now[1]);
            crossings.push(before[0] + share * (now[0] - before[0]));
        }
        before = now;
    });
    let count = crossings.len() - 1;
    let period = (crossings[count] - crossings[0]) / count as f64;
    let exact = TAU / G.sqrt();
    println!("{count} periods of {period:.6} s, 2π√(R/g) = {exact:.6} s");
    assert!(count >= 9);
    assert!((period / exact - 1.0).abs() < 5e-4);
}

#[test]
fn slowly_moved_a_friction_pendulum_has_the_hysteresis_loop_of_its_radius_and_coefficient() {
    let (weight, mu, amplitude) = (2.0 * G, 0.05_f64, 0.05);
    // Pulled by a long stiff bar: what sticks may not be driven as well.
    let extra = format!(
        "friction.stribeck = {{ static_coefficient = {mu}, kinetic_coefficient = {mu}, \
         decay_velocity = 0.1 }}\n\
         [materials.bar]\nyoung_modulus = 1e12\npoisson_ratio = 0.0\ndensity = 0.0\n\
         [sections.bar]\ncircle = {{ diameter = 1e-3 }}\n\
         [members.bar]\nfrom = \"bead\"\nto = \"grip\"\nelements = 1\norder = 1\n\
         material = \"bar\"\nsection = \"bar\"\n\
         [supports.grip]\npoint = \"grip\"\nfix = [\"y\"]\n\
         [motions.shake]\npoint = \"grip\"\ndirection = \"x\"\namplitude = {amplitude}\n\
         history.sine = {{ frequency = 1.0 }}"
    );
    let solver = "analysis = \"quasi_static\"\nstep = 1e-2";
    let text = dish(0.0, solver, BEAD, &extra)
        .edit("[points]", "[points]\ngrip = [20.0, -1.0]")
        .edit("\"energy.*\"", "\"energy.*\", \"motions.*\"");
    let mut sim = Simulation::of(&text);
    let mut loops = [Vec::new(), Vec::new()];
    sim.run(2.25, 1e-2, |sim| {
        if sim.time() < 1.251 {
            return; // the first quarter and one loop to come into it
        }
        let (x, force) = (sim.get("points.bead.x"), sim.get("motions.shake.reaction"));
        let going = (TAU * (sim.time() - 5e-3)).cos();
        if going.abs() < 0.1 {
            return; // the bar is stretched until the bead turns round
        }
        let (forward, sign) = (going > 0.0, going.signum());
        // tan of the slope and of the angle of friction together.
        let exact = weight * (x.asin() + sign * mu.atan()).tan();
        assert!((force - exact).abs() < 1e-3 * mu * weight, "{x}: {force} {exact}");
        loops[usize::from(forward)].push([x, force]);
    });
    let at = |branch: &[[f64; 2]], x: f64| {
        let mut sorted = branch.to_vec();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let k = sorted.partition_point(|p| p[0] < x).clamp(1, sorted.len() - 1);
        let ([x0, f0], [x1, f1]) = (sorted[k - 1], sorted[k]);
        f0 + (f1 - f0) * (x - x0) / (x1 - x0)
    };
    let width = at(&loops[1], 0.0) - at(&loops[0], 0.0);
    let slope = (at(&loops[1], 0.04) - at(&loops[1], -0.04)) / 0.08;
    println!(
        "width {width:.4} N (2μW = {:.4}), slope {slope:.4} N/m (W/R = {weight:.4})",
        2.0 * mu * weight
    );
    assert!((width / (2.0 * mu * weight) - 1.0).abs() < 5e-3);
    assert!((slope / weight - 1.0).abs() < 5e-3);
}

#[test]
fn a_prismatic_slider_turns_with_the_curve_and_is_a_compound_pendulum() {
    for start in ["", ", start = \"right\""] {
        let joint = format!("prismatic = {{ slider = \"bead\", path = [\"dish\"]{start} }}");
        let text = dish(-1.0, "step = 1e-3", &joint, "")
            .edit("mass = 2.0", "mass = 2.0\nrotary_inertia = 1.0");
        let mut sim = Simulation::of(&text);
        sim.run(2.0, 0.1, |sim| {
            // (m R² + J) θ″ = −m g R sin θ.
            let [exact, _] = pendulum([-1.0, 0.0], G * 2.0 / 3.0, 0.0, sim.time());
            assert!((angle(sim) - exact).abs() < 1e-5);
            let turned = sim.get("points.bead.rotation");
            assert!((turned - (exact + 1.0)).abs() < 1e-4, "{turned} {exact}");
        });
    }
}

#[test]
fn a_surface_of_constant_height_over_a_dish_is_a_dish_of_smaller_radius() {
    let joint = format!("{BEAD}\nroughness.cosine = {{ amplitude = 0.2, wavelength = 1e6 }}");
    let mut sim = Simulation::of(&dish(-1.0, "step = 1e-3", &joint, ""));
    assert!((sim.get("points.bead.x").hypot(sim.get("points.bead.y")) - 0.8).abs() < 1e-5);
    let start = angle(&sim);
    assert!((start + 1.0).abs() < 1e-3);
    sim.run(2.0, 0.1, |sim| {
        let [exact, _] = pendulum([start, 0.0], G / 0.8, 0.0, sim.time());
        assert!((angle(sim) - exact).abs() < 2e-5, "{} {exact}", angle(sim));
    });
}

/// Height of a cam and its curvature.
fn hump(x: f64) -> f64 {
    0.1 * (1.0 - (TAU * x).cos())
}

#[test]
fn a_follower_rides_on_a_cam_that_is_a_spline_through_points() {
    // One hump between points of inflection, where the batten is straight as the curve is.
    let points: Vec<[f64; 2]> =
        (0..=40).map(|k| -0.25 + 0.5 * f64::from(k) / 40.0 + 0.5).map(|x| [x, hump(x)]).collect();
    let mut sim = Mechanism::new("Cam")
        .step(1e-3)
        .points(format!("a = {:?}, b = {:?}", points[0], points[40]))
        .and(format!("follower = {:?}", points[2]))
        .member("cam", ["a", "b"], format!("elements = 20, spline = {:?}", &points[1..40]))
        .support("cam", "member = 'cam', fix = ['y', 'rotation']")
        .motion("cam", "member = 'cam', direction = 'x', velocity = -0.3")
        .support("follower", "point = 'follower', fix = ['x']")
        .mass("follower", 0.5)
        .gravity(-G)
        .entry("initial", "velocities = 'rigid_mechanism'")
        .slider("follower", "follower", "cam", "")
        .outputs("points.follower.* supports.follower.* motions.cam.* energy.*")
        .simulation();
    let (x0, mut worst, mut sum) = (points[2][0], [0.0_f64; 2], 0.0);
    sim.run(1.4, 1e-2, |sim| {
        let x = x0 + 0.3 * sim.time();
        worst[0] = worst[0].max((sim.get("points.follower.y") - hump(x)).abs());
        // The drive lifts the follower: m (g + ÿ) f′ along x.
        let (sin, cos) = (TAU * x).sin_cos();
        let lift = 0.5 * (G + 0.1 * (TAU * 0.3).powi(2) * cos);
        let push = sim.get("motions.cam.reaction") + lift * 0.1 * TAU * sin;
        (worst[1], sum) = (worst[1].max(push.abs()), sum + push.abs() / 140.0);
    });
    println!("largest errors {worst:?} in m and N, mean {sum:.4} N");
    // Of 5 N; neighbours meet at angles of 3e-5 rad, which are small bumps at this speed.
    assert!(worst[0] < 1e-6 && sum < 0.02 && worst[1] < 0.1);
    assert!(sim.get("energy.balance").abs() < 1e-4);
}

#[test]
fn a_path_of_two_arcs_in_line_is_one_curve_without_impacts() {
    let half = |name: &str, from: &str, to: &str| {
        format!(
            "[members.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = 6\narc.radius = 1.0\n"
        )
    };
    let whole = dish(-1.2, "step = 1e-3", BEAD, "");
    let halves = whole
        .edit(
            "[members.dish]\nfrom = \"left\"\nto = \"right\"\nelements = 24\narc.radius = 1.0\n",
            &format!("{}{}", half("one", "left", "foot"), half("two", "foot", "right")),
        )
        .edit("[points]", "[points]\nfoot = [0.0, -1.0]")
        .edit("path = [\"dish\"]", "path = [\"one\", \"two\"]")
        .edit(
            "[supports.dish]\nmember = \"dish\"\nfix = [\"x\", \"y\", \"rotation\"]",
            "[supports.one]\nmember = \"one\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
             [supports.two]\nmember = \"two\"\nfix = [\"x\", \"y\", \"rotation\"]",
        );
    let mut sim = Simulation::of(&halves);
    sim.run(1.0, 1e-2, |_| ());
    let [exact, _] = pendulum([-1.2, 0.0], G, 0.0, 1.0);
    assert!((angle(&sim) - exact).abs() < 1e-3, "{} {exact}", angle(&sim));
    assert!(sim.get("energy.balance").abs() < 1e-4);
}

#[test]
fn the_coordinate_along_an_arc_is_its_arc_length() {
    let sim = Simulation::of(&dish(0.4, "step = 1e-3", BEAD, ""));
    let s = sim.get("joints.bead.position");
    assert!((s - 1.7).abs() < 1e-6, "{s}");
    let back = Simulation::of(&dish(0.4, "step = 1e-3", BACKWARDS, ""));
    assert!((back.get("joints.bead.position") - 0.9).abs() < 1e-6);
}
