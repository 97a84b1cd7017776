//! Sliders on rough paths: heights, forces on the path's sections, wheels.

mod common;

use std::f64::consts::TAU;

use common::{Simulation, runge_kutta};
use coulisse::joints::roughness::{Profile, Roughness, Wave};
use coulisse::solve::{Direction, Stepper};
use coulisse::system::State;

const G: f64 = 9.81;
const AMPLITUDE: f64 = 0.03;
const WAVENUMBER: f64 = TAU / 0.8;

/// A bead of 1 kg on a fixed straight member with cosine roughness, thrown along x.
fn wavy(step: f64, friction: &str) -> String {
    format!(
        r#"
name = "Wavy"
[solver]
step = {step}
spectral_radius = 0.8
position_tolerance = 1e-13
[points]
a = [0.0, 0.0]
b = [4.0, 0.0]
bead = [0.1, 0.0]
[members.m]
from = "a"
to = "b"
elements = 1
order = 1
[supports.m]
member = "m"
fix = ["x", "y", "rotation"]
[masses.bead]
point = "bead"
mass = 1.0
[gravity]
y = -9.81
[initial.points.bead]
vx = 2.0
[joints.bead]
cylindrical = {{ slider = "bead", path = ["m"] }}
roughness.cosine = {{ amplitude = {AMPLITUDE}, wavelength = 0.8, phase = 0.4 }}
{friction}
[interface]
outputs = ["points.bead.*", "energy.*"]
"#
    )
}

/// s and ds/dt of that bead after `time`: m (1 + h′²) s̈ + m h′ h″ ṡ² + m g h′ = −μ F_N for ṡ > 0, with
/// F_N = m (g + h″ ṡ²)/√(1 + h′²).
fn exact(start: f64, time: f64, coefficient: f64) -> [f64; 2] {
    runge_kutta([start, 2.0], 0.0, time, 20_000, |_, y| {
        let (sin, cos) = (WAVENUMBER * y[0] - 0.4).sin_cos();
        let slope = -AMPLITUDE * WAVENUMBER * sin;
        let bend = -AMPLITUDE * WAVENUMBER * WAVENUMBER * cos;
        let square = 1.0 + slope * slope;
        let pressed = (G + bend * y[1] * y[1]).abs() / square.sqrt();
        let along = -slope * (bend * y[1] * y[1] + G) - coefficient * pressed * y[1].signum();
        [y[1], along / square]
    })
}

fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect()
}

#[test]
fn a_bead_on_a_wavy_path_follows_its_equation_of_motion_with_second_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|h| {
        let mut sim = Simulation::of(&wavy(h, ""));
        let start = sim.get("joints.bead.position");
        let mut worst = 0.0_f64;
        sim.run(1.6, 0.2, |sim| {
            let [s, v] = exact(start, sim.time(), 0.0);
            worst = worst.max((sim.get("joints.bead.position") - s).abs());
            worst = worst.max((sim.get("joints.bead.velocity") - v).abs());
        });
        assert!(sim.get("joints.bead.position") > 1.5, "over two waves");
        worst
    });
    println!("{errors:?}, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| (1.9..2.1).contains(p)));
    assert!(errors[2] < 1e-3);
}

#[test]
fn the_bead_stands_on_the_surface_and_the_books_close_with_second_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|h| {
        let mut sim = Simulation::of(&wavy(h, ""));
        let mut worst = 0.0_f64;
        sim.run(1.6, 0.02, |sim| {
            let (x, y) = (sim.get("points.bead.x"), sim.get("points.bead.y"));
            assert!((y - AMPLITUDE * (WAVENUMBER * x - 0.4).cos()).abs() < 1e-11);
            worst = worst.max(sim.get("energy.balance").abs());
        });
        worst
    });
    println!("{errors:?} J, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.9));
}

#[test]
fn the_profile_knows_nothing_of_the_elements_nor_of_their_direction() {
    let one = wavy(1e-3, "");
    let many = one.replace("elements = 1\norder = 1", "elements = 7\norder = 3");
    let reversed = many.replace("from = \"a\"\nto = \"b\"", "from = \"b\"\nto = \"a\"");
    let reversed = reversed.replace("path = [\"m\"]", "path = [\"m\"], start = \"a\"");
    let seen = [one, many, reversed].map(|text| {
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 1e-2, |_| ());
        ["points.bead.x", "points.bead.y", "joints.bead.normal_force"].map(|path| sim.get(path))
    });
    for other in &seen[1..] {
        for (a, b) in seen[0].iter().zip(other) {
            // Newton's tolerance of 4e-13 m over Δt² is a force of 4e-7 N.
            assert!((a - b).abs() < 1e-6, "{seen:?}");
        }
    }
}

#[test]
fn friction_on_a_wavy_path_sees_the_force_normal_to_its_surface() {
    let errors = [2e-3, 1e-3, 5e-4].map(|h| {
        let mut sim = Simulation::of(&wavy(h, "friction.coulomb = { coefficient = 0.1 }"));
        let start = sim.get("joints.bead.position");
        sim.run(0.8, 0.8, |_| ());
        let [s, _] = exact(start, 0.8, 0.1);
        (sim.get("joints.bead.position") - s).abs()
    });
    println!("{errors:?}, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.8));
    assert!(errors[2] < 1e-6);
}

/// A rod that is turned about O at 2 rad/s, a bead on it at a constant height.
fn turned(height: f64, start: &str) -> String {
    format!(
        r#"
name = "Turned"
[solver]
step = 2.5e-4
spectral_radius = 0.8
position_tolerance = 1e-13
[points]
O = [0.0, 0.0]
A = [4.0, 0.0]
bead = [0.5, 0.0]
[materials.stiff]
young_modulus = 1e12
poisson_ratio = 0.3
density = 1e-3
[sections.bar]
rectangle = {{ height = 0.1, width = 0.1 }}
[members.rod]
from = "O"
to = "A"
elements = 2
order = 2
material = "stiff"
section = "bar"
[supports.O]
point = "O"
fix = ["x", "y"]
[motions.turn]
point = "O"
direction = "rotation"
rate = 2.0
[masses.bead]
point = "bead"
mass = 3.0
[joints.bead]
cylindrical = {{ slider = "bead", path = ["rod"], start = "{start}" }}
roughness.table = {{ stations = [0.0, 4.0], heights = [{height}, {height}] }}
[initial]
velocities = "rigid_mechanism"
[initial.points.bead]
vx = "-2*({height})*{side}"
[interface]
outputs = ["points.bead.*", "energy.*", "motions.*"]
"#,
        side = if start == "O" { 1 } else { -1 }
    )
}

#[test]
fn the_surface_turns_with_the_section_and_its_height_is_a_lever() {
    // In the turning frame s̈ = ω² s whatever the height H to the left of the rod; the force across
    // is m (2 ω ṡ − ω² H), and with it the moment on the rod.
    for (height, start, side) in [(0.2, "O", 1.0), (-0.1, "O", 1.0), (0.2, "A", -1.0)] {
        let mut sim = Simulation::of(&turned(height, start));
        sim.run(0.6, 0.6, |_| ());
        let (omega, time) = (2.0, sim.time());
        let out = 0.5 * (omega * time).cosh();
        let speed = 0.5 * omega * (omega * time).sinh();
        let s = sim.get("joints.bead.position");
        let from_center = if start == "O" { s } else { 4.0 - s };
        assert!((from_center - out).abs() < 1e-5, "{from_center} {out}");
        let lift = side * height;
        let (sin, cos) = (omega * time).sin_cos();
        let [x, y] = [cos * out - sin * lift, sin * out + cos * lift];
        assert!((sim.get("points.bead.x") - x).abs() < 1e-5);
        assert!((sim.get("points.bead.y") - y).abs() < 1e-5);
        let across = 3.0 * (2.0 * omega * speed - omega * omega * lift);
        assert!((sim.get("joints.bead.normal_force") - across).abs() < 1e-3 * across);
        let moment = sim.get("motions.turn.reaction");
        assert!(
            (moment - across * out).abs() < 1e-3 * across * out,
            "{moment}"
        );
    }
}

/// A soft cantilever whose rough top a slider rides on with friction, pressed and pushed.
fn cantilever(analysis: &str, friction: &str, start: &str) -> String {
    format!(
        r#"
name = "Cantilever"
[solver]
analysis = "{analysis}"
step = 1e-3
position_tolerance = 1e-11
[points]
a = [0.0, 0.0]
b = [1.0, 0.0]
P = [0.4, 0.0]
[materials.soft]
young_modulus = 2e7
poisson_ratio = 0.3
density = 1000.0
[sections.strip]
rectangle = {{ height = 0.05, width = 0.05 }}
[members.m]
from = "a"
to = "b"
elements = 3
material = "soft"
section = "strip"
[supports.a]
point = "a"
fix = ["x", "y", "rotation"]
[masses.P]
point = "P"
mass = 2.0
[loads.P]
point = "P"
fx = 8.0
fy = -10.0
[joints.P]
cylindrical = {{ slider = "P", path = ["m"], ends = "stop", start = "{start}" }}
roughness.harmonics = {{ amplitudes = [0.02, 0.005], wavelengths = [0.7, 0.23], phases = [0.4, 1.0] }}
{friction}
[interface]
inputs = ["loads.P.fx", "loads.P.fy"]
outputs = ["supports.*", "points.P.*", "energy.*"]
"#
    )
}

#[test]
fn books_close_with_second_order_where_the_path_bends_under_the_slider() {
    let errors = [2e-3, 1e-3, 5e-4].map(|h| {
        let text = cantilever("dynamic", "", "b")
            .replace("elements = 3", "elements = 1")
            .replace(
                "step = 1e-3\nposition_tolerance = 1e-11",
                &format!("step = {h}\nposition_tolerance = 1e-13"),
            );
        let mut sim = Simulation::of(&text);
        let mut worst = 0.0_f64;
        sim.run(0.24, 0.01, |sim| {
            worst = worst.max(sim.get("energy.balance").abs());
        });
        worst
    });
    println!("{errors:?} J, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.8));
    // Of 1 J that the load gives.
    assert!(errors[2] < 1e-5);
}

#[test]
fn the_clamp_takes_the_moment_of_the_contact_with_the_height_as_lever() {
    for start in ["a", "b"] {
        let held = "[motions.P]\npoint = \"P\"\ndirection = \"x\"\ndisplacement = 0.0";
        let mut sim = Simulation::of(&cantilever("quasi_static", held, start));
        for n in 1..=20 {
            sim.set("loads.P.fy", -10.0 - f64::from(n));
            sim.step(1e-2);
        }
        // The slider presses along the normal of the surface, at the height of the surface.
        let (x, y) = (sim.get("points.P.x"), sim.get("points.P.y"));
        let [fx, fy, moment] = ["fx", "fy", "moment"].map(|c| sim.get(&format!("supports.a.{c}")));
        assert!(fx.abs() > 1.0 && (fy - 30.0).abs() < 1e-9, "{fx} {fy}");
        let about = x * fy - y * fx;
        assert!(
            (moment - about).abs() < 1e-9 * moment.abs(),
            "{moment} {about}"
        );
    }
}

#[test]
fn derivatives_of_a_step_on_a_rough_path_are_those_of_central_differences() {
    let text = cantilever(
        "dynamic",
        "friction.stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.5 }",
        "a",
    );
    let mut sim = Simulation::of(&text);
    for _ in 0..60 {
        sim.step(2e-3);
    }
    assert!(sim.get("joints.P.velocity").abs() > 0.1, "it slides");
    let before = sim.state.clone();
    let after = |input: usize, change: f64| -> State {
        let mut state = before.clone();
        state.inputs[input] += change;
        let mut stepper = Stepper::new(&sim.system);
        let advanced = stepper.advance(&sim.system, &mut state, before.time, 4e-3);
        advanced.unwrap_or_else(|fault| panic!("{fault}"));
        state
    };
    for input in 0..2 {
        let mut direction = Direction::none(&sim.system);
        direction.inputs[input] = 1.0;
        let mut stepper = Stepper::new(&sim.system);
        let (end, change) = stepper
            .change(&sim.system, &before, before.time, 4e-3, &direction)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let pairs = [0.2, 0.1].map(|e| (e, after(input, e), after(input, -e)));
        for output in &sim.system.model().outputs {
            let read = |state: &State| sim.system.read(state, output.output);
            let [coarse, fine] =
                [0, 1].map(|i| (read(&pairs[i].1) - read(&pairs[i].2)) / (2.0 * pairs[i].0));
            let difference = (4.0 * fine - coarse) / 3.0;
            let exact = sim.system.output_change(&end, &change, output.output);
            let noise = 1e-9 * read(&end).abs().max(1e-3);
            assert!(
                (exact - difference).abs() < 1e-6 * exact.abs() + noise,
                "{}: {exact:e} {difference:e}",
                output.path
            );
        }
    }
}

/// A seesaw with a bead of 1 kg in a trough a = 0.5 m below its hinge.
const SEESAW: &str = r#"
name = "Seesaw"
[solver]
step = 1e-3
[points]
l = [-1.0, 0.0]
O = [0.0, 0.0]
r = [1.0, 0.0]
bead = [0.0, 0.0]
[materials.stiff]
young_modulus = 1e10
poisson_ratio = 0.3
density = 1e-3
[sections.bar]
rectangle = { height = 0.1, width = 0.1 }
[members.left]
from = "O"
to = "l"
elements = 1
order = 2
material = "stiff"
section = "bar"
[members.right]
from = "O"
to = "r"
elements = 1
order = 2
material = "stiff"
section = "bar"
[supports.O]
point = "O"
fix = ["x", "y"]
[masses.O]
point = "O"
mass = 1.0
rotary_inertia = 0.7
[masses.bead]
point = "bead"
mass = 1.0
[gravity]
y = -9.81
[joints.bead]
cylindrical = { slider = "bead", path = ["left", "right"], start = "l" }
roughness.cosine = { amplitude = 0.5, wavelength = "pi/2", phase = "4 + pi" }
"#;

#[test]
fn a_bead_in_the_trough_of_a_seesaw_has_the_frequencies_of_two_coupled_pendulums() {
    // With u along the rod and its angle φ, h = −a + κ u²/2:
    // T = ½ J φ̇² + ½ m (u̇ + a φ̇)²,  V = m g (u φ + ½ κ u² + ½ a φ²).
    let sim = Simulation::of(SEESAW);
    assert!((sim.get("joints.bead.position") - 1.0).abs() < 1e-9);
    let (a, j) = (0.5, 0.7);
    let kappa = 16.0 * a;
    // det (K − ω² M) = A ω⁴ − B ω² + C with m = 1.
    let big = j + a * a - a * a;
    let middle = G * (kappa * (j + a * a) + a - 2.0 * a);
    let small = G * G * (kappa * a - 1.0);
    let root = (middle * middle - 4.0 * big * small).sqrt();
    let exact = [-1.0, 1.0].map(|sign| ((middle + sign * root) / (2.0 * big)).sqrt());
    let seen = sim.frequencies(2);
    println!("{seen:?} {exact:?}");
    for (seen, exact) in seen.into_iter().zip(exact) {
        assert!((seen / exact - 1.0).abs() < 1e-3, "{seen} {exact}");
    }
}

#[test]
fn a_wheel_lifts_over_what_it_cannot_enter() {
    let sharp = Roughness {
        profile: Profile::Waves(vec![Wave::of_length(0.01, 0.2, 0.0)]),
        spectrum: None,
        wheel_radius: None,
    };
    let rolled = Roughness {
        wheel_radius: Some(0.3),
        ..sharp.clone()
    };
    let (ground, wheel) = (sharp.over(10.0), rolled.over(10.0));
    // Crests carry it; in a dip it hangs between two points of contact ±x where
    // h′(x) = x/√(R² − x²).
    assert!((wheel.at(5.0)[0] - ground.at(5.0)[0]).abs() < 1e-6);
    let touch = |x: f64| ground.at(4.9 + x)[0] + (0.09 - x * x).sqrt() - 0.3;
    let highest = (0..=10_000).map(|i| touch(1e-5 * f64::from(i)));
    let hangs = highest.fold(f64::NEG_INFINITY, f64::max);
    assert!(hangs > ground.at(4.9)[0] + 5e-3);
    assert!((wheel.at(4.9)[0] - hangs).abs() < 2e-4);
    let smooth = Simulation::of(&wavy(1e-3, ""));
    let mut lifted = Simulation::of(&wavy(1e-3, "wheel_radius = 5.0"));
    assert!(lifted.get("points.bead.y") >= smooth.get("points.bead.y") - 1e-9);
    lifted.run(1.0, 1e-2, |sim| {
        let x = sim.get("points.bead.x");
        let ground = AMPLITUDE * (WAVENUMBER * x - 0.4).cos();
        assert!(sim.get("points.bead.y") > ground - 1e-5);
    });
}

#[test]
fn what_is_wrong_with_a_roughness_is_said() {
    let said = |kind: &str| {
        let text = wavy(1e-3, "");
        let line = text
            .lines()
            .find(|l| l.starts_with("roughness"))
            .expect("a line");
        common::check(&text.replace(line, kind), &[]).expect_err(kind)
    };
    for (kind, words) in [
        (
            "roughness.cosine = { amplitude = 0.1, wavelength = 0.0 }",
            "wavelength is 0 m; allowed: above 0",
        ),
        (
            "roughness.harmonics = { amplitudes = [0.1], wavelengths = [1.0, 2.0] }",
            "1 amplitudes, 2 wavelengths",
        ),
        (
            "roughness.iso8608 = { class = \"A\", from = 3.0, to = 1.0, lines = 20 }",
            "allowed: above `from`, 3 1/m",
        ),
        (
            "roughness.iso8608 = { class = \"A\", from = 1.0, to = 3.0, lines = 20, seed = 1.5 }",
            "seed is 1.5; allowed: a whole number",
        ),
        (
            "roughness.iso8608 = { class = \"K\", from = 1.0, to = 3.0, lines = 20 }",
            "`K`",
        ),
        (
            "roughness.table = { stations = [0.0, 2.0], heights = [0.0, 0.1] }",
            "to the end of the path, 4 m",
        ),
        (
            "roughness.table = { stations = [0.0] }",
            "either `stations` and `heights` or `file`",
        ),
        ("wheel_radius = 0.3", "no roughness to roll over"),
        (
            "wheel_radius = 0.3\nroughness.cosine = { amplitude = 0.001, wavelength = 1e-5 }",
            "allowed: up to 500000",
        ),
    ] {
        let fault = said(kind);
        assert!(fault.contains(words), "{kind}\n{fault}");
        assert_eq!(fault.lines().count(), 1, "{fault}");
    }
}
