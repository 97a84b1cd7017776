//! What the time integration makes is an error: steps are divided for it, and motions do their own work.

use crate::common::Simulation;
use crate::common::edit::Edit;

/// A bead on a straight path, pushed by 20 N and pressed by a force that swings, under a law with memory.
const BEAD: &str = r#"
name = "bead"
[solver]
step = 1e-2
[points]
a = [-5.0, 0.0]
b = [5.0, 0.0]
p = [0.0, 0.0]
[members.rail]
from = "a"
to = "b"
elements = 1
[supports.rail]
member = "rail"
fix = ["x", "y", "rotation"]
[masses.p]
point = "p"
mass = 1.0
[joints.j]
cylindrical = { slider = "p", path = ["rail"] }
friction.spring_friction = { stiffness = 4e3, coefficient = 0.5 }
[loads.swing]
point = "p"
fy = -100.0
history.sine = { frequency = 7.0 }
[loads.press]
point = "p"
fy = -120.0
[loads.push]
point = "p"
fx = 20.0
[initial.points.p]
vx = 1.0
[interface]
outputs = ["energy.*"]
"#;

/// A mass that a damper stops within a tenth of a step.
const DAMPER: &str = r#"
name = "damper"
[solver]
step = 1e-2
spectral_radius = 0.95
[points]
g = [0.0, 0.0]
p = [1.0, 0.0]
[masses.p]
point = "p"
mass = 1.0
[supports.p]
point = "p"
fix = ["y"]
[springs.s]
ground = "g"
to = "p"
damping = 1e3
[initial.points.p]
vx = 1.0
[interface]
outputs = ["energy.*"]
"#;

/// A mass that bounces at its stop once in every step, and a bar that has nothing to do with it.
const BOUNCES: &str = r#"
name = "bounces"
[solver]
step = 2e-4
spectral_radius = 0.3
[points]
left = [-2.0, 0.0]
right = [0.0, 0.0]
buffer = [-3.6e-5, 0.0]
from = [0.0, 1.0]
to = [1.2, 1.0]
[materials.alloy]
young_modulus = 70e9
poisson_ratio = 0.33
density = 2700.0
[sections.bar]
rectangle = { height = 0.036, width = 0.036 }
[members.bar]
from = "from"
to = "to"
elements = 2
material = "alloy"
section = "bar"
[supports.from]
point = "from"
fix = ["x", "y"]
[supports.to]
point = "to"
fix = ["x", "y"]
[members.rail]
from = "left"
to = "right"
elements = 1
[supports.rail]
member = "rail"
fix = ["x", "y", "rotation"]
[masses.buffer]
point = "buffer"
mass = 0.2
[loads.push]
point = "buffer"
fx = 4000.0
[joints.j]
cylindrical = { slider = "buffer", path = ["rail"], ends = "stop", restitution = 1.0 }
[loads.pull]
member = "bar"
at = 0.5
fx = 1.0
[initial.points.buffer]
vx = 1.6
[interface]
outputs = ["energy.*"]
"#;

/// The most that the time integration has made in `steps` of length `h` (s), as a share of the energy (J) that is there; and whether the
/// run got to their end.
fn made(text: &str, h: f64, steps: u32, there: f64) -> (f64, bool) {
    let mut sim = Simulation::of(text);
    let mut most = 0.0_f64;
    for _ in 0..steps {
        let time = sim.time();
        if sim.try_step(time, h).is_err() {
            return (most, false);
        }
        most = most.max(-sim.get("energy.numerical_dissipation") / there);
    }
    (most, true)
}

#[test]
fn steps_in_which_the_time_integration_makes_energy_are_divided() {
    // The bead's friction takes 13 J; the mass has 0.5 J; the one that bounces 0.26 J.
    for (name, text, h, steps, there) in [
        ("bead", BEAD, 1e-2, 200, 13.0),
        ("damper", DAMPER, 1e-2, 10, 0.5),
        ("bounces", BOUNCES, 2e-4, 500, 0.26),
    ] {
        let whole = text.edit("[solver]", "[solver]\nenergy_tolerance = 1e9");
        let [(seen, ended), (whole, _)] = [text, &whole].map(|text| made(text, h, steps, there));
        println!("{name}: {seen:.1e} of the energy is made, {whole:.1e} in whole steps");
        assert!(ended && seen < 1e-2, "{name}: {seen:e}");
        assert!(whole > 0.1, "{name}: {whole:e}");
    }
}

#[test]
fn a_motion_whose_velocity_jumps_does_the_work_of_the_kinetic_energy() {
    let text = r#"
name = "cart"
solver.step = 1e-3
[points]
cart = [0.0, 0.0]
other = [1.0, 0.0]
[masses.other]
point = "other"
mass = 1.0
[supports.other]
point = "other"
fix = ["y"]
[masses.cart]
point = "cart"
mass = 2.0
[supports.cart]
point = "cart"
fix = ["y"]
[motions.cart]
point = "cart"
direction = "x"
amplitude = 0.2
history.ramp = { start = 0.0105, duration = 0.5, smooth = false }
[interface]
outputs = ["energy.*"]
"#;
    let mut sim = Simulation::of(text);
    for _ in 0..20 {
        sim.step(1e-3);
    }
    // ½ m v² with 0.4 m/s.
    for (name, exact) in [
        ("kinetic", 0.16),
        ("input_work", 0.16),
        ("numerical_dissipation", 0.0),
        ("balance", 0.0),
    ] {
        let seen = sim.get(&format!("energy.{name}"));
        assert!((seen - exact).abs() < 1e-14, "{name}: {seen:e}");
    }
}
